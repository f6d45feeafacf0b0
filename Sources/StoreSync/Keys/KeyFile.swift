import AgeFile

/// A key file: the key ring, encrypted to every device that is not removed and to the recovery key.
package enum KeyFile {
  /// The path and the bytes of a key file.
  ///
  /// - Parameter number: higher than that of any key file in the folder.
  /// - Throws: `AgeError`.
  package static func make(_ ring: KeyRing, number: UInt64, sealing: any Sealing)
    throws(AgeError) -> (path: SyncPath, bytes: [UInt8])
  {
    let keys = try FolderKeys(ring, sealing: sealing)
    let payload = ring.payload
    let path = SyncPath.key(number: number, keys.fileName(of: payload))
    let recipients = Set(ring.members.keys).union([ring.recovery.key]).sorted()
    return (path, try keys.seal(payload, at: path, to: recipients))
  }

  /// The key ring of a key file.
  ///
  /// The code of a key file is made with a key that the file itself contains, so it proves only
  /// that the file is whole and in its place. Whoever knows the public key of a device can write a
  /// key file for it: a known folder, or a fingerprint that a person compares, decides whether to
  /// believe it.
  ///
  /// - Parameter secrets: those of this device, or of a recovery key.
  /// - Throws: ``SyncFileError``.
  package static func open(
    _ bytes: [UInt8], at path: SyncPath, with secrets: [SecretKey], sealing: any Sealing
  ) throws(SyncFileError) -> KeyRing {
    let envelope: [UInt8]
    do throws(AgeError) {
      envelope = try sealing.open(bytes, with: secrets)
    } catch {
      throw SyncFileError(error)
    }
    let ring: KeyRing
    do throws(SyncFormatError) {
      ring = try KeyRing(payload: Envelope(envelope).payload)
    } catch {
      throw .notValid(error)
    }
    let keys: FolderKeys
    do throws(AgeError) {
      keys = try FolderKeys(ring, sealing: sealing)
    } catch {
      throw SyncFileError(error)
    }
    let payload = try keys.payload(of: envelope, at: path)
    guard case .key(_, keys.fileName(of: payload)) = path else {
      throw .notValid(SyncFormatError(.notAuthentic, in: "keys", at: 0))
    }
    return ring
  }
}

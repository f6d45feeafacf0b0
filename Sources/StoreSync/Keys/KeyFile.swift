import AgeFile

/// A key file that was decrypted and whose writer has proved who it is. Whether the writer belongs
/// to the folder is another question (``KeyTrust``).
package struct KeyFile: Hashable, Sendable {
  /// The key ring.
  package let ring: KeyRing
  /// The public key of the device that wrote the file, or the recovery key.
  package let writer: PublicKey

  /// Creates a value without a file.
  init(ring: KeyRing, writer: PublicKey) { (self.ring, self.writer) = (ring, writer) }

  /// The path and the bytes of a key file, which is encrypted to every device that is not removed
  /// and to the recovery key.
  ///
  /// - Parameters:
  ///   - number: higher than that of any key file in the folder.
  ///   - writer: the secret of this device, or of the recovery key.
  /// - Throws: `AgeError`.
  package static func make(
    _ ring: KeyRing, number: UInt64, writer: SecretKey, sealing: any Sealing
  ) throws(AgeError) -> (path: SyncPath, bytes: [UInt8]) {
    let keys = try FolderKeys(ring, sealing: sealing)
    let recipients = ring.recipients
    var codes: [[UInt8]] = []
    for recipient in recipients {
      codes.append(
        try WriterCode.make(
          ring, number: number, writer: writer, recipient: recipient, sealing: sealing))
    }
    let payload = KeyFilePayload(
      ring: ring, writer: try sealing.publicKey(of: writer), codes: codes
    ).bytes
    let path = SyncPath.key(number: number, keys.fileName(of: payload))
    return (path, try keys.seal(payload, at: path, to: recipients))
  }

  /// Reads a key file.
  ///
  /// The code of the envelope is made with a key that the file itself contains, so it proves only
  /// that the file is whole and in its place. The code of the writer proves to this device who
  /// wrote it.
  ///
  /// - Parameter secrets: those of this device, or of a recovery key.
  /// - Throws: ``SyncFileError``.
  package init(
    _ bytes: [UInt8], at path: SyncPath, with secrets: [SecretKey], sealing: any Sealing
  ) throws(SyncFileError) {
    let envelope: [UInt8]
    do throws(AgeError) {
      envelope = try sealing.open(bytes, with: secrets)
    } catch {
      throw SyncFileError(error)
    }
    let content: KeyFilePayload
    do throws(SyncFormatError) {
      content = try KeyFilePayload(bytes: Envelope(envelope).payload)
    } catch {
      throw .notValid(error)
    }
    let keys: FolderKeys
    do throws(AgeError) {
      keys = try FolderKeys(content.ring, sealing: sealing)
    } catch {
      throw SyncFileError(error)
    }
    let payload = try keys.payload(of: envelope, at: path)
    guard case .key(let number, keys.fileName(of: payload)) = path else {
      throw .notValid(SyncFormatError(.notAuthentic, in: "keys", at: 0))
    }
    guard Self.proves(content, number, to: secrets, sealing) else {
      throw .notValid(SyncFormatError(.notAuthentic, in: "writer", at: content.ring.payload.count))
    }
    self.init(ring: content.ring, writer: content.writer)
  }

  /// Whether the codes for these secrets are right, and there is one.
  private static func proves(
    _ content: KeyFilePayload, _ number: UInt64, to secrets: [SecretKey], _ sealing: any Sealing
  ) -> Bool {
    var codes = 0
    for secret in secrets {
      guard let key = try? sealing.publicKey(of: secret),
        let index = content.ring.recipients.firstIndex(of: key)
      else { continue }
      codes += 1
      let isRight = try? WriterCode.isRight(
        content.codes[index], content.ring, number: number, writer: content.writer,
        recipient: secret, sealing: sealing)
      guard isRight == true else { return false }
    }
    return codes > 0
  }
}

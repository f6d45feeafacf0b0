import AgeFile
import ByteStreams

/// All keys of a sync folder: what names its files, proves who wrote them, and encrypts them.
package struct FolderKeys: Sendable {
  /// The key ring that they come from.
  package let ring: KeyRing
  private let nameKey: [UInt8]
  private let authenticationKey: [UInt8]
  private let recipient: PublicKey
  /// The secrets of all identities, the current one first: most files were encrypted to it.
  private let secrets: [SecretKey]
  private let sealing: any Sealing

  /// Derives the keys.
  ///
  /// - Throws: `AgeError.cryptographyUnavailable`.
  package init(_ ring: KeyRing, sealing: any Sealing) throws(AgeError) {
    self.ring = ring
    self.sealing = sealing
    nameKey = Self.key("roqua-sync names", of: ring)
    authenticationKey = Self.key("roqua-sync authentication", of: ring)
    let current = ring.current
    recipient = try sealing.publicKey(of: current.secret)
    secrets =
      [current.secret] + ring.identities.subtracting([current]).sorted(by: >).map(\.secret)
  }

  private static func key(_ info: String, of ring: KeyRing) -> [UInt8] {
    HKDFSHA256.key(from: ring.folderSecret.bytes, info: Array(info.utf8))
  }

  /// The code of the bytes under the name key, for one use.
  private func code(_ use: String, _ bytes: some Collection<UInt8>) -> [UInt8] {
    HMACSHA256.code(for: Array(use.utf8) + [0] + bytes, key: nameKey)
  }

  /// The name of a source.
  ///
  /// - Parameter sha256: its SHA-256 as 64 lowercase hexadecimal digits.
  package func sourceName(sha256: String) -> SourceName {
    let code = code("source", sha256.utf8)
    guard let name = SourceName(bytes: code[..<SourceName.byteCount]) else {
      preconditionFailure("a code has 32 bytes")
    }
    return name
  }

  /// The name that a device has in this folder, which follows from its public key.
  package func deviceName(of key: PublicKey) -> DeviceName {
    DeviceName(number: Self.number(code("device", key.bytes)))
  }

  /// The name of the file with this payload.
  package func fileName(of payload: [UInt8]) -> FileName {
    FileName(number: Self.number(code("file", payload)))
  }

  private static func number(_ code: [UInt8]) -> UInt64 {
    code[..<8].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// What people compare to see that two devices have the same folder: 80 bits in Crockford's
  /// base32, such as "7ZK4-0N3M-QX2A-V9JT".
  package var fingerprint: String {
    Fingerprint.text(
      HMACSHA256.code(for: Array("fingerprint".utf8), key: authenticationKey)
        .prefix(Fingerprint.byteCount))
  }

  /// The bytes of a file, encrypted to the current identity.
  ///
  /// - Throws: `AgeError.cryptographyUnavailable`.
  package func seal(_ payload: [UInt8], at path: SyncPath) throws(AgeError) -> [UInt8] {
    try seal(payload, at: path, to: [recipient])
  }

  /// The payload of a file that is not a key file.
  ///
  /// - Parameter path: where it lies; of a renamed copy, where it belongs.
  /// - Parameter allowsOlderKeys: whether it may be encrypted to any identity of the folder. By
  ///   default, a manifest or a backup must be encrypted to the current one: a device that was
  ///   removed does not know it, so what it says since then does not count.
  /// - Throws: ``SyncFileError``.
  package func open(
    _ bytes: [UInt8], at path: SyncPath, allowsOlderKeys: Bool? = nil
  ) throws(SyncFileError) -> [UInt8] {
    var secrets = secrets
    if !(allowsOlderKeys ?? (path.kind == .source)) { secrets.removeLast(secrets.count - 1) }
    let envelope: [UInt8]
    do throws(AgeError) {
      envelope = try sealing.open(bytes, with: secrets)
    } catch {
      let isOlder =
        error == .noIdentityMatches && secrets.count < self.secrets.count
        && (try? sealing.open(bytes, with: Array(self.secrets.dropFirst()))) != nil
      throw isOlder ? .olderKey : SyncFileError(error)
    }
    return try payload(of: envelope, at: path)
  }

  /// The digest of the key to which files are encrypted now.
  package var currentKey: Digest { Digest(of: recipient.bytes) }

  /// The payload of an envelope, if a device of this folder wrote it for this path.
  func payload(of envelope: [UInt8], at path: SyncPath) throws(SyncFileError) -> [UInt8] {
    do throws(SyncFormatError) {
      let envelope = try Envelope(envelope)
      try envelope.authenticate(path, key: authenticationKey)
      return envelope.payload
    } catch {
      throw .notValid(error)
    }
  }

  /// The bytes of a file, encrypted to these recipients.
  func seal(_ payload: [UInt8], at path: SyncPath, to recipients: [PublicKey]) throws(AgeError)
    -> [UInt8]
  {
    try sealing.seal(
      Envelope.bytes(of: payload, at: path, key: authenticationKey), to: recipients)
  }
}

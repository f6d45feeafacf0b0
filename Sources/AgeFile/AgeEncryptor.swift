/// Encrypts a file that is written in pieces, in memory of fixed size.
///
/// ```swift
/// let identity = try AgeIdentity.generate()
/// var file: [UInt8] = []
/// let encryptor = try AgeEncryptor(to: [identity.recipient])
/// try bytes.withUnsafeBytes { try encryptor.append($0) { file += $0 } }
/// try encryptor.finish { file += $0 }
/// ```
///
/// The sinks receive bytes in pieces of at most 64 KiB and a tag, except for the header, which
/// grows with the recipients. A piece is valid during the call. Not `Sendable`.
package final class AgeEncryptor {
  private let payload: PayloadEncryptor
  /// The header and the nonce, until they are written.
  private var head: [UInt8]

  /// Starts a file for recipients, any of whom can read it.
  ///
  /// - Throws: ``AgeError``: no recipients, one whose key is weak, or no cryptography.
  package convenience init(to recipients: [AgeRecipient]) throws(AgeError) {
    guard !recipients.isEmpty else { throw .noRecipients }
    let fileKey = try Primitives.randomBytes(AgeHeader.fileKeyBytes)
    var stanzas: [AgeStanza] = []
    for recipient in recipients { stanzas.append(try X25519Wrapping.wrap(fileKey, for: recipient)) }
    try self.init(stanzas, fileKey: fileKey)
  }

  /// Starts a file that a passphrase opens. Takes about a second with the default work factor.
  ///
  /// - Parameter workFactor: one of ``AgePassphrase/workFactors``; each step doubles time and
  ///   memory.
  /// - Throws: ``AgeError``: no cryptography, no scrypt, or not enough memory.
  package convenience init(
    with passphrase: AgePassphrase, workFactor: Int = AgePassphrase.defaultWorkFactor
  ) throws(AgeError) {
    precondition(AgePassphrase.workFactors.contains(workFactor), "a work factor of 1 to 22")
    let fileKey = try Primitives.randomBytes(AgeHeader.fileKeyBytes)
    let stanza = try ScryptWrapping.wrap(fileKey, with: passphrase, workFactor: workFactor)
    try self.init([stanza], fileKey: fileKey)
  }

  private init(_ stanzas: [AgeStanza], fileKey: [UInt8]) throws(AgeError) {
    let header = AgeHeader.bytes(stanzas, fileKey: fileKey)
    // What is written can be read again.
    guard header.count < AgeError.longestHeaderBytes else {
      throw .headerDamaged(line: 1, problem: .tooLong)
    }
    let nonce = try Primitives.randomBytes(ChunkCipher.nonceBytes)
    head = header + nonce
    payload = PayloadEncryptor(ChunkCipher(fileKey: fileKey, nonce: nonce))
  }

  /// Encrypts the next bytes. Much of the result may come only from later calls.
  ///
  /// - Throws: what the sink throws; the encryptor must not be used afterward.
  package func append(
    _ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try writeHead(to: sink)
    try payload.append(bytes, to: sink)
  }

  /// Encrypts the end. A file without it counts as cut off.
  ///
  /// - Throws: what the sink throws.
  package func finish(to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
    try writeHead(to: sink)
    try payload.finish(to: sink)
  }

  private func writeHead(to sink: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard !head.isEmpty else { return }
    try head.withUnsafeBytes(sink)
    head = []
  }
}

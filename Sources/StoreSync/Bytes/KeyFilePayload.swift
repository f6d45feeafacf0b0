import ByteStreams

/// What a key file contains: a key ring, who wrote it, and for each recipient a code that proves
/// it.
package struct KeyFilePayload: Hashable, Sendable {
  /// The number of bytes of a code.
  package static let codeBytes = HMACSHA256.byteCount

  /// The key ring.
  package let ring: KeyRing
  /// The public key of the device that wrote the file, or the recovery key.
  package let writer: PublicKey
  /// The codes, in the order of the recipients of ``ring``.
  package let codes: [[UInt8]]

  /// Creates a payload.
  ///
  /// - Precondition: there is a code of ``codeBytes`` for each recipient.
  package init(ring: KeyRing, writer: PublicKey, codes: [[UInt8]]) {
    (self.ring, self.writer, self.codes) = (ring, writer, codes)
    precondition(codes.count == ring.recipients.count, "a code for each recipient")
    precondition(codes.allSatisfy { $0.count == Self.codeBytes }, "codes of 32 bytes")
  }

  /// The bytes. Equal payloads give equal bytes.
  package var bytes: [UInt8] {
    var writer = PayloadWriter()
    writer.raw(ring.payload)
    writer.raw(self.writer.bytes)
    for code in codes { writer.raw(code) }
    return writer.bytes
  }

  /// Reads a payload, without the test of its codes.
  ///
  /// - Throws: ``SyncFormatError`` for bytes that ``bytes`` never has.
  package init(bytes: [UInt8]) throws(SyncFormatError) {
    var reader = PayloadReader(bytes, part: "keys")
    ring = try KeyRing(from: &reader)
    reader.part = "writer"
    writer = try reader.publicKey()
    reader.part = "codes"
    var codes: [[UInt8]] = []
    for _ in ring.recipients { codes.append(Array(try reader.raw(Self.codeBytes))) }
    try reader.finish()
    self.codes = codes
  }
}

import AgeFile
import ByteStreams

/// The code with which the writer of a key file proves to one recipient who it is. Only these two
/// can compute it, because it is made with the secret that they share by X25519.
enum WriterCode {
  /// The code, made by the writer.
  ///
  /// - Parameter number: that of the key file.
  /// - Throws: `AgeError`, for example for a weak key of a recipient.
  static func make(
    _ ring: KeyRing, number: UInt64, writer: SecretKey, recipient: PublicKey, sealing: any Sealing
  ) throws(AgeError) -> [UInt8] {
    code(
      ring, number, shared: try sealing.sharedSecret(writer, with: recipient),
      writer: try sealing.publicKey(of: writer), recipient: recipient)
  }

  /// Whether a recipient computes the same code.
  ///
  /// - Throws: `AgeError`, for example for a weak key of a writer.
  static func isRight(
    _ code: [UInt8], _ ring: KeyRing, number: UInt64, writer: PublicKey, recipient: SecretKey,
    sealing: any Sealing
  ) throws(AgeError) -> Bool {
    let expected = self.code(
      ring, number, shared: try sealing.sharedSecret(recipient, with: writer), writer: writer,
      recipient: try sealing.publicKey(of: recipient))
    return HMACSHA256.areEqual(code, expected)
  }

  private static func code(
    _ ring: KeyRing, _ number: UInt64, shared: [UInt8], writer: PublicKey, recipient: PublicKey
  ) -> [UInt8] {
    let key = HKDFSHA256.key(
      from: shared, info: Array("roqua-sync writer".utf8) + writer.bytes + recipient.bytes)
    var code = HMACSHA256(key: key)
    code.update(Array(number.bigEndianBytes.reversed()))
    code.update(ring.payload)
    return code.finalize()
  }
}

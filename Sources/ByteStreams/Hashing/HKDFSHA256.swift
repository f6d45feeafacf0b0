/// Derives keys from a secret with HKDF-SHA-256.
///
/// ```swift
/// let nameKey = HKDFSHA256.key(from: bytes, info: Array("names".utf8))
/// ```
///
/// - Source: RFC 5869.
package enum HKDFSHA256 {
  /// The most bytes that can be derived: 255 blocks.
  package static let mostBytes = 255 * HMACSHA256.byteCount

  /// Derives a key: extraction followed by expansion.
  ///
  /// - Parameters:
  ///   - secret: the keying material, of any length.
  ///   - salt: public, and best random; none by default.
  ///   - info: what the key is for. Different uses give independent keys.
  ///   - byteCount: 1 to ``mostBytes``.
  package static func key(
    from secret: [UInt8], salt: [UInt8] = [], info: [UInt8], byteCount: Int = 32
  ) -> [UInt8] {
    precondition((1...mostBytes).contains(byteCount), "a key of 1 to \(mostBytes) bytes")
    // An empty salt and one of 32 zeros are the same key of HMAC, which is padded with zeros.
    let extracted = HMACSHA256.code(for: secret, key: salt)
    var result: [UInt8] = []
    var block: [UInt8] = []
    var number: UInt8 = 1
    while result.count < byteCount {
      block = HMACSHA256.code(for: block + info + [number], key: extracted)
      result += block
      number &+= 1
    }
    return Array(result.prefix(byteCount))
  }
}

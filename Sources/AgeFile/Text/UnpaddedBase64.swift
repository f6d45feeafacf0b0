/// Base64 without padding, as headers of age use it. Only the canonical encoding is read.
///
/// - Source: RFC 4648, sections 3.5 and 4.
enum UnpaddedBase64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The value of each byte; 255 for one that is not in the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Encodes bytes.
  static func encode(_ bytes: some Sequence<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var bits: UInt32 = 0
    var count = 0
    for byte in bytes {
      bits = bits << 8 | UInt32(byte)
      count += 8
      while count >= 6 {
        count -= 6
        result.append(alphabet[Int(bits >> UInt32(count) & 63)])
      }
    }
    if count > 0 { result.append(alphabet[Int(bits << UInt32(6 - count) & 63)]) }
    return result
  }

  /// Decodes bytes; nil if they are not exactly what ``encode(_:)`` writes.
  static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    guard text.count % 4 != 1 else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(text.count * 3 / 4)
    var bits: UInt32 = 0
    var count = 0
    for character in text {
      let value = values[Int(character)]
      guard value < 64 else { return nil }
      bits = bits << 6 | UInt32(value)
      count += 6
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    // The bits after the last whole byte must be zero.
    guard bits & (1 << UInt32(count) - 1) == 0 else { return nil }
    return result
  }
}

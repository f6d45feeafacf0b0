/// Bytes as hexadecimal digits: two for each byte, the high four bits first.
package enum Hexadecimal {
  /// The digits of bytes: `c3a9`, or `C3A9` in upper case.
  ///
  /// - Complexity: O(bytes).
  package static func text(
    _ bytes: some Sequence<UInt8>, uppercase isUppercase: Bool = false
  ) -> String {
    let ten = UInt8(ascii: isUppercase ? "A" : "a")
    func digit(_ value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : ten + (value - 10)
    }
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * bytes.underestimatedCount)
    for byte in bytes {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// The bytes of lowercase digits; nil for anything else, and for an odd number of digits. So each
  /// text that is accepted is the one that ``text(_:uppercase:)`` makes of its bytes.
  ///
  /// - Complexity: O(digits).
  package static func bytes(lowercase text: some StringProtocol) -> [UInt8]? {
    let digits = text.utf8.compactMap { value(ofLowercaseDigit: $0) }
    guard digits.count == text.utf8.count, digits.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  /// The value of a digit of either case in ASCII; nil for any other byte.
  package static func value(ofDigit byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: value(ofLowercaseDigit: byte)
    }
  }

  /// The value of a lowercase digit in ASCII; nil for any other byte.
  package static func value(ofLowercaseDigit byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

/// How the tool reads numbers that people write: in decimal, with a sign, a point and an exponent
/// where there are any.
///
/// Swift's own reader takes `nan`, `inf` and hexadecimal digits too: `0x10` would be 16 degrees.
enum DecimalNumber {
  /// The number, or nil where the text is anything else or too large for a finite one.
  static func value(of text: some Sequence<UInt8>) -> Double? {
    let bytes = Array(text)
    let isDecimal = bytes.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
        UInt8(ascii: "."),
        UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    guard isDecimal, let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite
    else {
      return nil
    }
    return value
  }

  /// The number in a text.
  static func value(of text: some StringProtocol) -> Double? { value(of: text.utf8) }
}

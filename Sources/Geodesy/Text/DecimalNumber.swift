/// Numbers that people write: in decimal, with a sign, a point and an exponent where there are any.
///
/// Swift's own reader takes `nan`, `inf` and hexadecimal digits too: `0x10` would be 16 degrees.
package enum DecimalNumber {
  /// The number, or nil where the text is anything else or too large for a finite one.
  package static func value(of bytes: ArraySlice<UInt8>) -> Double? {
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
  package static func value(of text: String) -> Double? { value(of: Array(text.utf8)[...]) }
}

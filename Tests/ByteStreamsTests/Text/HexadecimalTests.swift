import Testing

@testable import ByteStreams

/// Compared with the numbers that Swift's own `UInt8(_:radix:)` and `String(_:radix:)` read and
/// write.
@Suite struct HexadecimalTests {
  @Test func `every byte has the two digits that the standard library gives it`() {
    for byte in UInt8.min...UInt8.max {
      for isUppercase in [false, true] {
        let digits = String(byte, radix: 16, uppercase: isUppercase)
        let expected = digits.count == 1 ? "0" + digits : digits
        #expect(Hexadecimal.text([byte], uppercase: isUppercase) == expected)
      }
    }
    let empty: [UInt8] = []
    #expect(Hexadecimal.text(empty) == "")
    #expect(Hexadecimal.text("é\n".utf8) == "c3a90a")
    #expect(Hexadecimal.text("é\n".utf8, uppercase: true) == "C3A90A")
  }

  @Test func `lowercase digits are read back as their bytes`() {
    let bytes = [UInt8](UInt8.min...UInt8.max)
    #expect(Hexadecimal.bytes(lowercase: Hexadecimal.text(bytes)) == bytes)
    #expect(Hexadecimal.bytes(lowercase: "") == [])
    #expect(Hexadecimal.bytes(lowercase: "00ff"[...]) == [0, 255])
  }

  @Test(arguments: ["0", "0ff", "0g", "FF", "fF", " 0", "+0", "0x00", "é", "０0", "00\u{0}\u{0}"])
  func `nothing but pairs of lowercase digits is read`(text: String) {
    #expect(Hexadecimal.bytes(lowercase: text) == nil)
  }

  @Test func `a byte is a digit exactly if the standard library reads it as one`() {
    for byte in UInt8.min...UInt8.max {
      let text = String(decoding: [byte], as: UTF8.self)
      let value = UInt8(text, radix: 16)
      #expect(Hexadecimal.value(ofDigit: byte) == value)
      let lowercase = (0x41...0x46).contains(byte) ? nil : value
      #expect(Hexadecimal.value(ofLowercaseDigit: byte) == lowercase)
    }
  }
}

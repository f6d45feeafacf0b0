import TestSupport
import Testing

@testable import ByteStreams

@Suite struct UTF8ValidatorTests {
  @Test(arguments: Seeds.sample(20))
  func `the UTF-8 validator agrees with the standard library`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    // Bytes at the borders of the ranges in the table.
    let borders: [UInt8] = [
      0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC,
      0xED, 0xEE,
      0xEF, 0xF0, 0xF1, 0xF3,
      0xF4, 0xF5, 0xFF,
    ]
    for _ in 0..<300 {
      let bytes = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        borders.randomElement(using: &random) ?? 0
      }
      var validator = UTF8Validator()
      var isValid = true
      for byte in bytes where !validator.take(byte) { isValid = false }
      if validator.isPending { isValid = false }
      #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil), "\(bytes)")
    }
  }
}

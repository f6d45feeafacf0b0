import Foundation
import TestSupport
import Testing

@testable import TrackIngest

@Suite struct DecimalTextTests {
  private func degrees(_ text: String, limit: Int64 = 180) -> DecimalText.Degrees {
    Array(text.utf8).withUnsafeBufferPointer {
      DecimalText.degreesE7($0, limitE7: limit * 10_000_000)
    }
  }

  private func double(_ text: String) -> Double? {
    Array(text.utf8).withUnsafeBufferPointer { DecimalText.double($0) }
  }

  /// Decimal arithmetic with 38 digits, rounded half away from zero.
  private func oracle(_ text: String, limit: Decimal) -> DecimalText.Degrees {
    guard let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) else {
      return .notANumber
    }
    if abs(number) > limit { return .outOfRange }
    var scaled = number * 10_000_000
    var rounded = Decimal()
    NSDecimalRound(&rounded, &scaled, 0, .plain)
    return .value(Int32(truncating: rounded as NSDecimalNumber))
  }

  @Test(arguments: Seeds.sample(30))
  func `degrees equal exact decimal arithmetic`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<150 {
      var text = ["", "-", "+"].randomElement(using: &random) ?? ""
      text += String(Int.random(in: 0...181, using: &random)) + "."
      for _ in 0..<Int.random(in: 1...24, using: &random) {
        // Many fives, nines and zeros, which decide rounding.
        text +=
          ["5", "9", "0", "4", String(Int.random(in: 0...9, using: &random))].randomElement(
            using: &random)
          ?? ""
      }
      #expect(degrees(text) == oracle(text, limit: 180), "\(text)")
    }
  }

  @Test func `halves are rounded away from zero, and exact limits are in range`() {
    #expect(degrees("0.00000005") == .value(1))
    #expect(degrees("-0.00000005") == .value(-1))
    #expect(degrees("0.00000004999999999999999999999") == .value(0))
    #expect(degrees("1.23456785") == .value(12_345_679))
    #expect(degrees("180") == .value(1_800_000_000))
    #expect(degrees("-180.0000000000") == .value(-1_800_000_000))
    #expect(degrees("180.00000000000000000001") == .outOfRange)
    #expect(degrees("90.00000001", limit: 90) == .outOfRange)
    #expect(degrees("89.99999999", limit: 90) == .value(900_000_000))
    #expect(degrees("-0") == .value(0))
  }

  @Test func `exponents shift exactly`() {
    #expect(degrees("4.81e1") == .value(481_000_000))
    #expect(degrees("481000000E-7") == .value(481_000_000))
    #expect(degrees("48100000000000000000000000e-24") == .value(481_000_000))
    #expect(degrees("0.00000000000000000000481e22") == .value(481_000_000))
    #expect(degrees("1e9") == .outOfRange)
    #expect(degrees("1e99999999999999999999") == .outOfRange)
    #expect(degrees("1e-99999999999999999999") == .value(0))
    #expect(degrees("0e99999") == .value(0))
  }

  @Test func `white space around a number is ignored, any other text is not a number`() {
    #expect(degrees(" \t\r\n48.1\n ") == .value(481_000_000))
    #expect(degrees("48.") == .value(480_000_000))
    #expect(degrees(".5") == .value(5_000_000))
    #expect(degrees("48,5") == .commaValue(485_000_000))
    for text in [
      "", " ", "+", "-", ".", "e5", "1e", "1e+", "--1", "+-1", "1.2.3", "1,2,3", "1.2,3", "1,",
      ",5", "0x30",
      "48.1N", "48 06 00",
      "48°", "NaN", "null", "undefined", "1_000", "٤٨", "4 8",
    ] { #expect(degrees(text) == .notANumber, "\(text)") }
    for text in ["inf", "-Infinity", "+INF"] { #expect(degrees(text) == .outOfRange, "\(text)") }
  }

  @Test(arguments: Seeds.sample(20))
  func `numbers are within two units in the last place of the standard library's`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    for _ in 0..<100 {
      let text = "\(Double.random(in: -1e5...1e5, using: &random))"
      let expected = try #require(Double(text))
      let found = try #require(double(text))
      #expect(abs(found - expected) <= 2 * expected.ulp, "\(text)")
    }
  }

  @Test func `very large and small numbers are read`() throws {
    #expect(abs(try #require(double("1e308")) / 1e308 - 1) < 1e-15)
    #expect(
      abs(try #require(double("12345678901234567890123e-30")) / 1.2345678901234567e-8 - 1) < 1e-15)
    #expect(double("1e400") == .infinity)
    #expect(double("1e-400") == 0)
    #expect(double("-inf") == -.infinity)
    #expect(double("nan") == nil)
  }
}

import Foundation
import GeoExport
import Geodesy
import TestSupport
import Testing

@Suite struct TextAppenderTests {
  private func text(_ body: (inout [UInt8]) -> Void) -> String {
    var bytes: [UInt8] = []
    body(&bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: - Numbers

  /// The decimal of units of 1e-7 degree, from its digits.
  private static func decimal(ofUnits units: Int) -> String {
    let digits = String(units.magnitude)
    let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    var fraction = padded.suffix(7)
    while fraction.last == "0" { fraction.removeLast() }
    return (units < 0 ? "-" : "") + padded.dropLast(7) + (fraction.isEmpty ? "" : "." + fraction)
  }

  @Test(arguments: Seeds.sample(20))
  func `Multiples of 1e-7 degree are exact`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let edges = [0, 1, -1, 10_000_000, 1_799_999_999, 1_800_000_000, -1_800_000_000, 900_000_000]
    for units in edges
      + (0..<2_000).map({ _ in Int.random(in: -1_800_000_000...1_800_000_000, using: &random) })
    {
      #expect(text { $0.appendDegrees(Double(units) / 1e7) } == Self.decimal(ofUnits: units))
    }
  }

  @Test(arguments: Seeds.sample(20))
  func `Degrees are rounded to nine digits without zeros at the end`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      let value = Double.random(in: -180...180, using: &random)
      // Foundation rounds the exact value; at a tie, the product may fall on the other side.
      let rest = (abs(value) * 1e9).truncatingRemainder(dividingBy: 1)
      guard abs(rest - 0.5) > 1e-3 else { continue }
      var expected = String(format: "%.9f", value)
      while expected.last == "0" { expected.removeLast() }
      if expected.last == "." { expected.removeLast() }
      #expect(text { $0.appendDegrees(value) } == expected)
    }
  }

  @Test(arguments: Seeds.sample(20))
  func `Numbers read back as they were, and no shorter text does`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var values = [
      0, -0.0, 1, -1, 0.1, 0.01, 0.001, 1e15, 1e16, 1e-5, 123_456.78, .pi, 42_949_672.95,
      .greatestFiniteMagnitude, .leastNonzeroMagnitude, 9_007_199_254_740_992, 5e12,
      99_999_999_999.99,
    ]
    for _ in 0..<1_000 {
      values.append(Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 100)
      values.append(.random(in: -1e4...1e4, using: &random))
      let number = Double(bitPattern: UInt64.random(in: 0...UInt64.max, using: &random))
      if number.isFinite { values.append(number) }
    }
    for value in values {
      let written = text { $0.appendNumber(value) }
      #expect(Double(written)?.bitPattern == value.bitPattern)
      // Swift's description is the shortest text, except for the zero of whole numbers.
      let shortest = value.description
      #expect(written == (shortest.hasSuffix(".0") ? String(shortest.dropLast(2)) : shortest))
    }
  }

  @Test func `Whole numbers have all their digits`() {
    for value in [0, 1, -1, 9, 10, 99, 100, -1_000, Int64.max, Int64.min] {
      #expect(text { $0.appendInteger(value) } == String(value))
    }
  }

  @Test(arguments: Seeds.sample(20))
  func `Times are those of Timestamp`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let time = Int64.random(in: -62_167_219_200_000...253_402_300_799_999, using: &random)
      for milliseconds in [time, time / 1_000 * 1_000] {
        #expect(
          text { $0.appendTime(milliseconds: milliseconds) }
            == Timestamp(millisecondsSince1970: milliseconds).iso8601)
      }
    }
  }

  @Test func `A position has no time if its measure is missing, NaN or out of range`() {
    var line = ExportGeometry()
    for measure in [1.5, .nan, .infinity, 1e30, -1e12, 0.0004] {
      line.append(x: 0, y: 0, measure: measure)
    }
    line.append(x: 0, y: 0)
    #expect((0..<7).map { line.milliseconds(at: $0) } == [1_500, nil, nil, nil, nil, 0, nil])
  }

  // MARK: - Escapes

  /// Random texts of characters that matter.
  static func random(seed: UInt64) -> [String] {
    var random = SplitMix64(seed: seed)
    let scalars: [UInt32] = [
      0, 1, 8, 9, 10, 11, 13, 0x1B, 0x1F, 0x20, 0x22, 0x26, 0x27, 0x2C, 0x3C, 0x3E, 0x41, 0x5C,
      0x5D,
      0x7F, 0x80, 0x9F, 0xA0, 0xE9, 0x7FF, 0x800, 0x2028, 0xFFFD, 0xFFFE, 0xFFFF, 0x1F5FC, 0x10FFFF,
    ]
    return TextSamples.texts
      + (0..<200).map { _ in
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &random) {
          let scalar = scalars[Int.random(in: scalars.indices, using: &random)]
          if let scalar = Unicode.Scalar(scalar) { text.unicodeScalars.append(scalar) }
        }
        return text
      }
  }

  @Test(arguments: Seeds.sample(10))
  func `Strings of JSON read back as they were, and have no control characters`(seed: UInt64) throws
  {
    for value in Self.random(seed: seed) {
      let written = text { $0.appendJSON(value) }
      let read = try #require(try JSONTree(parsing: "[\(written)]")[0].string)
      #expect(Array(read.unicodeScalars) == Array(value.unicodeScalars))
      #expect(!written.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }

  @Test(arguments: Seeds.sample(10))
  func `Text of XML reads back without the characters that XML forbids`(seed: UInt64) throws {
    for value in Self.random(seed: seed) {
      let written = text { $0.appendXML(value) }
      let allowed = value.unicodeScalars.filter {
        switch $0.value {
        case 9, 10, 13, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...: true
        default: false
        }
      }
      let root = try XMLTree(parsing: "<a b=\"\(written)\">\(written)</a>")
      #expect(Array(root.text.unicodeScalars) == Array(allowed))
      #expect(Array((root.attributes["b"] ?? "").unicodeScalars) == Array(allowed))
    }
  }

  @Test(arguments: Seeds.sample(10))
  func `Fields of CSV read back as they were`(seed: UInt64) {
    let values = Self.random(seed: seed)
    let written = text { bytes in
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(0x2C) }
        bytes.appendCSV(value)
      }
      bytes.append(0x0A)
    }
    #expect(SlowCSV.rows(of: written) == [values])
  }
}

import TestSupport
import Testing

@testable import GeoStore

/// The columns of packed chunks.
@Suite struct RiceCodeTests {
  private func written(_ values: [Int64], modulo: Int64? = nil) -> [UInt8] {
    ByteWriter.bytes(atMost: ByteWriter.longestColumnBytes(values.count)) {
      $0.append(column: values, modulo: modulo)
    }
  }

  private func read(_ bytes: [UInt8], _ count: Int, modulo: Int64? = nil) throws -> [Int64] {
    try bytes.withUnsafeBytes { bytes throws(PackedBytesError) in
      var reader = ByteReader(bytes)
      let values = try reader.column(count, modulo: modulo)
      guard reader.isAtEnd else { throw .malformed }
      return values
    }
  }

  @Test(arguments: Seeds.sample(200))
  func `a column is decoded unchanged, and a truncated one is refused`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    // Differences of about `bits` bits, and occasionally one of any size.
    let bits = Int64.random(in: 0...50, using: &random)
    var (value, step) = (Int64.random(in: -1_000...1_000, using: &random), Int64(0))
    let isSteady = Bool.random(using: &random)
    let values = (0..<Int.random(in: 0...200, using: &random)).map { _ in
      let change = Int64.random(in: -(1 << bits)...(1 << bits), using: &random)
      step = isSteady ? step &+ change : change
      if Int.random(in: 0..<30, using: &random) == 0 {
        step = .random(in: .min ... .max, using: &random)
      }
      value &+= step
      return value
    }
    let bytes = written(values)
    #expect(try read(bytes, values.count) == values)
    #expect(throws: PackedBytesError.self) { try read(bytes + [0], values.count) }
    for length in 0..<bytes.count {
      #expect(throws: PackedBytesError.truncated) {
        try read(Array(bytes.prefix(length)), values.count)
      }
    }
  }

  @Test func `extreme numbers are decoded unchanged`() throws {
    for values in [[], [.max], [.min, .max], [.max, .min, 0, .max, .min], [0, 0, 0, 0]] as [[Int64]]
    {
      #expect(try read(written(values), values.count) == values)
    }
    #expect(written([7, 7, 7, 7, 7, 7, 7, 7, 7]).count == 3, "one bit for each repeated value")
  }

  @Test
  func `steady values use second differences, fluctuating ones use first differences`() throws {
    let steady = (0..<200).map { Int64($0 * 4_500 + $0 % 3) }
    let jumpy = (0..<200).map { Int64($0 % 2 * 4_500) }
    for (values, isSecondOrder) in [(steady, true), (jumpy, false)] {
      let bytes = written(values)
      let code = try RiceCode(header: bytes[1])
      #expect(code.isSecondOrder == isSecondOrder)
    }
    #expect(written(steady).count < 200, "less than one byte per value")
  }

  @Test(arguments: Seeds.sample(20))
  func `the chosen parameter is within 5 % of the best`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let width = Int64(1) << Int64.random(in: 0...30, using: &random)
    let differences = (0..<300).map { _ in
      Int64.random(in: -width...width, using: &random) / Int64.random(in: 1...9, using: &random)
    }
    let code = differences.withUnsafeBufferPointer { RiceCode(for: $0) }
    func bits(_ parameter: Int) -> Int {
      differences.reduce(0) { sum, difference in
        let value = UInt64(zigzag: difference)
        let quotient = value >> UInt64(parameter)
        let isEscaped = quotient >= UInt64(RiceCode.escape)
        return sum
          + (isEscaped
            ? RiceCode.escape + 6 + RiceCode.length(of: value) : Int(quotient) + 1 + parameter)
      }
    }
    let best = (0...40).map(bits).min() ?? 0
    if !code.isSecondOrder { #expect(Double(bits(code.parameter)) < 1.05 * Double(best) + 16) }
  }

  @Test func `codes that no writer produces are refused`() {
    let malformed: [[UInt8]] = [
      [0, 128, 0], [0, 63, 0],  // headers
      [0, 0, 0b0000_0010],  // a bit after the last code
      [0, 0, 0xFF, 0xFF, 0x0F, 0],  // an escape for a number that needs none
      [0, 62, 0xFF, 0xFF, 0x07, 0, 0, 0, 0, 0, 0, 0, 0],  // a quotient that does not fit
    ]
    for bytes in malformed {
      #expect(throws: PackedBytesError.malformed, "\(bytes)") { try read(bytes, 2) }
    }
  }
}

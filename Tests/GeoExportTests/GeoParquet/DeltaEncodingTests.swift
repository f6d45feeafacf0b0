import TestSupport
import Testing

@testable import GeoExport

@Suite struct DeltaEncodingTests {
  private func encoded(_ values: [Int64]) -> [UInt8] {
    var bytes: [UInt8] = []
    DeltaEncoding.append(values, to: &bytes)
    return bytes
  }

  @Test func `integers with equal differences take no bits`() {
    #expect(encoded([1, 2, 3, 4, 5]) == [0x80, 1, 4, 5, 2, 2, 0, 0, 0, 0])
  }

  @Test func `other differences are packed less the least one`() {
    // The example of the specification: differences -2, -2, -2, 1, 2, 3, 3, least -2.
    #expect(
      encoded([7, 5, 3, 1, 2, 3, 4, 5]) == [
        0x80, 1, 4, 8, 14, 3, 2, 0, 0, 0, 0b1100_0000, 0b0011_1111, 0, 0, 0, 0, 0, 0,
      ])
  }

  @Test func `no integers and one integer have no block`() {
    #expect(encoded([]) == [0x80, 1, 4, 0, 0])
    #expect(encoded([-3]) == [0x80, 1, 4, 1, 5])
  }

  @Test(arguments: Seeds.sample(100))
  func `integers come back`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let counts = [2, 31, 32, 33, 34, 127, 128, 129, 130, 257, 500]
    let count = counts[Int.random(in: 0..<counts.count, using: &random)]
    let width = Int.random(in: 0...64, using: &random)
    var values: [Int64] = []
    for _ in 0..<count {
      values.append(Int64(truncatingIfNeeded: width == 0 ? 0 : random.next() >> UInt64(64 - width)))
    }
    if seed % 3 == 0 { values[1] = seed % 2 == 0 ? .min : .max }
    let bytes = encoded(values)
    var reader = ParquetBits(bytes)
    #expect(reader.deltas() == values)
    #expect(reader.place == bytes.count)
  }
}

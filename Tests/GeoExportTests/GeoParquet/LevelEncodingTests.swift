import TestSupport
import Testing

@testable import GeoExport

@Suite struct LevelEncodingTests {
  private func encoded(_ values: [UInt32], _ width: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    LevelEncoding.append(values, width: width, to: &bytes)
    return bytes
  }

  @Test func `equal integers are a count and one integer`() {
    #expect(encoded([UInt32](repeating: 1, count: 100), 1) == [200, 1, 1])
    #expect(encoded([UInt32](repeating: 300, count: 8), 9) == [16, 0x2C, 1])
    #expect(encoded([], 1) == [])
    #expect(encoded([0, 0, 0], 0) == [6])
  }

  @Test func `other integers are packed from the lowest bit on`() {
    // The example of the specification: 0 to 7 with three bits.
    #expect(encoded([0, 1, 2, 3, 4, 5, 6, 7], 3) == [3, 0b1000_1000, 0b1100_0110, 0b1111_1010])
    #expect(encoded([1, 0, 1], 1) == [3, 0b101])
  }

  @Test func `a run begins after a whole group`() {
    let values: [UInt32] = [1, 0, 1, 1, 1, 1, 1, 1] + [UInt32](repeating: 1, count: 20)
    #expect(encoded(values, 1) == [3, 0b1111_1101, 40, 1])
  }

  @Test(arguments: Seeds.sample(200))
  func `integers come back`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let width = Int.random(in: 0...20, using: &random)
    var values: [UInt32] = []
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      let value = UInt32.random(in: 0..<(1 << UInt32(width)), using: &random)
      let count = Int.random(in: 1...(Bool.random(using: &random) ? 3 : 30), using: &random)
      values += repeatElement(value, count: count)
    }
    let bytes = encoded(values, width)
    var reader = ParquetBits(bytes)
    let read = reader.levels(values.count, width: width, end: bytes.count)
    #expect(read == values.map(UInt64.init))
  }
}

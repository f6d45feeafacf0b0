import TestSupport
import Testing

@testable import GeoExport

@Suite struct HilbertCurveTests {
  @Test(arguments: 1...6)
  func `The curve visits every cell once, each next to the one before`(bits: Int) {
    let side = 1 << bits
    var cells = [(x: Int, y: Int)?](repeating: nil, count: side * side)
    for x in 0..<side {
      for y in 0..<side {
        let place = Int(HilbertCurve.place(x: UInt32(x), y: UInt32(y), bits: bits))
        guard cells.indices.contains(place) else {
          Issue.record("place \(place) of \(x), \(y)")
          continue
        }
        #expect(cells[place] == nil)
        cells[place] = (x, y)
      }
    }
    let steps = zip(cells, cells.dropFirst()).map { first, second in
      guard let first, let second else { return 0 }
      return abs(first.x - second.x) + abs(first.y - second.y)
    }
    #expect(steps.allSatisfy { $0 == 1 })
  }

  @Test func `A coarser curve gives the first bits of a finer one for an even number of bits`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<1_000 {
      let (x, y) = (UInt32.random(in: 0..<1 << 30, using: &random), UInt32(7))
      let fine = HilbertCurve.place(x: x, y: y, bits: 30)
      let coarse = HilbertCurve.place(x: x >> 10, y: y >> 10, bits: 20)
      #expect(fine >> 20 == coarse)
    }
  }

  @Test(arguments: [0, 1, 2, 3, 1_000, 5_000], [0, 3, 20, 40])
  func `A radix sort equals a stable sort of the upper bits`(count: Int, bit: Int) {
    var random = SplitMix64(seed: UInt64(count + bit))
    var numbers = (0..<count).map { _ in
      UInt64.random(in: 0...UInt64.max, using: &random) >> UInt64.random(in: 0...50, using: &random)
    }
    // Swift's sort is stable in practice, but does not promise it; the place decides here.
    let expected = numbers.enumerated().sorted {
      let (first, second) = ($0.element >> UInt64(bit), $1.element >> UInt64(bit))
      return (first, $0.offset) < (second, $1.offset)
    }
    RadixSort.sort(&numbers, fromBit: bit)
    #expect(numbers == expected.map(\.element))
  }
}

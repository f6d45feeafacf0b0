import TestSupport
import Testing

@testable import GeoStore

@Suite struct NumberTableTests {
  @Test(arguments: Seeds.sample(60))
  func `a number table equals a dictionary`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var table = NumberTable()
    var dictionary: [Int64: Int32] = [:]
    // Keys like those of windows: neighbors, distant numbers, and both extremes.
    let spread: Int64 = [10, 1_000, 1 << 40, .max][Int(seed % 4)]
    func key() -> Int64 {
      Int.random(in: 0..<20, using: &random) == 0
        ? [0, -1, .max, .min + 1][Int.random(in: 0..<4, using: &random)]
        : Int64.random(in: -spread / 2...spread / 2, using: &random)
    }
    #expect(table[1] == nil)
    for step in 0..<3_000 {
      let key = key()
      switch Int.random(in: 0..<100, using: &random) {
      case 0 where step > 1_500:
        table.removeAll()
        dictionary.removeAll()
      case 1..<50:
        let value = Int32.random(in: .min ... .max, using: &random)
        #expect(table.replace(key, with: value) == dictionary.updateValue(value, forKey: key))
      default: #expect(table[key] == dictionary[key])
      }
    }
    for (key, value) in dictionary { #expect(table[key] == value) }
  }
}

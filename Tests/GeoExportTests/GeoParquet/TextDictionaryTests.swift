import TestSupport
import Testing

@testable import GeoExport

@Suite struct TextDictionaryTests {
  @Test func `texts are distinct if their bytes are`() {
    var dictionary = TextDictionary()
    let texts = ["é", "e\u{301}", "", "\u{0}", "é", "", "a", "e\u{301}", "\u{0}"]
    #expect(texts.map { dictionary.index(of: $0) } == [0, 1, 2, 3, 0, 2, 4, 1, 3])
    #expect(dictionary.bytes.prefix(6) == [2, 0, 0, 0, 0xC3, 0xA9])
    #expect(dictionary.range(2).count == 4)
  }

  @Test(arguments: Seeds.sample(20))
  func `indices are those of a plain search`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var dictionary = TextDictionary()
    var known: [[UInt8]: Int] = [:]
    let most = Int.random(in: 1...3_000, using: &random)
    var mistakes = 0
    for _ in 0..<3_000 {
      let text = String(Int.random(in: 0..<most, using: &random), radix: 36)
      let expected = known[Array(text.utf8), default: known.count]
      known[Array(text.utf8)] = expected
      if dictionary.index(of: text) != expected { mistakes += 1 }
    }
    #expect(mistakes == 0)
    #expect(dictionary.count == known.count)
  }

  @Test func `there is room for 8,192 texts`() {
    var dictionary = TextDictionary()
    for number in 0..<TextDictionary.mostTexts {
      #expect(dictionary.index(of: "\(number)") == number)
    }
    #expect(dictionary.index(of: "one more") == nil)
    #expect(dictionary.index(of: "17") == 17, "known texts are still found")
    dictionary.removeAll()
    #expect(dictionary.count == 0 && dictionary.bytes.isEmpty)
    #expect(dictionary.index(of: "17") == 0)
  }

  @Test func `there is room for a MiB of texts`() {
    var dictionary = TextDictionary()
    let half = String(repeating: "x", count: TextDictionary.mostBytes / 2 - 4)
    #expect(dictionary.index(of: half) == 0)
    #expect(dictionary.index(of: half + "y") == nil)
    #expect(dictionary.index(of: half.dropLast().description) == 1)
  }
}

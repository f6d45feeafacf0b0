import TestSupport
import Testing

@testable import Geocode

@Suite struct BestPlaceTests {
  @Test(arguments: Seeds.sample(8))
  func `the best place is the one that comparing score by score finds`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      var best = BestPlace(limit: 1000)
      var expected: (score: Double, place: Int)?
      for _ in 0..<Int.random(in: 0..<12, using: &random) {
        // Whole numbers, so that scores differ by more than the rounding or not at all.
        let score = Double(Int.random(in: 0...1100, using: &random))
        let place = Int.random(in: 0..<0xFF_FFFF, using: &random)
        let isExcluded = Bool.random(using: &random)
        best.offer(place, score, unless: isExcluded)
        if isExcluded || score > 1000 { continue }
        if let found = expected, found <= (score, place) { continue }
        expected = (score, place)
      }
      #expect(best.place == expected?.place ?? -1)
      #expect(best.score == expected?.score ?? .infinity)
      #expect(best.ranked >= min(best.score, 1000))
    }
  }

  @Test(arguments: Seeds.sample(8))
  func `a score of any size is kept to 4e-9 of its value`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<1000 {
      let score = Double.random(in: 0...2.5e9, using: &random)
      var best = BestPlace(limit: 2.5e9)
      best.offer(7, score)
      #expect(best.place == 7)
      #expect(best.score <= score && best.score >= score * (1 - 4e-9) && best.ranked >= best.score)
    }
  }

  @Test func `infinite scores and ones that are not a number are ignored`() {
    var best = BestPlace(limit: 1)
    for score in [Double.infinity, .nan, -.nan, 0 / .zero] { best.offer(0, score) }
    #expect(best.place == -1 && best.score == .infinity)
    best.offer(0xFF_FFFE, 1)
    #expect(best.place == 0xFF_FFFE && best.score == 1)
    best.offer(3, 0)
    #expect(best.place == 3 && best.score == 0)
  }
}

import TestSupport
import Testing

@testable import RoquaBench

@Suite struct SampleTests {
  @Test func `quantiles are measured times, by nearest rank`() {
    let sample = Sample((1...100).map(Double.init).shuffled())
    #expect(sample.median == 50)
    #expect(sample.p95 == 95)
    #expect(sample.p99 == 99)
    #expect(sample.mean == 50.5)
    #expect(sample.quantile(0) == 1)
    #expect(sample.quantile(1) == 100)
    #expect(Sample([3]).p99 == 3)
    #expect(Sample([2, 1]).median == 1)
    #expect(Sample([]).median.isNaN)
  }

  /// The definition: the smallest time for which at least that share of all times is not greater.
  @Test(arguments: [1, 2, 3, 10, 99, 101])
  func `a quantile is the smallest time that at least that share does not exceed`(count: Int) {
    var random = SplitMix64(seed: UInt64(count))
    let seconds = (0..<count).map { _ in Double.random(in: 0...1, using: &random) }
    let sample = Sample(seconds)
    for share in [0.01, 0.25, 0.5, 0.95, 0.99, 1] {
      let expected = seconds.sorted().first { time in
        Double(seconds.count { $0 <= time }) >= share * Double(count)
      }
      #expect(sample.quantile(share) == expected)
    }
  }
}

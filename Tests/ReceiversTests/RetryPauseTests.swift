import TestSupport
import Testing

@testable import Receivers

@Suite struct RetryPauseTests {
  @Test(arguments: Seeds.sample(20))
  func `pauses double from half a second to half a minute, with up to a half taken off`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    var pause = RetryPause()
    for expected in [0.5, 1, 2, 4, 8, 16, 30, 30, 30] {
      let seconds = pause.seconds(using: &random)
      #expect(seconds >= expected / 2 && seconds <= expected)
    }
    pause.reset()
    #expect(pause.seconds(using: &random) <= 0.5)
  }

  @Test func `two clients do not call at the same times`() {
    var (first, second) = (SplitMix64(seed: 1), SplitMix64(seed: 2))
    var (one, other) = (RetryPause(), RetryPause())
    for _ in 0..<5 {
      #expect(one.seconds(using: &first) != other.seconds(using: &second))
    }
  }
}

import TestSupport
import Testing

@testable import Achievements

@Suite struct ProgressWatchTests {
  private static let counted = Achievement(
    id: "counted", category: "c", icon: "x", metric: AchievementMetric(.cities), tiers: [3, 10])
  private static let measured = Achievement(
    id: "measured", category: "c", icon: "x", metric: AchievementMetric(.distance),
    tiers: [1, 50, 400])

  @Test(arguments: Seeds.sample(20))
  func `a step is a whole unit, or a whole percent of the next tier`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for achievement in [Self.counted, Self.measured] {
      var watch = ProgressWatch()
      var value = Double.random(in: 0..<2, using: &random).rounded(.down)
      var open = achievement.tiers.drop { $0 <= value }
      watch.watch(achievement, tiers: open, value: value)
      let isCounted = achievement.id == "counted"
      func steps(_ value: Double, _ tier: Double) -> Int {
        (1...1_000).count { Double($0) * (isCounted ? 1 : tier / 100) <= value + 1e-12 }
      }
      for _ in 0..<200 {
        guard let next = open.first else { break }
        let before = value
        value +=
          isCounted
          ? Double.random(in: 0..<2, using: &random).rounded(.down)
          : Double.random(in: 0..<0.02, using: &random) * next
        let isReached = value >= next
        if isReached {
          watch.note(
            AchievementUnlock(achievementID: achievement.id, tier: next, time: nil),
            of: achievement.metric.kind)
          open = open.drop { $0 <= value }
        }
        watch.note(MetricSet(achievement.metric.kind))
        let progress = watch.take { _ in value }
        if !isReached, steps(value, next) > steps(before, next) {
          #expect(
            progress == [
              AchievementProgress(achievementID: achievement.id, value: value, nextTier: next)
            ])
        } else {
          #expect(progress.isEmpty)
        }
      }
    }
  }

  @Test func `nothing is reported of metrics that did not change, or of reached achievements`() {
    var watch = ProgressWatch()
    watch.watch(Self.counted, tiers: Self.counted.tiers[...], value: nil)
    #expect(watch.take { _ in 2 }.isEmpty)
    watch.note([.places, .distances])
    #expect(watch.take { _ in 2 }.map(\.share) == [2.0 / 3])
    watch.note(.places)
    #expect(watch.take { _ in 1 }.isEmpty, "a value that became lower is no progress")
    watch.note(AchievementUnlock(achievementID: "counted", tier: 10, time: nil), of: .cities)
    watch.note(.places)
    #expect(watch.take { _ in 99 }.isEmpty)
  }
}

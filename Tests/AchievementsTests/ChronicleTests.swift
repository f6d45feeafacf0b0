import Geodesy
import TestSupport
import Testing

@testable import Achievements

@Suite struct ChronicleTests {
  static let rules = Chronicle.Rules(longestGapMilliseconds: 30 * 60_000)

  /// All metrics that come from fixes, with some arguments.
  static let metrics: [AchievementMetric] =
    AchievementMetric.Kind.allCases.filter {
      AchievementMetric($0).origin == .fixes && $0 != .daysOn
    }
    .map { AchievementMetric($0) } + [
      AchievementMetric(.countries, argument: "EU"), AchievementMetric(.countries, argument: "AF"),
      AchievementMetric(.regions, argument: "TR"), AchievementMetric(.daysOn, argument: "12-31"),
      AchievementMetric(.daysOn, argument: "02-29"),
    ]

  @Test(arguments: Seeds.sample(25))
  func `each metric is that of its definition after every fix`(seed: UInt64) {
    var chronicle = Chronicle(rules: Self.rules)
    var slow = SlowChronicle(gap: Self.rules.longestGapMilliseconds)
    let journey = RandomJourney(seed: seed, count: 120)
    slow.stays = journey.stays
    for (index, fix) in journey.fixes.enumerated() {
      chronicle.take(journey.stays, after: index)
      _ = chronicle.take(fix)
      slow.fixes.append(fix)
      guard index % 10 == 9 || index < 10 else { continue }
      for metric in Self.metrics {
        let (fast, expected) = (chronicle.value(of: metric), slow.value(of: metric))
        #expect(
          abs((fast ?? -1) - (expected ?? -1)) < 1e-6 * max(1, abs(expected ?? 1)),
          "\(metric) is \(fast ?? .nan) instead of \(expected ?? .nan) after fix \(index)")
      }
    }
  }

  @Test(arguments: Seeds.sample(40))
  func `a state that was written and read continues as if it had taken every fix`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let journey = RandomJourney(seed: seed, count: 400)
    var whole = Chronicle(rules: Self.rules)
    var resumed = whole
    for (index, fix) in journey.fixes.enumerated() {
      whole.take(journey.stays, after: index)
      resumed.take(journey.stays, after: index)
      _ = whole.take(fix)
      _ = resumed.take(fix)
      if Int.random(in: 0..<20, using: &random) == 0 {
        resumed = try #require(Chronicle(encoded: resumed.encoded))
      }
    }
    #expect(whole.encoded == resumed.encoded)
    for metric in Self.metrics { #expect(whole.value(of: metric) == resumed.value(of: metric)) }
  }

  @Test func `an empty state can be written and read`() throws {
    let empty = Chronicle(rules: Self.rules)
    #expect(try #require(Chronicle(encoded: empty.encoded)).encoded == empty.encoded)
  }

  @Test func `a state that is cut or changed at any byte is not read`() {
    var chronicle = Chronicle(rules: Self.rules)
    for fix in RandomJourney(seed: 7, count: 60).fixes { _ = chronicle.take(fix) }
    let bytes = chronicle.encoded
    for end in bytes.indices { #expect(Chronicle(encoded: Array(bytes[..<end])) == nil) }
    for index in bytes.indices {
      var wrong = bytes
      wrong[index] ^= 1
      #expect(Chronicle(encoded: wrong) == nil)
    }
  }

  @Test(arguments: Seeds.sample(40))
  func `a tier is reached with the first fix whose metric reaches it`(seed: UInt64) {
    var achievements: [Achievement] = []
    for (index, metric) in Self.metrics.enumerated() {
      achievements.append(
        Achievement(
          id: "a\(index)", category: "c", icon: "x", metric: metric,
          tiers: [0.5, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89]))
    }
    var chronicle = Chronicle(rules: Self.rules)
    var watch = UnlockWatch(achievements, after: chronicle)
    var found: Set<AchievementUnlock> = []
    var expected: [String: AchievementUnlock] = [:]
    var given = 0
    for fix in RandomJourney(seed: seed, count: 300).fixes {
      let changed = chronicle.take(fix)
      let unlocks = watch.unlocks(of: chronicle, changed: changed)
      given += unlocks.count
      found.formUnion(unlocks)
      for achievement in achievements {
        for tier in achievement.tiers
        where chronicle.value(of: achievement.metric) ?? -.infinity >= tier {
          let key = "\(achievement.id) \(tier)"
          guard expected[key] == nil else { continue }
          expected[key] = AchievementUnlock(
            achievementID: achievement.id, tier: tier,
            time: Timestamp(millisecondsSince1970: fix.time))
        }
      }
    }
    #expect(found == Set(expected.values))
    #expect(given == found.count, "each is given once")
    #expect(found.count > 20, "the journey is too short to test anything")
  }
}

extension Chronicle {
  /// Takes the stays that end after a number of fixes, before the next one.
  fileprivate mutating func take(_ stays: [RandomJourney.Stay], after count: Int) {
    for stay in stays where stay.after == count {
      takeStay(until: stay.time, ofSource: stay.source, order: stay.order)
    }
  }
}

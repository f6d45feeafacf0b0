import Geodesy

/// Finds the fixes with which metrics first reach the tiers of a catalog.
package struct UnlockWatch: Sendable {
  /// The tiers of an achievement that are not reached.
  private struct Pending: Sendable {
    let id: Achievement.ID
    let metric: AchievementMetric
    var tiers: ArraySlice<Double>
  }

  /// The achievements with pending tiers, by the number of the kind of their metric.
  private var pending: [[Pending]]

  /// Watches the tiers that a chronicle has not reached.
  package init(_ achievements: some Sequence<Achievement>, after chronicle: Chronicle) {
    pending = Array(repeating: [], count: AchievementMetric.Kind.count)
    for achievement in achievements where achievement.metric.origin == .fixes {
      let value = chronicle.value(of: achievement.metric) ?? -.infinity
      let tiers = achievement.tiers.drop { $0 <= value }
      guard !tiers.isEmpty else { continue }
      pending[achievement.metric.kind.number].append(
        Pending(id: achievement.id, metric: achievement.metric, tiers: tiers))
    }
  }

  /// Returns the tiers that the last fix reached.
  ///
  /// - Parameter changed: what ``Chronicle/take(_:)`` returned.
  package mutating func unlocks(
    of chronicle: Chronicle, changed: MetricSet
  ) -> [AchievementUnlock] {
    var unlocks: [AchievementUnlock] = []
    var rest = changed.rawValue
    while rest != 0 {
      let number = rest.trailingZeroBitCount
      rest &= rest - 1
      var isFinished = false
      for index in pending[number].indices {
        guard let next = pending[number][index].tiers.first,
          let value = chronicle.value(of: pending[number][index].metric), value >= next
        else { continue }
        let time = chronicle.lastTime.map(Timestamp.init(millisecondsSince1970:))
        while let tier = pending[number][index].tiers.first, tier <= value {
          unlocks.append(
            AchievementUnlock(achievementID: pending[number][index].id, tier: tier, time: time))
          pending[number][index].tiers.removeFirst()
        }
        if pending[number][index].tiers.isEmpty { isFinished = true }
      }
      if isFinished { pending[number].removeAll { $0.tiers.isEmpty } }
    }
    return unlocks
  }
}

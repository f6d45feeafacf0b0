/// Finds the steps of achievements toward their next tiers: whole units of metrics that count
/// something, and whole percents of the next tier of all others.
package struct ProgressWatch: Sendable {
  private struct Entry: Sendable {
    let achievement: Achievement
    /// The tiers that were never reached.
    var tiers: ArraySlice<Double>
    /// The last step; nil right after a tier was reached: the way to the next one begins silently.
    var step: Int?
  }

  /// The achievements with tiers that were never reached, by the number of the kind of their
  /// metric.
  private var entries: [[Entry]] = Array(repeating: [], count: AchievementMetric.Kind.count)
  private var changed: MetricSet = []

  /// Creates a watch of nothing.
  package init() {}

  /// Watches an achievement from its present value on.
  ///
  /// - Parameter tiers: those that were never reached, in ascending order.
  package mutating func watch(
    _ achievement: Achievement, tiers: ArraySlice<Double>, value: Double?
  ) {
    guard let next = tiers.first else { return }
    entries[achievement.metric.kind.number].append(
      Entry(
        achievement: achievement, tiers: tiers,
        step: Self.step(achievement.metric, value ?? 0, next)))
  }

  /// Notes that metrics may have changed.
  package mutating func note(_ kinds: MetricSet) { changed.formUnion(kinds) }

  /// Notes that a tier was reached.
  package mutating func note(_ unlock: AchievementUnlock, of kind: AchievementMetric.Kind) {
    for index in entries[kind.number].indices
    where entries[kind.number][index].achievement.id == unlock.achievementID {
      let open = entries[kind.number][index].tiers.drop { $0 <= unlock.tier }
      if open.count == entries[kind.number][index].tiers.count { continue }
      entries[kind.number][index].tiers = open
      entries[kind.number][index].step = nil
    }
    entries[kind.number].removeAll { $0.tiers.isEmpty }
  }

  /// Returns the steps since the last call: at most one for each achievement, with its value now.
  ///
  /// - Parameter value: the value of a metric.
  /// - Complexity: O(achievements whose metrics may have changed).
  package mutating func take(_ value: (AchievementMetric) -> Double?) -> [AchievementProgress] {
    var progress: [AchievementProgress] = []
    var rest = changed.rawValue
    changed = []
    while rest != 0 {
      let number = rest.trailingZeroBitCount
      rest &= rest - 1
      for index in entries[number].indices {
        let entry = entries[number][index]
        // A tier that is reached without a time is given by an evaluation.
        guard let next = entry.tiers.first, let now = value(entry.achievement.metric), now < next
        else { continue }
        let step = Self.step(entry.achievement.metric, now, next)
        if step <= entry.step ?? .max {
          if entry.step == nil { entries[number][index].step = step }
          continue
        }
        entries[number][index].step = step
        progress.append(
          AchievementProgress(achievementID: entry.achievement.id, value: now, nextTier: next))
      }
    }
    return progress
  }

  /// The number of a step: values of one step are shown as one.
  private static func step(_ metric: AchievementMetric, _ value: Double, _ tier: Double) -> Int {
    switch metric.unit {
    case .count, .days: Int(min(max(0, value), tier))
    default: Int(100 * min(max(0, value / tier), 1))
    }
  }
}

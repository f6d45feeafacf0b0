import Achievements
import Geodesy

/// The achievements of a store: what was reached, and how far the rest is.
///
/// ```swift
/// let report = try await explorer.achievements()
/// for item in report.nearest(3) {
///   print(report.catalog.title(of: item.achievement.id, in: "en"), item.share)
/// }
/// ```
public struct AchievementReport: Sendable {
  /// An achievement with its progress.
  public struct Item: Sendable, Identifiable {
    /// The achievement.
    public let achievement: Achievement
    /// The value of its metric by what the store contains now; nil if there is none yet.
    public let value: Double?
    /// The value before the last change of the store's contents; nil if there was none, or it is
    /// unknown.
    package let valueBefore: Double?
    /// Whether the value before is known. It is not after data was forgotten, because it could
    /// reveal that data, and not if the explored area is measured for the first time.
    package let isValueBeforeKnown: Bool
    /// The tiers that were ever reached, in ascending order.
    public let unlocks: [AchievementUnlock]
    /// Those of them that were given since the last change of the store's contents.
    package let newUnlocks: [AchievementUnlock]

    /// The id of the achievement.
    public var id: Achievement.ID { achievement.id }

    /// The lowest tier that was never reached; nil if all were.
    public var nextTier: Double? {
      achievement.tiers.first { tier in !unlocks.contains { $0.tier == tier } }
    }

    /// The value ÷ the next tier, 0...1; 1 if there is none.
    public var share: Double {
      guard let nextTier else { return 1 }
      return min(1, max(0, (value ?? 0) / nextTier))
    }

    /// Whether the value or a tier is known to have changed with the last change of the store's
    /// contents. Values that differ by less than a billionth are sums in another order.
    package var isChanged: Bool {
      if !newUnlocks.isEmpty { return true }
      guard isValueBeforeKnown else { return false }
      let (now, before) = (max(0, value ?? 0), max(0, valueBefore ?? 0))
      return abs(now - before) > 1e-9 * max(now, before)
    }
  }

  /// The catalog.
  public let catalog: AchievementCatalog
  /// The achievements, in the order of the catalog.
  public let items: [Item]
  /// The tiers that this evaluation gave: no other evaluation has given or will give them.
  public let newlyUnlocked: [AchievementUnlock]

  /// The number of tiers that were reached, and of all tiers.
  package var unlockedTiers: Int { items.reduce(0) { $0 + $1.unlocks.count } }
  /// See ``unlockedTiers``.
  package var allTiers: Int { items.reduce(0) { $0 + $1.achievement.tiers.count } }

  /// The achievements that are nearest to their next tier, the nearest first; those without any
  /// progress are left out.
  public func nearest(_ count: Int) -> [Item] {
    let open = items.filter { $0.nextTier != nil && $0.share > 0 }
    return Array(
      open.enumerated().sorted { ($1.element.share, $0.offset) < ($0.element.share, $1.offset) }
        .prefix(max(0, count)).map(\.element))
  }

  /// The achievements whose value or tier is known to have changed with the last change of the
  /// store's contents, such as the last import: those with new tiers first.
  package var changed: [Item] {
    items.filter { !$0.newUnlocks.isEmpty } + items.filter { $0.isChanged && $0.newUnlocks.isEmpty }
  }
}

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
    /// The value before the last change of the store's contents; nil if unknown.
    package let valueBefore: Double?
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

    /// Whether the value or a tier changed with the last change of the store's contents.
    package var isChanged: Bool {
      !newUnlocks.isEmpty || (value ?? 0) > 0 && value != valueBefore
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

  /// The achievements whose value or tier changed with the last change of the store's contents,
  /// such as the last import: those with new tiers first.
  package var changed: [Item] {
    items.filter { !$0.newUnlocks.isEmpty } + items.filter { $0.isChanged && $0.newUnlocks.isEmpty }
  }
}

import Geodesy

/// A tier of an achievement that was reached.
///
/// ```swift
/// let report = try await explorer.achievements()
/// for unlock in report.newlyUnlocked {
///   let title = report.catalog.title(of: unlock.achievementID, in: "en")
///   print(title, unlock.tier, unlock.time?.iso8601 ?? "at an unknown time")
/// }
/// ```
public struct AchievementUnlock: Hashable, Sendable {
  /// The achievement.
  public let achievementID: Achievement.ID
  /// The value that earns the tier.
  public let tier: Double
  /// The time of the fix that earned it; nil if only data without a time reaches the tier.
  public let time: Timestamp?

  /// Creates an unlock.
  public init(achievementID: Achievement.ID, tier: Double, time: Timestamp?) {
    (self.achievementID, self.tier, self.time) = (achievementID, tier, time)
  }
}

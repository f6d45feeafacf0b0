import Geodesy

/// A tier of an achievement that was reached.
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

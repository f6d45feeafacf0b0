/// A step of an achievement toward its next tier.
///
/// ```swift
/// for await case .achievementProgressed(let progress) in explorer.events {
///   print(progress.achievementID, progress.value, "of", progress.nextTier)
/// }
/// ```
public struct AchievementProgress: Hashable, Sendable {
  /// The achievement.
  public let achievementID: Achievement.ID
  /// The value of its metric, in the metric's unit.
  public let value: Double
  /// The lowest tier that was never reached.
  public let nextTier: Double

  /// Creates a step.
  public init(achievementID: Achievement.ID, value: Double, nextTier: Double) {
    (self.achievementID, self.value, self.nextTier) = (achievementID, value, nextTier)
  }

  /// The value ÷ the next tier, 0...1.
  public var share: Double { min(1, max(0, value / nextTier)) }
}

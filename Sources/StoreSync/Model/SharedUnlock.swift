/// A tier of an achievement.
package struct AchievementKey: Hashable, Comparable, Sendable {
  /// The achievement's id.
  package var id: String
  /// The value that earns the tier.
  package var tier: Double

  /// Creates a key.
  package init(id: String, tier: Double) { (self.id, self.tier) = (id, tier) }

  /// The order by the bytes of the id, then the tier.
  package static func < (left: Self, right: Self) -> Bool {
    left.id.utf8.elementsEqual(right.id.utf8)
      ? left.tier < right.tier : left.id.utf8.lexicographicallyPrecedes(right.id.utf8)
  }
}

/// When a tier of an achievement was reached.
package struct SharedUnlock: Joinable {
  /// The time of the fix that earned it, in milliseconds since 1970; nil if data without a time
  /// reached the tier.
  package var unlockedMilliseconds: Int64?
  /// When it was given, in milliseconds since 1970.
  package var givenMilliseconds: Int64

  /// Creates an unlock.
  package init(unlockedMilliseconds: Int64?, givenMilliseconds: Int64) {
    (self.unlockedMilliseconds, self.givenMilliseconds) = (unlockedMilliseconds, givenMilliseconds)
  }

  /// Takes the earlier of both times. No time is later than any.
  package mutating func join(_ other: Self) {
    if let time = other.unlockedMilliseconds {
      unlockedMilliseconds = min(unlockedMilliseconds ?? time, time)
    }
    givenMilliseconds = min(givenMilliseconds, other.givenMilliseconds)
  }
}

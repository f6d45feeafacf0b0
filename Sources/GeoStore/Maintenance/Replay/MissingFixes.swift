import Geodesy

/// Where a replay lacks fixes, and how far it reads ahead.
struct MissingFixes {
  /// Centers around which more fixes must be read.
  private(set) var centers: [Coordinate] = []
  /// The places in the order of import of the fixes because of which they must be read.
  private(set) var orders: [Int64] = []
  /// How many of the fixes that follow these in their sources are read around: along a track one
  /// region may change the next, and so on.
  private(set) var followingCount = 64
  /// The place in the order of import of the fix that is processed.
  var current = Int64.min

  /// Maximum of ``followingCount``.
  private static let longestReadAhead = 1_024

  var isEmpty: Bool { centers.isEmpty }

  /// Notes that fixes around a center are missing for the fix that is processed.
  mutating func add(around center: Coordinate) {
    centers.append(center)
    orders.append(current)
  }

  /// Forgets what was missing, since it was read, and reads farther ahead the next time.
  mutating func removeAll() {
    if !isEmpty { followingCount = min(2 * followingCount, Self.longestReadAhead) }
    (centers, orders) = ([], [])
  }
}

import Geodesy

/// An area of whole blocks, some 1.1 by 1.1 km each.
struct FixArea {
  /// The blocks of all areas.
  static let grid = BlockGrid(doublings: 2)

  private var blocks = NumberTable()
  /// Numbers of the blocks that were added since ``takeAdded()``.
  private var added: [Int64] = []

  /// Adds every block that a circle touches.
  ///
  /// - Complexity: O(blocks), of which a circle of some hundred meters touches one to four.
  mutating func insert(circleAround center: Coordinate, radiusMeters: Double) {
    Self.grid.forEachKey(touching: BoundingBox(around: center, radiusMeters: radiusMeters)) {
      if blocks.replace($0, with: 0) == nil { added.append($0) }
    }
  }

  /// The blocks that were added since the last time.
  mutating func takeAdded() -> [Int64] {
    defer { added = [] }
    return added
  }

  /// Whether a position lies in the area.
  func contains(_ position: Coordinate) -> Bool { blocks[Self.grid.key(of: position)] != nil }

  /// Whether all of a circle lies in the area.
  func contains(circleAround center: Coordinate, radiusMeters: Double) -> Bool {
    var isInside = true
    Self.grid.forEachKey(touching: BoundingBox(around: center, radiusMeters: radiusMeters)) {
      if blocks[$0] == nil { isInside = false }
    }
    return isInside
  }
}

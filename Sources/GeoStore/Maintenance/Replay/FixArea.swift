import Geodesy

/// An area made of whole blocks.
struct FixArea {
  /// The grid of the blocks.
  let grid: BlockGrid
  private var blocks = NumberTable()
  /// Numbers of the blocks that were added since ``takeAdded()``.
  private var added: [Int64] = []

  /// Creates an empty area. Its blocks are about 1.1 km wide, or about as wide as the circles to be
  /// added.
  init(reachMeters: Double) {
    let doublings = (reachMeters / BlockGrid.sideMeters).exponent + 1
    grid = BlockGrid(doublings: min(BlockGrid.maximumDoublings, max(2, Int(doublings))))
  }

  /// Adds every block that a circle touches.
  ///
  /// - Complexity: O(blocks). A circle of a few hundred meters touches one to four.
  mutating func insert(circleAround center: Coordinate, radiusMeters: Double) {
    grid.forEachKey(touching: BoundingBox(around: center, radiusMeters: radiusMeters)) {
      if blocks.replace($0, with: 0) == nil { added.append($0) }
    }
  }

  /// Returns the blocks that were added since the last call.
  mutating func takeAdded() -> [Int64] {
    defer { added = [] }
    return added
  }

  /// Returns whether a position lies in the area.
  func contains(_ position: Coordinate) -> Bool { blocks[grid.key(of: position)] != nil }

  /// Returns whether a whole circle lies in the area.
  func contains(circleAround center: Coordinate, radiusMeters: Double) -> Bool {
    var isInside = true
    grid.forEachKey(touching: BoundingBox(around: center, radiusMeters: radiusMeters)) {
      if blocks[$0] == nil { isInside = false }
    }
    return isInside
  }
}

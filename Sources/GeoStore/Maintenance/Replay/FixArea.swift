import Geodesy

/// An area of whole blocks.
struct FixArea {
  /// The blocks.
  let grid: BlockGrid
  private var blocks = NumberTable()
  /// Numbers of the blocks that were added since ``takeAdded()``.
  private var added: [Int64] = []

  /// An empty area, of blocks that are some 1.1 km wide, or about as wide as what is added at a
  /// time.
  init(reachMeters: Double) {
    let doublings = (reachMeters / BlockGrid.sideMeters).exponent + 1
    grid = BlockGrid(doublings: min(BlockGrid.maximumDoublings, max(2, Int(doublings))))
  }

  /// Adds every block that a circle touches.
  ///
  /// - Complexity: O(blocks), of which a circle of some hundred meters touches one to four.
  mutating func insert(circleAround center: Coordinate, radiusMeters: Double) {
    grid.forEachKey(touching: BoundingBox(around: center, radiusMeters: radiusMeters)) {
      if blocks.replace($0, with: 0) == nil { added.append($0) }
    }
  }

  /// The blocks that were added since the last time.
  mutating func takeAdded() -> [Int64] {
    defer { added = [] }
    return added
  }

  /// Whether a position lies in the area.
  func contains(_ position: Coordinate) -> Bool { blocks[grid.key(of: position)] != nil }

  /// Whether all of a circle lies in the area.
  func contains(circleAround center: Coordinate, radiusMeters: Double) -> Bool {
    var isInside = true
    grid.forEachKey(touching: BoundingBox(around: center, radiusMeters: radiusMeters)) {
      if blocks[$0] == nil { isInside = false }
    }
    return isInside
  }
}

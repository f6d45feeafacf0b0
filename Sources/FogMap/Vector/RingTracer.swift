/// A corner of a ring: an edge between columns and one between rows, counted from the north-west.
struct RingCorner: Hashable {
  var x: Int
  var y: Int
}

/// The outline of an edge-connected part of a mask: its outer ring, clockwise as seen with row 0
/// above, and its holes, counterclockwise. Each ring has its corners once, none of them twice.
struct MaskPolygon: Hashable {
  var outer: [RingCorner] = []
  var holes: [[RingCorner]] = []
}

/// Traces the outlines of a mask.
///
/// Cells that touch at a corner only are not connected. So an outline follows its own cell at such
/// a corner, and where it comes to the same corner twice it is divided there into an outer ring and
/// a hole that touch: polygons are valid as OGC Simple Features defines it.
struct RingTracer {
  private let mask: CellMask
  private var labels: RunLabels
  /// The western edges of runs that no ring has passed yet.
  private var starts: [UInt64]
  /// The polygons by their label, in the order of their first cell.
  private var places: [Int: Int] = [:]
  private var polygons: [MaskPolygon] = []

  /// The outlines of all parts of a mask.
  ///
  /// - Complexity: O(words of the mask + length of the outlines), expected.
  static func polygons(of mask: CellMask) -> [MaskPolygon] {
    var tracer = RingTracer(mask)
    for row in 0..<mask.height {
      for word in 0..<mask.rowWords {
        while case let rest = tracer.starts[row * mask.rowWords + word], rest != 0 {
          tracer.trace(column: word << 6 + rest.trailingZeroBitCount, row: row)
        }
      }
    }
    return tracer.polygons
  }

  private init(_ mask: CellMask) {
    self.mask = mask
    labels = RunLabels(mask)
    starts = []
    starts.reserveCapacity(mask.words.count)
    for row in 0..<mask.height {
      for word in 0..<mask.rowWords { starts.append(mask.runStarts(row: row, word: word)) }
    }
  }

  private enum Direction { case north, east, south, west }

  /// Follows the outline along the western edge of a cell, with the cell on the right. Every ring
  /// passes such an edge.
  private mutating func trace(column: Int, row: Int) {
    let label = labels.label(column: column, row: row)
    var corners: [RingCorner] = []
    // Where in `corners` a corner is that may come again.
    var touched: [RingCorner: Int] = [:]
    let start = RingCorner(x: column, y: row + 1)
    var (at, direction) = (start, Direction.north)
    repeat {
      switch direction {
      case .north:
        at.y -= 1
        starts[at.y * mask.rowWords + at.x >> 6] &= ~(1 << UInt64(at.x & 63))
      case .east: at.x += 1
      case .south: at.y += 1
      case .west: at.x -= 1
      }
      let (left, right) = ahead(of: at, direction)
      if right, !left { continue }
      let turned = right ? Self.left(of: direction) : Self.right(of: direction)
      if left, !right, let place = touched[at], place < corners.count, corners[place] == at {
        add(Array(corners[place...]), label)
        corners.removeSubrange((place + 1)...)
      } else {
        if left, !right { touched[at] = corners.count }
        corners.append(at)
      }
      direction = turned
    } while at != start || direction != .north
    add(corners, label)
  }

  private mutating func add(_ ring: [RingCorner], _ label: Int) {
    let place = places[label] ?? polygons.count
    if place == polygons.count {
      places[label] = place
      polygons.append(MaskPolygon())
    }
    if Self.isClockwise(ring) {
      polygons[place].outer = ring
    } else {
      polygons[place].holes.append(ring)
    }
  }

  /// Whether the cells ahead of a corner, to the left and to the right, are set.
  @inline(__always)
  private func ahead(of at: RingCorner, _ direction: Direction) -> (left: Bool, right: Bool) {
    switch direction {
    case .north: (mask[at.x - 1, at.y - 1], mask[at.x, at.y - 1])
    case .east: (mask[at.x, at.y - 1], mask[at.x, at.y])
    case .south: (mask[at.x, at.y], mask[at.x - 1, at.y])
    case .west: (mask[at.x - 1, at.y], mask[at.x - 1, at.y - 1])
    }
  }

  private static func right(of direction: Direction) -> Direction {
    switch direction {
    case .north: .east
    case .east: .south
    case .south: .west
    case .west: .north
    }
  }

  private static func left(of direction: Direction) -> Direction {
    right(of: right(of: right(of: direction)))
  }

  private static func isClockwise(_ ring: [RingCorner]) -> Bool {
    var doubled = 0
    for (place, corner) in ring.enumerated() {
      let next = ring[place + 1 == ring.count ? 0 : place + 1]
      doubled += corner.x * next.y - next.x * corner.y
    }
    return doubled > 0
  }
}

import Geodesy

/// A point of the Web Mercator map of the world in whole units: 2^32 across and 2^32 down, x
/// eastwards from 180° W, y southwards from 85.0511° N. A unit is at most 9.4 mm on the ground.
struct MercatorPoint: Hashable, Sendable {
  /// The width and height of the map.
  static let unitsAround: Int64 = 1 << 32

  let x: Int64
  let y: Int64

  /// The point of a coordinate; nil beyond the map.
  ///
  /// x is exact; y is computed in Doubles, so a coordinate within a unit of an edge may be on
  /// either side of it.
  init?(_ coordinate: Coordinate) {
    let north = inverseHyperbolicSine(tangent(coordinate.latitudeRadians)) / .pi
    let row = (0.5 - north / 2) * Double(Self.unitsAround)
    guard row >= 0, row < Double(Self.unitsAround) else { return nil }
    let units = UInt64(Int64(coordinate.longitudeE7) + Coordinate.unitsPerTurn / 2)
    // At most 3.6e9 × 2^32 = 1.55e19, less than 2^64.
    let column = units * UInt64(Self.unitsAround) / UInt64(Coordinate.unitsPerTurn)
    (x, y) = (Int64(column), Int64(row))
  }

  init(x: Int64, y: Int64) { (self.x, self.y) = (x, y) }

  /// The column of the explorer tile that contains the point.
  func column(zoom: Int) -> Int { Int(x >> Int64(32 - zoom)) }

  /// The row of the explorer tile that contains the point.
  func row(zoom: Int) -> Int { Int(y >> Int64(32 - zoom)) }
}

/// The explorer tiles that a straight line on the map touches.
enum TileLine {
  /// Calls `body` with the tiles that contain a point of the line, its ends included. A tile
  /// contains its northern and western edges, so a line through a corner touches only tiles that
  /// contain a point of it.
  ///
  /// Exact: the line is cut at the edges of the columns, in integers. Of two ways around the world,
  /// the line takes the shorter one. Columns are counted on across ±180°: they may be -1 or 2^zoom.
  ///
  /// - Precondition: the ends are at most 2^30 units apart in y.
  /// - Complexity: O(tiles touched).
  static func forEachTile(
    from start: MercatorPoint, to end: MercatorPoint, zoom: Int, _ body: (Int, Int) -> Void
  ) {
    var (first, last) = (start, end)
    if last.x - first.x > MercatorPoint.unitsAround / 2 {
      last = MercatorPoint(x: last.x - MercatorPoint.unitsAround, y: last.y)
    } else if first.x - last.x > MercatorPoint.unitsAround / 2 {
      last = MercatorPoint(x: last.x + MercatorPoint.unitsAround, y: last.y)
    }
    if first.x > last.x { swap(&first, &last) }
    let shift = Int64(32 - zoom)
    let (width, height) = (last.x - first.x, last.y - first.y)
    // The line's y at an x is first.y + numerator ÷ width.
    func numerator(_ x: Int64) -> Int64 { height * (x - first.x) }
    for column in (first.x >> shift)...(last.x >> shift) {
      let west = max(first.x, column << shift)
      let isLast = column == last.x >> shift
      guard width > 0 else {
        let rows = [first.y >> shift, last.y >> shift].sorted()
        for row in rows[0]...rows[1] { body(Int(column), Int(row)) }
        return
      }
      let y = first.y + floorDivided(numerator(west), by: width)
      let edge = isLast ? last.x : (column + 1) << shift
      var otherY = first.y + floorDivided(numerator(edge), by: width)
      // The eastern edge belongs to the next column. Where the line descends the map, it stays
      // north of its y there; where it ascends, it has every y south of that.
      if !isLast, height > 0, numerator(edge) % width == 0 { otherY -= 1 }
      let rows = y <= otherY ? (y >> shift, otherY >> shift) : (otherY >> shift, y >> shift)
      for row in rows.0...rows.1 { body(Int(column), Int(row)) }
    }
  }

  /// The quotient, rounded down. `divisor` is positive.
  private static func floorDivided(_ value: Int64, by divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}

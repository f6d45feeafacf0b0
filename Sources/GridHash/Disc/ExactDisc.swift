import Geodesy

/// The rule for which cells a fix explores, and a method of finding them that works everywhere.
///
/// A cell is inside if hav(distance) ≤ hav(radius), by the haversine formula on the authalic
/// sphere: sin²(Δφ/2) + cos φ₀·cos φ·sin²(Δλ/2) ≤ sin²(radius / 2R), where Δφ and Δλ are the
/// differences between the coordinate and the cell's center. They are computed in integers (see
/// ``Grid``), so their only rounding is the conversion to radians. Δλ is the shorter way around.
///
/// - Guarantee: the answer is mathematically exact, except within about a nanometer of the radius,
///   where the last bit of `sin` decides.
struct ExactDisc {
  private let grid: Grid
  private let latitudeParts: Int
  private let longitudeParts: Int
  private let cosineOfLatitude: Double
  private let haversineOfRadius: Double

  private static let radiansPerPart = Double.pi / 180 / Grid.partsPerDegree

  init(grid: Grid, around coordinate: Coordinate) {
    self.grid = grid
    latitudeParts = (Int(coordinate.latitudeE7) + 900_000_000) * 444
    longitudeParts = (Int(coordinate.longitudeE7) + 1_800_000_000) * 444
    cosineOfLatitude = cosine(coordinate.latitudeRadians)
    let half = sine(grid.explorationRadiusMeters / AuthalicSphere.radiusMeters / 2)
    haversineOfRadius = half * half
  }

  /// The values of the rule for one row.
  private struct Row {
    /// sin²(Δφ/2).
    let haversineOfLatitude: Double
    /// cos φ₀·cos φ.
    let cosines: Double
    /// sin²(radius / 2R).
    let limit: Double

    /// Returns true if a center in this row, `parts` of longitude away, is inside.
    func isInside(longitudeParts parts: Int) -> Bool {
      let half = sine(Double(parts) * (ExactDisc.radiansPerPart / 2))
      return haversineOfLatitude + cosines * (half * half) <= limit
    }
  }

  private func row(_ row: Int) -> Row {
    let center = grid.rowCenterParts(row)
    let half = sine(Double(center - latitudeParts) * (ExactDisc.radiansPerPart / 2))
    let latitude = (Double(center) / Grid.partsPerDegree - 90) * (.pi / 180)
    return Row(
      haversineOfLatitude: half * half, cosines: cosineOfLatitude * cosine(latitude),
      limit: haversineOfRadius)
  }

  /// The parts of longitude from the coordinate eastwards to the center of `column`,
  /// 0..<partsAround.
  private func partsEast(toColumn column: Int) -> Int {
    let parts = grid.columnCenterParts(column) - longitudeParts
    return parts < 0 ? parts + Grid.partsAround : parts
  }

  /// Returns true if the center of a cell is inside: the rule for one cell.
  func contains(row: Int, column: Int) -> Bool {
    let east = partsEast(toColumn: column)
    return self.row(row).isInside(longitudeParts: min(east, Grid.partsAround - east))
  }

  /// The rows that can have a cell inside.
  ///
  /// Any radius is 222 000 / 111 194.93 = 1.9965 steps of latitude. One more row on each side
  /// allows for rounding and for the smaller last row.
  var candidateRows: Range<Int> {
    let own = min(latitudeParts / (20 * grid.explorationRadiusMillimeters), grid.rowCount - 1)
    return max(own - 3, 0)..<min(own + 4, grid.rowCount)
  }

  /// The cells inside, as spans in ascending order: row by row; in a row crossed by ±180°, the part
  /// from 180° W comes first.
  ///
  /// In a row, cells are inside up to some distance in longitude on either side of the coordinate's
  /// meridian. So each side is a count: it is estimated by solving the rule for Δλ, then adjusted
  /// until it satisfies the rule itself.
  func forEachSpan(_ body: (_ row: Int, _ columns: Range<Int>) -> Void) {
    let count = grid.columnCount
    var own = min(longitudeParts / (20 * grid.explorationRadiusMillimeters), count - 1)
    if partsEast(toColumn: own) > Grid.partsAround / 2 { own += 1 }  // its center lies to the west
    let firstEast = own == count ? 0 : own

    for rowNumber in candidateRows {
      let row = row(rowNumber)
      let east = columnsInside(row, first: firstEast, step: 1)
      let west = columnsInside(row, first: firstEast == 0 ? count - 1 : firstEast - 1, step: -1)
      if east + west >= count {
        body(rowNumber, 0..<count)
        continue
      }
      guard east + west > 0 else { continue }
      let start = firstEast - west
      let end = firstEast + east
      if start < 0 {
        if end > 0 { body(rowNumber, 0..<end) }
        body(rowNumber, start + count..<min(end + count, count))
      } else if end > count {
        body(rowNumber, 0..<end - count)
        body(rowNumber, start..<count)
      } else {
        body(rowNumber, start..<end)
      }
    }
  }

  /// The number of columns of a row that are inside, from column `first` in one direction, up to
  /// halfway around.
  private func columnsInside(_ row: Row, first: Int, step: Int) -> Int {
    let count = grid.columnCount
    /// The distance of the n-th column; nil if it is more than halfway around (exactly halfway
    /// counts as east).
    func isInside(_ index: Int) -> Bool {
      var column = first + step * index
      if column >= count { column -= count } else if column < 0 { column += count }
      let east = partsEast(toColumn: column)
      let parts = step > 0 ? east : Grid.partsAround - east
      guard step > 0 ? 2 * parts <= Grid.partsAround : 2 * parts < Grid.partsAround else {
        return false
      }
      return row.isInside(longitudeParts: parts)
    }

    let remaining = row.limit - row.haversineOfLatitude
    guard remaining >= 0 || isInside(0) else { return 0 }
    let squaredSine = row.cosines > 0 ? max(0, min(1, remaining / row.cosines)) : 1
    let reach = 2 * arcSine(squaredSine.squareRoot()) / ExactDisc.radiansPerPart
    var inside = min(Int(reach) / (20 * grid.explorationRadiusMillimeters), count)
    while inside < count, isInside(inside) { inside += 1 }
    while inside > 0, !isInside(inside - 1) { inside -= 1 }
    return inside
  }
}

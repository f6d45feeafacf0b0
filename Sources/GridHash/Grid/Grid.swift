/// An error about an exploration radius that no grid can have.
///
/// ```swift
/// do {
///   print(try Grid(explorationRadiusMeters: 0.5).cellCount)
/// } catch GridError.radiusOutOfRange(let meters) {
///   print("\(meters) m is not from 1 m to 100 km")
/// }
/// ```
public enum GridError: Error, Equatable, Sendable {
  /// The radius is not a number, or is less than 1 m or more than 100 km.
  case radiusOutOfRange(meters: Double)
}

/// The grid of cells for an exploration radius: steps of δ = (radius / 2) / 111 000 degrees in
/// latitude and in longitude, counted from 90° S and from 180° W.
///
/// At 150 m, δ is 75 / 111 000 degree and there are 266 400 rows of 532 800 cells; a cell is 75.13
/// m high and 75.13 m × cos(latitude) wide.
///
/// **Exactness.** The radius is stored in whole millimeters, so an edge is a whole number of units
/// of 1/222 000 000 degree: row `r` begins at `r × millimeters` units. Positions are compared with
/// edges and centers in integers, so the same coordinate is in the same cell everywhere.
///
/// **Last row and column.** If 180 is not a multiple of δ, the last row ends at 90° N and the last
/// column at 180° E. Those cells are smaller, and their center is the center of the smaller cell.
///
/// **Limits.** Radii range from 1 m (39 960 000 rows of 79 920 000 cells, 3.2e15 in all, under
/// 2^52) to 100 km (400 rows of 800 cells). Rows and columns fit in 32 bits, cell numbers and tile
/// keys in 64.
///
/// ```swift
/// let cell = Grid.standard.cell(containing: here)
/// print(cell, Grid.standard.areaSquareMeters(of: cell))
/// ```
public struct Grid: Hashable, Sendable {
  /// The radii that a grid can have, in meters.
  package static let radiusRangeMeters: ClosedRange<Double> = 1...100_000

  /// The grid of the default exploration radius, 150 m.
  public static let standard = Grid(millimeters: 150_000)

  /// The exploration radius in millimeters, 1 000...100 000 000.
  package let explorationRadiusMillimeters: Int
  /// The number of rows from 90° S to 90° N.
  package let rowCount: Int
  /// The number of columns from 180° W to 180° E.
  package let columnCount: Int

  /// Creates the grid for an exploration radius in meters, rounded to the nearest millimeter.
  ///
  /// - Throws: ``GridError/radiusOutOfRange(meters:)`` for NaN or a radius outside 1 m to 100 km.
  public init(explorationRadiusMeters: Double) throws(GridError) {
    guard Grid.radiusRangeMeters.contains(explorationRadiusMeters) else {
      throw .radiusOutOfRange(meters: explorationRadiusMeters)
    }
    self.init(millimeters: Int((explorationRadiusMeters * 1000).rounded()))
  }

  /// Creates the grid for a radius in millimeters that is known to be in range.
  init(millimeters: Int) {
    explorationRadiusMillimeters = millimeters
    rowCount = (Grid.unitsFromPoleToPole + millimeters - 1) / millimeters
    columnCount = (Grid.unitsAround + millimeters - 1) / millimeters
  }

  /// The exploration radius in meters, 1...100 000, to the millimeter.
  public var explorationRadiusMeters: Double { Double(explorationRadiusMillimeters) / 1000 }

  /// The step δ in degrees, the same for rows and columns.
  package var stepDegrees: Double { Double(explorationRadiusMillimeters) / Grid.unitsPerDegree }

  /// The number of cells of the grid: rows × columns.
  public var cellCount: Int { rowCount * columnCount }
}

// MARK: - Units

extension Grid {
  /// Edges are measured in units of 1/222 000 000 degree: radius in millimeters / 2 / 111 000 /
  /// 1 000.
  static let unitsPerDegree = 222_000_000.0
  /// 180 degrees in units.
  static let unitsFromPoleToPole = 39_960_000_000
  /// 360 degrees in units.
  static let unitsAround = 79_920_000_000

  /// Centers and coordinates are compared in parts of 1/4 440 000 000 degree, the largest fraction
  /// that divides both half a unit (10 parts) and 1e-7 degree (444 parts).
  static let partsPerDegree = 4_440_000_000.0
  /// 360 degrees in parts.
  static let partsAround = 1_598_400_000_000

  /// The edges of row `row` in units north of 90° S.
  func rowEdges(_ row: Int) -> (south: Int, north: Int) {
    let south = row * explorationRadiusMillimeters
    return (south, min(south + explorationRadiusMillimeters, Grid.unitsFromPoleToPole))
  }

  /// The edges of column `column` in units east of 180° W.
  func columnEdges(_ column: Int) -> (west: Int, east: Int) {
    let west = column * explorationRadiusMillimeters
    return (west, min(west + explorationRadiusMillimeters, Grid.unitsAround))
  }

  /// The latitude of the center of row `row` in parts north of 90° S; exact, since a unit is 20
  /// parts.
  func rowCenterParts(_ row: Int) -> Int {
    let (south, north) = rowEdges(row)
    return (south + north) * 10
  }

  /// The longitude of the center of column `column` in parts east of 180° W; exact.
  func columnCenterParts(_ column: Int) -> Int {
    let (west, east) = columnEdges(column)
    return (west + east) * 10
  }
}

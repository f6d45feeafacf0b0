import Geodesy

/// The edges of a cell in degrees. East is at most 180, so west < east always holds.
///
/// ```swift
/// let bounds = Grid.standard.bounds(of: Grid.standard.cell(containing: here))
/// print(bounds.southDegrees, bounds.westDegrees, bounds.northDegrees, bounds.eastDegrees)
/// ```
public struct CellBounds: Hashable, Sendable {
  /// The southern edge, -90..<90.
  public let southDegrees: Double
  /// The western edge, -180..<180.
  public let westDegrees: Double
  /// The northern edge, at most 90.
  public let northDegrees: Double
  /// The eastern edge, at most 180.
  public let eastDegrees: Double
}

extension Grid {
  /// Returns true if the grid has this cell: its row and its column are from 0 to the last one.
  ///
  /// ```swift
  /// let cell = Grid.standard.cell(containing: here)
  /// print(Grid.standard.contains(cell))
  /// ```
  public func contains(_ cell: Cell) -> Bool {
    cell.row >= 0 && cell.row < rowCount && cell.column >= 0 && cell.column < columnCount
  }

  /// The cell that contains a coordinate: row ⌊(latitude + 90)/δ⌋, column ⌊(longitude + 180)/δ⌋,
  /// computed in integers.
  ///
  /// A position on an edge belongs to the cell north or east of it; the north pole belongs to the
  /// last row.
  public func cell(containing coordinate: Coordinate) -> Cell {
    // (E7 + 9e8) / 1e7 degrees × 222e6 units a degree ÷ millimeters = E7' × 222 / (10 ×
    // millimeters).
    let divisor = 10 * explorationRadiusMillimeters
    let row = (Int(coordinate.latitudeE7) + 900_000_000) * 222 / divisor
    let column = (Int(coordinate.longitudeE7) + 1_800_000_000) * 222 / divisor
    return Cell(row: Int32(min(row, rowCount - 1)), column: Int32(min(column, columnCount - 1)))
  }

  /// The edges of a cell. Each is the nearest Double to the exact edge + 90 (or 180), then shifted:
  /// within 3e-14 degree, 3 nanometers on the ground.
  ///
  /// - Precondition: the grid has the cell.
  public func bounds(of cell: Cell) -> CellBounds {
    precondition(contains(cell), "a cell of another grid")
    let rows = rowEdges(Int(cell.row))
    let columns = columnEdges(Int(cell.column))
    return CellBounds(
      southDegrees: Double(rows.south) / Grid.unitsPerDegree - 90,
      westDegrees: Double(columns.west) / Grid.unitsPerDegree - 180,
      northDegrees: Double(rows.north) / Grid.unitsPerDegree - 90,
      eastDegrees: Double(columns.east) / Grid.unitsPerDegree - 180)
  }

  /// The center of a cell in degrees: the middle of its edges, even for a cell that is cut short.
  ///
  /// - Precondition: the grid has the cell.
  public func center(of cell: Cell) -> (latitudeDegrees: Double, longitudeDegrees: Double) {
    precondition(contains(cell), "a cell of another grid")
    return (
      Double(rowCenterParts(Int(cell.row))) / Grid.partsPerDegree - 90,
      Double(columnCenterParts(Int(cell.column))) / Grid.partsPerDegree - 180
    )
  }

  /// The area of a cell on the authalic sphere, in square meters: R²·Δλ·(sin φ₂ − sin φ₁).
  ///
  /// - Precondition: the grid has the cell.
  public func areaSquareMeters(of cell: Cell) -> Double {
    precondition(contains(cell), "a cell of another grid")
    let columns = columnEdges(Int(cell.column))
    return areaPerUnitOfLongitude(row: Int(cell.row)) * Double(columns.east - columns.west)
  }

  /// The area in square meters of the part of row `row` that is one unit of longitude wide.
  ///
  /// sin φ₂ − sin φ₁ is computed as 2·cos((φ₁ + φ₂)/2)·sin((φ₂ − φ₁)/2), which loses no digits when
  /// the two are close, and the cosine as the sine of the distance from the nearer pole. The result
  /// is accurate to 1e-15 in every row.
  func areaPerUnitOfLongitude(row: Int) -> Double {
    let radiansPerUnit = Double.pi / 180 / Grid.unitsPerDegree
    let (south, north) = rowEdges(row)
    let doubledMiddle = south + north
    let fromNearerPole = min(doubledMiddle, 2 * Grid.unitsFromPoleToPole - doubledMiddle)
    let cosine = sine(Double(fromNearerPole) * (radiansPerUnit / 2))
    let halfHeight = sine(Double(north - south) * (radiansPerUnit / 2))
    let squaredRadius = AuthalicSphere.radiusMeters * AuthalicSphere.radiusMeters
    return squaredRadius * radiansPerUnit * 2 * cosine * halfHeight
  }

  /// The cells that share an edge with a cell, in ascending order: four, or three in the first and
  /// last row.
  ///
  /// Columns wrap at ±180°. At a pole an edge shrinks to a point, so there is no cell beyond it.
  /// Every grid has at least 800 columns, so the four are distinct.
  ///
  /// - Precondition: the grid has the cell.
  public func neighbors(of cell: Cell) -> [Cell] {
    precondition(contains(cell), "a cell of another grid")
    let last = Int32(columnCount - 1)
    let west = Cell(row: cell.row, column: cell.column == 0 ? last : cell.column - 1)
    let east = Cell(row: cell.row, column: cell.column == last ? 0 : cell.column + 1)
    var found: [Cell] = []
    found.reserveCapacity(4)
    if cell.row > 0 { found.append(Cell(row: cell.row - 1, column: cell.column)) }
    found.append(min(west, east))
    found.append(max(west, east))
    if cell.row < rowCount - 1 { found.append(Cell(row: cell.row + 1, column: cell.column)) }
    return found
  }

  /// A number of cells as a percentage of all cells of the grid, as in the Roqua app.
  ///
  /// This is not a share of area: cells are smaller toward the poles, so the same walk gives a
  /// larger number there (twice the number at 60°). For a share of the Earth use
  /// ``Coverage/worldPercentage``.
  package func cellPercentage(ofCells cells: Int) -> Double {
    Double(cells) / Double(cellCount) * 100
  }
}

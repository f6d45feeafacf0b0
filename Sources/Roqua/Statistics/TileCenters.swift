import Geodesy
import GridHash

/// The centers of the cells of a tile, rounded to 1e-7 degree as ``Grid/centerCoordinate(of:)``
/// does.
struct TileCenters {
  private var key: Int64 = -1
  /// Latitudes by row, from the south. A tile at the end of the grid repeats its last row.
  private(set) var latitudesE7: [Int32] = []
  /// Longitudes by column, from the west; repeated likewise.
  private(set) var longitudesE7: [Int32] = []
  /// Ranges of rows whose latitudes begin with the same hundredth of a degree.
  private(set) var rowGroups: [Range<Int>] = []
  /// Groups of columns whose longitudes do, as the bits of a row.
  private(set) var columnGroups: [UInt64] = []

  /// Moves to the centers of another tile.
  mutating func move(to key: Int64, grid: Grid) {
    if key == self.key { return }
    self.key = key
    let first = grid.firstCell(ofTile: key)
    let (lastRow, lastColumn) = (Int32(grid.rowCount - 1), Int32(grid.columnCount - 1))
    latitudesE7 = (Int32(0)..<64).map { row in
      let cell = Cell(row: min(first.row + row, lastRow), column: first.column)
      return grid.centerCoordinate(of: cell)?.latitudeE7 ?? 0
    }
    longitudesE7 = (Int32(0)..<64).map { column in
      let cell = Cell(row: first.row, column: min(first.column + column, lastColumn))
      return grid.centerCoordinate(of: cell)?.longitudeE7 ?? 0
    }
    rowGroups = Self.groups(latitudesE7)
    columnGroups = Self.groups(longitudesE7).map { range in
      range.reduce(0) { $0 | 1 << UInt64($1) }
    }
  }

  /// The center of a cell.
  @inline(__always)
  func coordinate(row: Int, column: Int) -> Coordinate {
    Coordinate(uncheckedLatitudeE7: latitudesE7[row], longitudeE7: longitudesE7[column])
  }

  private static func groups(_ anglesE7: [Int32]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    var start = 0
    for index in 1...anglesE7.count
    where index == anglesE7.count || hundredth(anglesE7[index]) != hundredth(anglesE7[start]) {
      groups.append(start..<index)
      start = index
    }
    return groups
  }

  private static func hundredth(_ angleE7: Int32) -> Int {
    (Int(angleE7) + 1_800_000_000) / 100_000
  }
}

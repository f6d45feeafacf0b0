import Geodesy

/// Finds the smallest box around single tiles.
///
/// - Memory: 8 bytes for each column of tiles of the grid.
struct BoundsTally: Sendable {
  private let grid: Grid
  private var south = Int32.max
  private var north = Int32.min
  /// The columns that contain a cell, by column of tiles.
  private var columns: [UInt64]

  /// Creates a tally without tiles.
  init(grid: Grid) {
    self.grid = grid
    columns = [UInt64](repeating: 0, count: grid.tileColumnCount)
  }

  /// Adds a tile of the grid.
  mutating func add(_ tile: Tile, tileRow: Int, tileColumn: Int) {
    let (first, last, all) = tile.withWords { words in
      var (first, last, all) = (64, -1, UInt64(0))
      for row in 0..<64 where words[row] != 0 {
        if first == 64 { first = row }
        last = row
        all |= words[row]
      }
      return (first, last, all)
    }
    guard all != 0 else { return }
    columns[tileColumn] |= all
    south = min(south, Int32(tileRow << 6 + first))
    north = max(north, Int32(tileRow << 6 + last))
  }

  /// The box; nil if no cell was added.
  var bounds: BoundingBox? {
    let marked = columns.enumerated().lazy.filter { $0.element != 0 }
      .map { (tileColumn: $0.offset, bits: $0.element) }
    guard let span = grid.columnSpan(of: marked) else { return nil }
    return grid.boundingBox(rows: south...north, columns: span)
  }
}

extension Grid {
  /// The shortest range of columns that contains all cells: from `west` eastwards to `east`,
  /// possibly across ±180°. If several are equally short, one that does not cross ±180° is
  /// preferred, then the first eastwards.
  ///
  /// - Parameter columns: the columns with a cell in each column of tiles, ascending.
  func columnSpan(
    of columns: some Sequence<(tileColumn: Int, bits: UInt64)>
  ) -> (west: Int32, east: Int32)? {
    var first: Int32?
    var end: Int32 = 0
    var widest: (gap: Int32, west: Int32, east: Int32)?
    for (tileColumn, bits) in columns {
      RunAlgebra.forEachRun(of: bits, from: Int32(tileColumn << 6)) { run in
        if first == nil {
          first = run.lowerBound
        } else if run.lowerBound - end > widest?.gap ?? 0 {
          widest = (run.lowerBound - end, run.lowerBound, end - 1)
        }
        end = run.upperBound
      }
    }
    guard let first else { return nil }
    // The gap across ±180°.
    if let widest, widest.gap > first + Int32(columnCount) - end {
      return (widest.west, widest.east)
    }
    return (first, end - 1)
  }

  /// The box around rows and columns of cells, with edges rounded to 1e-7 degree.
  func boundingBox(rows: ClosedRange<Int32>, columns: (west: Int32, east: Int32)) -> BoundingBox? {
    let southWest = bounds(of: Cell(row: rows.lowerBound, column: columns.west))
    let northEast = bounds(of: Cell(row: rows.upperBound, column: columns.east))
    // Edges of cells are in range, so this is never nil.
    return try? BoundingBox(
      south: southWest.southDegrees, west: southWest.westDegrees, north: northEast.northDegrees,
      east: northEast.eastDegrees)
  }
}

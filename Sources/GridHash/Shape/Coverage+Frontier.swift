extension Coverage {
  /// The explored cells, by row and then by column, made as they are asked for.
  public var cells: CellSequence { CellSequence(.explored(CoverageRows(self))) }

  /// The frontier: unexplored cells that share an edge with an explored one, by row and then by
  /// column, made as they are asked for. Across ±180° too; nothing lies beyond a pole
  /// (``Grid/neighbors(of:)``).
  ///
  /// Edges and not corners, as one walks.
  public var frontier: CellSequence {
    CellSequence(.frontier(RowWindows(self), columnCount: Int32(grid.columnCount)))
  }
}

/// Cells of a coverage, or beside one, in order of rows and columns, made as they are asked for: of
/// the coverage as it was when the sequence was made.
///
/// ```swift
/// let coverage = try await explorer.read { try $0.coverage() }
/// for cell in coverage.frontier.prefix(10) { print(coverage.grid.center(of: cell)) }
/// ```
public struct CellSequence: Sequence, IteratorProtocol, Sendable {
  /// Where rows come from.
  enum Source: Sendable {
    case explored(CoverageRows)
    case frontier(RowWindows, columnCount: Int32)
  }

  private var source: Source
  private var row: Int32 = 0
  /// The runs of the row, the next of them, and what is left of the one before that.
  private var runs: Runs = []
  private var nextRun = 0
  private var column: Int32 = 0
  private var end: Int32 = 0

  init(_ source: Source) { self.source = source }

  /// The next cell; nil after the last.
  public mutating func next() -> Cell? {
    while column == end {
      if nextRun == runs.count {
        guard nextRow() else { return nil }
        continue
      }
      (column, end) = (runs[nextRun].lowerBound, runs[nextRun].upperBound)
      nextRun += 1
    }
    defer { column += 1 }
    return Cell(row: row, column: column)
  }

  /// Goes on to the next row that is given, which may have no cells; false after the last.
  private mutating func nextRow() -> Bool {
    nextRun = 0
    switch source {
    case .explored(var rows):
      guard let next = rows.next() else { return false }
      source = .explored(rows)
      (row, runs) = (Int32(next.row), next.runs)
    case .frontier(var windows, let columnCount):
      guard let next = windows.next() else { return false }
      source = .frontier(windows, columnCount: columnCount)
      (row, runs) = (Int32(next.row), next.frontier(columnCount: columnCount))
    }
    return true
  }
}

extension Coverage {
  /// The explored cells, by row and then by column, computed lazily.
  public var cells: CellSequence { CellSequence(.explored(CoverageRows(self))) }

  /// The frontier: unexplored cells that share an edge with an explored one, by row and then by
  /// column, computed lazily. It continues across ±180°; there is nothing beyond a pole
  /// (``Grid/neighbors(of:)``).
  ///
  /// Cells that share only a corner do not count.
  public var frontier: CellSequence {
    CellSequence(.frontier(RowWindows(self), columnCount: Int32(grid.columnCount)))
  }
}

/// A lazy sequence of explored or frontier cells in order of rows and columns. It reflects the
/// coverage at the time when the sequence was created.
///
/// ```swift
/// let coverage = try await explorer.read { try $0.coverage() }
/// for cell in coverage.frontier.prefix(10) { print(coverage.grid.center(of: cell)) }
/// ```
public struct CellSequence: Sequence, IteratorProtocol, Sendable {
  /// The source of the rows.
  enum Source: Sendable {
    case explored(CoverageRows)
    case frontier(RowWindows, columnCount: Int32)
  }

  private var source: Source
  private var row: Int32 = 0
  /// The runs of the row, the index of the next run, and the rest of the current one.
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

  /// Moves on to the next row, which may have no cells; returns false after the last.
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

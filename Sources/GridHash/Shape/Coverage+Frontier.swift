extension Coverage {
  /// The explored cells, by row and then by column, made as they are asked for.
  public var cells: some Sequence<Cell> {
    CoverageRows(self).lazy.flatMap { row, runs in
      runs.lazy.joined().lazy.map { Cell(row: Int32(row), column: $0) }
    }
  }

  /// The frontier: unexplored cells that share an edge with an explored one, by row and then by column, made as
  /// they are asked for. Across ±180° too; nothing lies beyond a pole (``Grid/neighbors(of:)``).
  ///
  /// Edges and not corners, as one walks.
  public var frontier: some Sequence<Cell> {
    let columnCount = Int32(grid.columnCount)
    return RowWindows(self).lazy.flatMap { row, below, middle, above in
      let near = RunAlgebra.union(
        RunAlgebra.union(below, above), RunAlgebra.grown(middle, columnCount: columnCount))
      return RunAlgebra.difference(near, middle).lazy.joined().lazy.map {
        Cell(row: Int32(row), column: $0)
      }
    }
  }
}

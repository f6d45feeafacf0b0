import Geodesy

/// Neighboring cells of one row.
package struct CellSpan: Hashable, Sendable {
  /// The row of the cells.
  package let row: Int32
  /// The columns of the cells, never empty.
  package let columns: Range<Int32>
}

extension Grid {
  /// The cells that a kept fix at `coordinate` explores: those whose center is at most the
  /// exploration radius away, by great circle on the authalic sphere. Spans ascend by row, then by
  /// column; a row crossed by ±180° gives two.
  ///
  /// The answer is exact at every latitude. Around a pole whole rows are inside.
  ///
  /// - Complexity: O(1) spans, at most 14.
  package func spans(ofDiscAround coordinate: Coordinate) -> [CellSpan] {
    var spans: [CellSpan] = []
    ExactDisc(grid: self, around: coordinate).forEachSpan { row, columns in
      spans.append(
        CellSpan(row: Int32(row), columns: Int32(columns.lowerBound)..<Int32(columns.upperBound)))
    }
    return spans
  }

  /// Returns true if a kept fix at `coordinate` explores `cell`.
  ///
  /// - Precondition: the grid has the cell.
  package func isCell(_ cell: Cell, inDiscAround coordinate: Coordinate) -> Bool {
    precondition(contains(cell), "a cell of another grid")
    return ExactDisc(grid: self, around: coordinate).contains(
      row: Int(cell.row), column: Int(cell.column))
  }

  /// The keys of the tiles that contain cells of a disc, ascending: 1 to 4 away from the poles.
  ///
  /// For callers that store tiles elsewhere and need to load those that a fix may change.
  package func tileKeys(ofDiscAround coordinate: Coordinate) -> [Int64] {
    var keys: Set<Int64> = []
    for span in spans(ofDiscAround: coordinate) {
      let first = tileKey(of: Cell(row: span.row, column: span.columns.lowerBound))
      let last = tileKey(of: Cell(row: span.row, column: span.columns.upperBound - 1))
      keys.formUnion(first...last)
    }
    return keys.sorted()
  }
}

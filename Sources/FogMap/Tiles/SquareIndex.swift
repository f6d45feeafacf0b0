import GridHash

/// The squares of 64 × 64 cells of a coverage that have explored cells, by row.
struct SquareIndex: Sendable {
  let coverage: Coverage
  /// The keys of the squares, ascending: row by row from the south, each row from the west.
  let keys: [Int64]
  /// The columns of squares of the grid.
  let columnCount: Int
  /// The step of the grid in degrees.
  let step: Double

  /// - Complexity: O(s log s) for s squares.
  init(_ coverage: Coverage) {
    self.coverage = coverage
    keys = coverage.tileKeys
    columnCount = coverage.grid.tileColumnCount
    step = coverage.grid.stepDegrees
  }

  /// The indexes in ``keys`` of the squares of a row, in a range of columns of squares.
  func range(row: Int, columns: ClosedRange<Int>) -> Range<Int> {
    let low = firstIndex(from: Int64(row * columnCount + columns.lowerBound))
    let high = Int64(row * columnCount + min(columns.upperBound, columnCount - 1))
    var end = low
    if keys.count - low > 64 {
      end = firstIndex(from: high + 1)
    } else {
      while end < keys.count, keys[end] <= high { end += 1 }
    }
    return low..<max(low, end)
  }

  /// The rows or columns of cells that lie between two angles, in degrees from the first one's
  /// edge; `total` is the angle from there to the last one's.
  func cells(from low: Double, to high: Double, of total: Double) -> ClosedRange<Int> {
    let last = Int((total / step).rounded(.up)) - 1
    let first = max(0, min(Int(low / step), last))
    return first...max(first, min(Int(high / step), last))
  }

  private func firstIndex(from wanted: Int64) -> Int {
    var (low, high) = (0, keys.count)
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < wanted { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension UInt64 {
  /// Calls `body` with each run of set bits: its first bit and the one after its last.
  @inline(__always)
  func forEachRun(_ body: (Int, Int) -> Void) {
    var rest = self
    while rest != 0 {
      let first = rest.trailingZeroBitCount
      let length = (~(rest >> UInt64(first))).trailingZeroBitCount
      body(first, first + length)
      if first + length >= 64 { return }
      rest &= ~UInt64(0) << UInt64(first + length)
    }
  }
}

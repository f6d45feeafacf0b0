/// Ranges of neighboring columns of one row, ascending, none of them empty or adjacent to the next
/// (though the last may touch the first across ±180°).
typealias Runs = [Range<Int32>]

/// Set algebra on the runs of a row.
enum RunAlgebra {
  /// Adds a run that begins at or after the start of the last one.
  @inline(__always)
  static func append(_ run: Range<Int32>, to runs: inout Runs) {
    if let last = runs.last, last.upperBound >= run.lowerBound {
      runs[runs.count - 1] = last.lowerBound..<max(last.upperBound, run.upperBound)
    } else {
      runs.append(run)
    }
  }

  /// Adds the runs of a word of 64 columns, which begin at or after the start of the last one.
  @inline(__always)
  static func append(_ word: UInt64, from column: Int32, to runs: inout Runs) {
    forEachRun(of: word, from: column) { append($0, to: &runs) }
  }

  /// Calls `body` with the runs of a word of 64 columns.
  @inline(__always)
  static func forEachRun(of word: UInt64, from column: Int32, _ body: (Range<Int32>) -> Void) {
    var (word, column) = (word, column)
    while word != 0 {
      let skipped = word.trailingZeroBitCount
      word >>= UInt64(skipped)
      let length = (~word).trailingZeroBitCount
      column += Int32(skipped)
      body(column..<column + Int32(length))
      word = length == 64 ? 0 : word >> UInt64(length)
      column += Int32(length)
    }
  }

  /// The columns in either row.
  static func union(_ left: Runs, _ right: Runs) -> Runs {
    if left.isEmpty { return right }
    if right.isEmpty { return left }
    var result: Runs = []
    var (i, j) = (0, 0)
    while i < left.count || j < right.count {
      if j == right.count || (i < left.count && left[i].lowerBound <= right[j].lowerBound) {
        append(left[i], to: &result)
        i += 1
      } else {
        append(right[j], to: &result)
        j += 1
      }
    }
    return result
  }

  /// The columns in both rows.
  static func intersection(_ left: Runs, _ right: Runs) -> Runs {
    var result: Runs = []
    var (i, j) = (0, 0)
    while i < left.count, j < right.count {
      let common = left[i].clamped(to: right[j])
      if !common.isEmpty { result.append(common) }
      if left[i].upperBound < right[j].upperBound { i += 1 } else { j += 1 }
    }
    return result
  }

  /// The columns of `left` that are not in `right`.
  static func difference(_ left: Runs, _ right: Runs) -> Runs {
    var result: Runs = []
    var j = 0
    for run in left {
      var start = run.lowerBound
      while j < right.count, right[j].upperBound <= start { j += 1 }
      var k = j
      while k < right.count, right[k].lowerBound < run.upperBound {
        if start < right[k].lowerBound { result.append(start..<right[k].lowerBound) }
        start = max(start, right[k].upperBound)
        k += 1
      }
      if start < run.upperBound { result.append(start..<run.upperBound) }
    }
    return result
  }

  /// The columns and their neighbors, also across ±180°.
  static func grown(_ runs: Runs, columnCount: Int32) -> Runs {
    guard let first = runs.first, let last = runs.last else { return [] }
    var result: Runs = last.upperBound == columnCount ? [0..<1] : []
    for run in runs {
      append(max(run.lowerBound - 1, 0)..<min(run.upperBound + 1, columnCount), to: &result)
    }
    if first.lowerBound == 0 { append(columnCount - 1..<columnCount, to: &result) }
    return result
  }

  /// The columns that have both neighbors, also across ±180°.
  static func shrunk(_ runs: Runs, columnCount: Int32) -> Runs {
    guard let first = runs.first, let last = runs.last else { return [] }
    let isJoined = first.lowerBound == 0 && last.upperBound == columnCount
    var result: Runs = []
    for run in runs {
      let start = isJoined && run.lowerBound == 0 ? 0 : run.lowerBound + 1
      let end = isJoined && run.upperBound == columnCount ? columnCount : run.upperBound - 1
      if start < end { result.append(start..<end) }
    }
    return result
  }
}

/// The edge-connected parts of a mask, as a number for each run of set cells in a row.
struct RunLabels {
  /// The parent of each run in a forest whose roots stand for the parts.
  private var parents: [Int] = []
  /// The number of runs in the rows before.
  private var offsets: [Int] = [0]
  private let mask: CellMask

  /// - Complexity: O(words of the mask + runs).
  init(_ mask: CellMask) {
    self.mask = mask
    var above: [Range<Int>] = []
    for row in 0..<mask.height {
      let runs = Self.runs(mask, row: row)
      let first = parents.count
      parents += first..<first + runs.count
      var (mine, theirs) = (0, 0)
      while mine < runs.count, theirs < above.count {
        if runs[mine].overlaps(above[theirs]) {
          join(first + mine, first - above.count + theirs)
        }
        if runs[mine].upperBound < above[theirs].upperBound { mine += 1 } else { theirs += 1 }
      }
      offsets.append(parents.count)
      above = runs
    }
  }

  /// The part of the run that begins at a cell.
  mutating func label(column: Int, row: Int) -> Int {
    var run = offsets[row]
    for word in 0..<column >> 6 { run += mask.runStarts(row: row, word: word).nonzeroBitCount }
    let below = UInt64(1) << UInt64(column & 63) &- 1
    run += (mask.runStarts(row: row, word: column >> 6) & below).nonzeroBitCount
    return root(run)
  }

  private static func runs(_ mask: CellMask, row: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for word in 0..<mask.rowWords {
      mask.words[row * mask.rowWords + word].forEachRun { first, end in
        let run = word << 6 + first..<word << 6 + end
        if let last = runs.last, last.upperBound == run.lowerBound {
          runs[runs.count - 1] = last.lowerBound..<run.upperBound
        } else {
          runs.append(run)
        }
      }
    }
    return runs
  }

  private mutating func root(_ run: Int) -> Int {
    var run = run
    while parents[run] != run {
      parents[run] = parents[parents[run]]
      run = parents[run]
    }
    return run
  }

  private mutating func join(_ one: Int, _ other: Int) {
    let (low, high) = (root(one), root(other))
    parents[max(low, high)] = min(low, high)
  }
}

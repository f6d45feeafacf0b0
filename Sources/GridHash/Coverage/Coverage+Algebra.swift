/// Set algebra, tile by tile. Both sides must be of one grid: to join coverages of different radii, explore the
/// kept fixes again.
extension Coverage {
  /// Adds the cells of another coverage. Returns how many were new.
  ///
  /// - Precondition: both have the same grid.
  /// - Complexity: O(tiles of the other).
  @discardableResult
  public mutating func formUnion(_ other: Coverage) -> Int {
    precondition(grid == other.grid, "coverages of two grids")
    if table === other.table { return 0 }
    let before = count
    if isEmpty {
      // The other's table is shared until one of the two changes.
      table = other.table
      count = other.count
      return count
    }
    makeUnique()
    let mine = table.state
    let theirs = other.table.state.pointee
    for index in 0..<theirs.count {
      let source = theirs.words(at: index)
      guard let words = mine.pointee.find(theirs.keys[index]) else {
        mine.pointee.append(key: theirs.keys[index], copying: source)
        count += Coverage.count(source, TileTable.rows)
        continue
      }
      var added = 0
      for row in 0..<TileTable.rows {
        let new = source[row] & ~words[row]
        if new != 0 {
          words[row] |= new
          added &+= new.nonzeroBitCount
        }
      }
      count &+= added
    }
    return count - before
  }

  /// The cells in either coverage.
  ///
  /// - Precondition: both have the same grid.
  public func union(_ other: Coverage) -> Coverage {
    var result = tileCount >= other.tileCount ? self : other
    result.formUnion(tileCount >= other.tileCount ? other : self)
    return result
  }

  /// The cells in both coverages.
  ///
  /// - Precondition: both have the same grid.
  public func intersection(_ other: Coverage) -> Coverage {
    precondition(grid == other.grid, "coverages of two grids")
    return tileCount <= other.tileCount
      ? combined(with: other, { $0 & $1 }) : other.combined(with: self, { $0 & $1 })
  }

  /// The cells of this coverage that are not in the other.
  ///
  /// - Precondition: both have the same grid.
  public func subtracting(_ other: Coverage) -> Coverage {
    precondition(grid == other.grid, "coverages of two grids")
    return combined(with: other) { $0 & ~$1 }
  }

  /// The cells in exactly one of the two coverages.
  ///
  /// - Precondition: both have the same grid.
  public func symmetricDifference(_ other: Coverage) -> Coverage {
    subtracting(other).union(other.subtracting(self))
  }

  /// Each band of this coverage joined with the other's at its key, row by row; empty tiles are left out.
  @inline(__always)
  private func combined(with other: Coverage, _ join: (UInt64, UInt64) -> UInt64) -> Coverage {
    var result = Coverage(grid: grid)
    let mine = table.state.pointee
    let theirs = other.table.state.pointee
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: TileTable.rows) { joined in
      guard let words = joined.baseAddress else { return }
      for index in 0..<mine.count {
        let source = mine.words(at: index)
        let found = theirs.find(mine.keys[index])
        for row in 0..<TileTable.rows { words[row] = join(source[row], found?[row] ?? 0) }
        let count = Coverage.count(words, TileTable.rows)
        if count == 0 { continue }
        result.table.state.pointee.append(key: mine.keys[index], copying: words)
        result.count += count
      }
    }
    return result
  }

  /// The set bits of so many words, those of a tile by default.
  @inline(__always)
  static func count(_ words: UnsafePointer<UInt64>, _ length: Int = 64) -> Int {
    var count = 0
    for row in 0..<length { count &+= words[row].nonzeroBitCount }
    return count
  }
}

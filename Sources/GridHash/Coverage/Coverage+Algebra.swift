/// Set algebra, tile by tile. Both coverages must have the same grid. To combine coverages of
/// different radii, explore the kept fixes again.
extension Coverage {
  /// Adds the cells of another coverage. Returns the number of new cells.
  ///
  /// - Precondition: both have the same grid.
  /// - Complexity: O(tiles of the other), plus O(tiles) if this value shares its memory with
  ///   another.
  @discardableResult
  public mutating func formUnion(_ other: Coverage) -> Int {
    precondition(grid == other.grid, "coverages of two grids")
    if table === other.table { return 0 }
    let before = count
    if isEmpty {
      // The table is shared until one of the two coverages changes.
      table = other.table
      count = other.count
      return count
    }
    let theirs = other.table.state.pointee
    // Sound: `entries` has an element for each band of the other table, and the first loop writes
    // them all. `other` keeps that table alive, and nothing here changes it.
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: theirs.count) { entries in
      // All keys are looked up before anything is copied, so that memory is reserved once.
      var missing = 0
      for index in 0..<theirs.count {
        let entry = table.state.pointee.entry(of: theirs.keys[index])
        entries[index] = entry
        if entry == 0 { missing += 1 }
      }
      if isKnownUniquelyReferenced(&table) {
        table.state.pointee.reserve(missing)
      } else {
        table = table.copy(reserving: missing)
      }
      let mine = table.state
      for index in 0..<theirs.count {
        let source = theirs.words(at: index)
        if entries[index] == 0 {
          mine.pointee.append(key: theirs.keys[index], copying: source)
          count &+= Coverage.count(source, TileTable.rows)
        } else {
          count &+= Coverage.join(source, into: mine.pointee.words(at: Int(entries[index]) - 1))
        }
      }
    }
    return count - before
  }

  /// The cells in either coverage.
  ///
  /// - Precondition: both have the same grid.
  public func union(_ other: Coverage) -> Coverage {
    let isLarger = table.state.pointee.count >= other.table.state.pointee.count
    var result = isLarger ? self : other
    result.formUnion(isLarger ? other : self)
    return result
  }

  /// The cells in both coverages.
  ///
  /// - Precondition: both have the same grid.
  public func intersection(_ other: Coverage) -> Coverage {
    precondition(grid == other.grid, "coverages of two grids")
    return table.state.pointee.count <= other.table.state.pointee.count
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
  package func symmetricDifference(_ other: Coverage) -> Coverage {
    precondition(grid == other.grid, "coverages of two grids")
    var result = combined(with: other, ^)
    let mine = table.state.pointee
    let theirs = other.table.state.pointee
    // Sound: `self` and `other` keep both tables alive, and only that of `result` changes.
    for index in 0..<theirs.count where mine.entry(of: theirs.keys[index]) == 0 {
      let source = theirs.words(at: index)
      result.table.state.pointee.append(key: theirs.keys[index], copying: source)
      result.count += Coverage.count(source, TileTable.rows)
    }
    return result
  }

  /// Combines each band of this coverage with the other's band of the same key, row by row. Empty
  /// tiles are left out.
  @inline(__always)
  private func combined(with other: Coverage, _ join: (UInt64, UInt64) -> UInt64) -> Coverage {
    var result = Coverage(grid: grid)
    let mine = table.state.pointee
    let theirs = other.table.state.pointee
    // Sound: each round writes all the words before it reads them. Bands have `rows` words, in
    // tables that `self` and `other` keep alive.
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

  /// Adds the cells of a band to another. Returns the number of new cells.
  ///
  /// Sound: both point to the `rows` words of a band.
  @inline(__always)
  private static func join(_ source: UnsafePointer<UInt64>, into words: TileTable.Words) -> Int {
    var added = 0
    for row in 0..<TileTable.rows {
      let new = source[row] & ~words[row]
      if new != 0 {
        words[row] |= new
        added &+= new.nonzeroBitCount
      }
    }
    return added
  }

  /// The number of set bits in `length` words, those of a tile by default.
  ///
  /// Sound: `words` points to at least `length` words, which the caller keeps alive during the
  /// call.
  @inline(__always)
  static func count(_ words: UnsafePointer<UInt64>, _ length: Int = 64) -> Int {
    var count = 0
    for row in 0..<length { count &+= words[row].nonzeroBitCount }
    return count
  }
}

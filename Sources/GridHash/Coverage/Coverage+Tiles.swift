extension Coverage {
  /// The keys of the tiles, ascending.
  var orderedKeys: [Int64] {
    let state = table.state.pointee
    var keys: [Int64] = []
    // Sound: the first `count` keys are initialized, and this value keeps their table alive.
    for band in UnsafeBufferPointer(start: state.keys, count: state.count).sorted() {
      let key = TileTable.State.tile(ofBand: band)
      if keys.last != key { keys.append(key) }
    }
    return keys
  }

  /// The tiles in order of their keys, as they are now. Later changes to the coverage do not affect
  /// them.
  package var tiles: some Sequence<(key: Int64, tile: Tile)> {
    let coverage = self
    return orderedKeys.lazy.map { key in (key, coverage.tile(at: key) ?? Tile()) }
  }

  /// The keys of the tiles, ascending.
  package var tileKeys: [Int64] { orderedKeys }

  /// Copies the 64 rows of the tile with this key, the southernmost first, without allocating
  /// memory. Returns false if nothing in it is explored; the rows are zeros then.
  ///
  /// - Precondition: `rows` has room for 64 words.
  /// - Complexity: O(1).
  package func copyTile(at key: Int64, into rows: UnsafeMutableBufferPointer<UInt64>) -> Bool {
    guard rows.count >= 64, let base = rows.baseAddress else {
      preconditionFailure("a tile has 64 rows")
    }
    // Sound: 64 words are initialized here before they are written again.
    base.initialize(repeating: 0, count: 64)
    return table.state.pointee.copyTile(key, into: base)
  }
}

extension Coverage {
  /// The range of rows with an explored cell; nil if nothing is explored.
  package var rowBounds: ClosedRange<Int32>? {
    guard !isEmpty else { return nil }
    let state = table.state.pointee
    var (south, north) = (Int32.max, Int32.min)
    for index in 0..<state.count {
      let key = state.keys[index]
      let base =
        grid.firstCell(ofTile: TileTable.State.tile(ofBand: key)).row
        + Int32(TileTable.State.firstRow(ofBand: key))
      guard base < south || base + Int32(TileTable.rows) > north else { continue }
      // Sound: `index` is below `count`, and a band has `rows` words.
      let words = state.words(at: index)
      for row in 0..<TileTable.rows where words[row] != 0 {
        south = min(south, base + Int32(row))
        north = max(north, base + Int32(row))
      }
    }
    return south...north
  }

  /// The range of columns with an explored cell, counted from 180° W: nearly all columns if the
  /// coverage crosses ±180°. Nil if nothing is explored.
  package var columnBounds: ClosedRange<Int32>? {
    guard !isEmpty else { return nil }
    let state = table.state.pointee
    var (west, east) = (Int32.max, Int32.min)
    for index in 0..<state.count {
      let base = grid.firstCell(ofTile: TileTable.State.tile(ofBand: state.keys[index])).column
      guard base < west || base + 63 > east else { continue }
      // Sound: `index` is below `count`, and a band has `rows` words.
      let words = state.words(at: index)
      let all = (0..<TileTable.rows).reduce(0) { $0 | words[$1] }
      west = min(west, base + Int32(all.trailingZeroBitCount))
      east = max(east, base + 63 - Int32(all.leadingZeroBitCount))
    }
    return west...east
  }
}

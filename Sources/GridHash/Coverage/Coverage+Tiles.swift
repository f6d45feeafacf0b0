extension Coverage {
  /// The keys of the tiles, ascending.
  var orderedKeys: [Int64] {
    UnsafeBufferPointer(start: table.state.pointee.keys, count: tileCount).sorted()
  }

  /// The tiles in order of their keys, as they are now: changing the coverage later does not change them.
  public var tiles: some Sequence<(key: Int64, tile: Tile)> {
    let coverage = self
    return orderedKeys.lazy.map { key in (key, coverage.tile(at: key) ?? Tile()) }
  }

  /// The keys of the tiles, ascending.
  public var tileKeys: [Int64] { orderedKeys }
}

import SQLiteLayer

extension DerivedComparison {
  /// Compares the coverage. A stored tile that cannot be read, or whose row has another number of
  /// cells, is left to the check of tiles.
  ///
  /// - Complexity: O(tiles).
  func compareCoverage(_ step: inout StoreCheck.Step) throws(DatabaseError) {
    let sql = "SELECT key, bits, cells FROM coverage_tiles ORDER BY key"
    let own = try Statement(sql, on: stored)
    let other = try Statement(sql, on: expected)
    var (hasOwn, hasOther) = (try own.step(), try other.step())
    while hasOwn || hasOther {
      let (ownKey, otherKey) = (own.int64(at: 0), other.int64(at: 0))
      let ownTile = try? own.withBytes(at: 1) { (bytes) throws(DatabaseError) in
        try stored.tile(from: bytes, key: ownKey)
      }
      if hasOwn, !hasOther || ownKey < otherKey {
        step.add(
          "tile \(ownKey): no source explored its \(own.int64(at: 2)) cells", isMendable: true)
        step.count += ownTile?.count ?? 0
        hasOwn = try own.step()
      } else if hasOther, !hasOwn || otherKey < ownKey {
        step.add("tile \(otherKey) with \(other.int64(at: 2)) cells is missing", isMendable: true)
        hasOther = try other.step()
      } else {
        let otherTile = try other.withBytes(at: 1) { (bytes) throws(DatabaseError) in
          try expected.tile(from: bytes, key: ownKey)
        }
        if let ownTile, ownTile != otherTile {
          step.add(
            "tile \(ownKey): no source explored \(ownTile.subtracting(otherTile).count) cells, "
              + "and \(otherTile.subtracting(ownTile).count) cells are missing", isMendable: true)
        }
        step.count += ownTile?.count ?? 0
        (hasOwn, hasOther) = (try own.step(), try other.step())
      }
    }
  }
}

/// The invariants of a tile table. Its tests check them after every operation; debug builds check
/// them whenever the table grows (``TileTable/State/checkAfterGrowing()``).
extension TileTable.State {
  /// A description of a violated invariant; nil if there is none.
  ///
  /// - Every list has room for its elements, and the slots are at most three quarters full.
  /// - Each band has one slot, which is found from its key, so no two have the same key.
  /// - Keys are not negative.
  /// - No band is empty.
  /// - The cached recent bands are where the table has them.
  ///
  /// - Parameter allowsEmptyBands: true if a band may be empty, as it is between being added and
  ///   getting its first cell.
  /// - Complexity: O(bands).
  func violation(allowingEmptyBands allowsEmptyBands: Bool = false) -> String? {
    if count > keyCapacity { return "\(count) bands, and room for \(keyCapacity) keys" }
    if chunkCount > chunkCapacity { return "\(chunkCount) chunks, and room for \(chunkCapacity)" }
    if 4 * count > 3 * slotCount { return "\(count) bands in \(slotCount) slots" }
    let filled = (0..<slotCount).count { slots[$0] != 0 }
    if filled != count { return "\(count) bands, and \(filled) slots that are filled" }
    for index in 0..<count {
      let key = keys[index]
      if key < 0 { return "band \(index) has the key \(key)" }
      if entry(of: key) != UInt32(index + 1) { return "band \(index) is not found by its key" }
      let words = words(at: index)
      if !allowsEmptyBands, (0..<TileTable.rows).allSatisfy({ words[$0] == 0 }) {
        return "band \(index) is empty"
      }
    }
    for place in 0..<4 {
      let (key, words) = recent[place]
      if let words, find(key) != words { return "the last band asked for is elsewhere" }
    }
    return nil
  }

  /// Traps in a debug build if an invariant is violated.
  @inline(__always)
  func checkAfterGrowing() {
    assert(violation(allowingEmptyBands: true) == nil, "a tile table is inconsistent")
  }
}

extension Coverage {
  /// A description of what is wrong with the coverage's table or count; nil for nothing.
  /// Complexity: O(bands).
  var violation: String? {
    let state = table.state.pointee
    if let violation = state.violation() { return violation }
    var cells = 0
    for index in 0..<state.count {
      let tile = TileTable.State.tile(ofBand: state.keys[index])
      if tile >= Int64(grid.tileCount) { return "band \(index) is outside the grid" }
      cells += Coverage.count(state.words(at: index), TileTable.rows)
    }
    return cells == count ? nil : "\(cells) cells, and a count of \(count)"
  }
}

import GridHash
import SQLiteLayer

extension StoreChecker {
  /// Compares the texts of the tables with those of a new store. A user's own additions are
  /// accepted unless they change or refuse the rows that the store writes.
  func schemaDifferences() throws(DatabaseError) -> [SchemaDifference] {
    try SchemaDifference.all(in: store, against: scratch)
  }

  /// Adds differences of the schema and the number of its objects to a step.
  func add(_ differences: [SchemaDifference], to step: inout StoreCheck.Step) throws(DatabaseError)
  {
    step.count = Int(
      try scratch.integer("SELECT count(*) FROM sqlite_schema WHERE sql NOTNULL") ?? 0)
    for difference in differences {
      step.add(difference.description, isMendable: difference.isRepairable)
    }
    guard !differences.contains(where: { $0.name == "revision" }) else { return }
    try Self.note(in: &step, isMendable: true) { () throws(DatabaseError) in
      _ = try store.regionRevision()
    }
  }

  func checkTiles(_ step: inout StoreCheck.Step, settings: StoreSettings) throws(DatabaseError) {
    let grid = settings.grid
    let select = try Statement(
      """
      SELECT key, cells, bits, 'explored', 1 FROM coverage_tiles
      UNION ALL SELECT key, cells, bits, 'source ' || source_id, 0 FROM source_tiles
      """, on: store)
    while try select.step() {
      let key = select.int64(at: 0)
      let tile = try? select.withBytes(at: 2) { (bytes) throws(DatabaseError) in
        try store.tile(from: bytes, key: key)
      }
      let problem: String?
      if let tile {
        problem =
          !grid.accepts(tile, at: key)
          ? "is not on the grid"
          : tile.count != select.int(at: 1)
            ? "has \(tile.count) cells, but its row says \(select.int(at: 1))" : nil
      } else {
        problem = "cannot be read"
      }
      if let problem {
        step.add(
          "tile \(key) (\(select.text(at: 3) ?? "")) \(problem)", isMendable: select.int(at: 4) == 1
        )
      }
      step.count += 1
    }
  }
}

import CSQLite
import GridHash

/// Looks over one state of a store, subject by subject.
struct StoreChecker {
  private let store: Connection
  private let settings: StoreSettings
  private let options: StoreOptions
  /// A database of its own, with the tables that the store should have.
  private let scratch: Connection
  private let isQuick: Bool

  init(snapshot: Snapshot, options: StoreOptions, isQuick: Bool) throws(StoreError) {
    store = snapshot.connection
    settings = snapshot.settings
    self.options = options
    self.isQuick = isQuick
    scratch = try Connection.temporary(for: store.path)
  }

  /// Looks at everything.
  func run() throws(StoreError) -> StoreCheck {
    var check = StoreCheck(isQuick: isQuick)
    check.steps.append(try look(at: .database, checkDatabase))
    guard check.isSound else { return check }
    check.steps.append(try look(at: .references, checkReferences))
    check.steps.append(try look(at: .schema, checkSchema))
    guard !isQuick, check.isSound else { return check }
    check.steps.append(try look(at: .sources, checkSources))
    check.steps.append(try look(at: .tiles, checkTiles))
    guard check.isSound else { return check }
    check.steps += try compareDerivedTables()
    return check
  }

  /// Damage that is met while looking is a difference.
  private func look(
    at subject: StoreCheck.Subject, _ body: (inout StoreCheck.Step) throws(StoreError) -> Void
  ) throws(StoreError) -> StoreCheck.Step {
    var step = StoreCheck.Step(subject)
    do throws(StoreError) {
      try body(&step)
    } catch {
      guard case .damaged(_, let detail, _) = error else { throw error }
      step.add(detail)
    }
    return step
  }

  private func checkDatabase(_ step: inout StoreCheck.Step) throws(StoreError) {
    step.count = Int(try store.integer("PRAGMA page_count") ?? 0)
    let select = try Statement("PRAGMA integrity_check(\(StoreCheck.differenceLimit))", on: store)
    while try select.step() {
      let line = select.text(at: 0) ?? ""
      if line != "ok" { step.add(line) }
    }
  }

  private func checkReferences(_ step: inout StoreCheck.Step) throws(StoreError) {
    for table in ["kept_fixes", "visits", "source_tiles", "source_regions", "stated_visits"] {
      step.count += Int(try store.integer("SELECT count(*) FROM \(table)") ?? 0)
    }
    let select = try Statement("PRAGMA foreign_key_check", on: store)
    while try select.step() {
      let row = select.isNull(at: 1) ? "a row" : "row \(select.int64(at: 1))"
      step.add("\(row) of \(select.text(at: 0) ?? "") names no row of \(select.text(at: 2) ?? "")")
    }
  }

  /// Compares the tables' texts with those of a new store. What a user added stands beside them.
  private func checkSchema(_ step: inout StoreCheck.Step) throws(StoreError) {
    let expected = try Statement(
      "SELECT type, name, sql FROM sqlite_schema WHERE sql NOTNULL ORDER BY rowid", on: scratch)
    let find = try Statement("SELECT sql FROM sqlite_schema WHERE type = ?1 AND name = ?2", on: store)
    while try expected.step() {
      let (type, name) = (expected.text(at: 0) ?? "", expected.text(at: 1) ?? "")
      find.bind(type, at: 1)
      find.bind(name, at: 2)
      if try !find.step() {
        step.add("the \(type) \(name) is missing")
      } else if find.text(at: 0) != expected.text(at: 2) {
        step.add("the \(type) \(name) is not the one that Roqua made")
      }
      find.reset()
      step.count += 1
    }
  }

  private func checkSources(_ step: inout StoreCheck.Step) throws(StoreError) {
    var kept: [Int64: Int] = [:]
    for chunk in try store.chunkIDs() {
      let stated = try chunkCount(chunk.id)
      kept[chunk.source, default: 0] += stated
      do throws(StoreError) {
        let found = try store.keptFixes(inChunk: chunk.id).count
        if found != stated || found == 0 {
          step.add("chunk \(chunk.id) of source \(chunk.source) has \(found) fixes, its row says \(stated)")
        }
      } catch {
        step.add("chunk \(chunk.id) of source \(chunk.source) cannot be read")
      }
    }
    // Damage that is met there is a difference.
    try AdoptedRegions.forEach(in: store) { _ in }
    for source in try store.sources() {
      let found = kept[source.id] ?? 0
      if found != source.kept {
        step.add("source \(source.id) has \(found) kept fixes, its row says \(source.kept)")
      }
      step.count += 1
    }
  }

  private func chunkCount(_ id: Int64) throws(StoreError) -> Int {
    let select = try store.cached("SELECT count FROM kept_fixes WHERE id = ?1")
    defer { select.reset() }
    select.bind(id, at: 1)
    return try select.step() ? select.int(at: 0) : 0
  }

  private func checkTiles(_ step: inout StoreCheck.Step) throws(StoreError) {
    let grid = try settings.grid()
    let select = try Statement(
      """
      SELECT key, cells, bits, 'explored' FROM coverage_tiles
      UNION ALL SELECT key, cells, bits, 'source ' || source_id FROM source_tiles
      """, on: store)
    while try select.step() {
      let key = select.int64(at: 0)
      let tile = try? select.withBytes(at: 2) { (bytes) throws(StoreError) in
        try store.tile(from: bytes, key: key)
      }
      let problem: String?
      if let tile {
        problem =
          !grid.accepts(tile, at: key)
          ? "is not on the grid"
          : tile.count != select.int(at: 1)
            ? "has \(tile.count) cells, its row says \(select.int(at: 1))" : nil
      } else {
        problem = "cannot be read"
      }
      if let problem { step.add("tile \(key) (\(select.text(at: 3) ?? "")) \(problem)") }
      step.count += 1
    }
  }

  /// Builds regions, visits and coverage anew beside the store, and compares.
  private func compareDerivedTables() throws(StoreError) -> [StoreCheck.Step] {
    // Names of places are not compared, so none is looked for.
    let quiet = StoreOptions(now: options.now)
    try scratch.writeTransaction { () throws(StoreError) in
      try Rebuild.run(from: store, into: scratch, settings: settings, options: quiet)
    }
    let comparison = DerivedComparison(stored: store, expected: scratch)
    var visits = StoreCheck.Step(.visits)
    let regions = try look(at: .regions) { (step) throws(StoreError) in
      try comparison.compareRegions(&step, visits: &visits)
    }
    return [regions, visits, try look(at: .coverage, comparison.compareCoverage)]
  }
}

extension Connection {
  /// A new database with the store's tables in a file without a name, which SQLite deletes when it is closed.
  static func temporary(for path: String) throws(StoreError) -> Connection {
    let connection = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, name: "")
    // Nobody needs it after a crash.
    _ = try connection.text("PRAGMA journal_mode = OFF")
    try connection.execute("PRAGMA synchronous = OFF")
    try connection.execute("PRAGMA cache_size = \(Pragmas.cachePages)")
    for step in Schema.migrations { try connection.execute(step) }
    return connection
  }
}

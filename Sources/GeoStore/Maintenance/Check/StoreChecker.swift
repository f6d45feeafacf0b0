import CSQLite
import GridHash
import SQLiteLayer

/// Checks one state of a store, subject by subject. Extensions check the schema, the sources and
/// the tiles.
struct StoreChecker {
  let store: Connection
  let options: StoreOptions
  /// A separate database with the tables that the store should have.
  let scratch: Connection
  private let isQuick: Bool

  init(store: Connection, options: StoreOptions, isQuick: Bool) throws(DatabaseError) {
    self.store = store
    self.options = options
    self.isQuick = isQuick
    scratch = try Connection.temporary(for: store.path, format: Schema.format)
    scratch.cacheLimitBytes = options.writerCacheBytes
  }

  /// Runs all checks that are possible.
  func run() throws(DatabaseError) -> StoreCheck {
    var check = StoreCheck(isQuick: isQuick)
    var schema: [SchemaDifference] = []
    check.steps.append(
      try look(at: .database) { (step) throws(DatabaseError) in
        schema = try schemaDifferences()
        try checkDatabase(&step, except: schema)
      })
    guard check.isSound else { return check }
    let tablesAreWhole = schema.allSatisfy { $0.type != "table" }
    if tablesAreWhole { check.steps.append(try look(at: .references, checkReferences)) }
    check.steps.append(
      try look(at: .schema) { (step) throws(DatabaseError) in try add(schema, to: &step) })
    guard tablesAreWhole else { return check }
    check.steps.append(try look(at: .erasure, checkErasure))
    if isQuick { return check }
    check.steps.append(try look(at: .zones, checkZones))
    check.steps.append(try look(at: .sources, checkSources))
    check.steps.append(try look(at: .achievements, checkAchievements))
    let settings = try StoreSettings.read(from: store)
    check.steps.append(
      try look(at: .tiles) { (step) throws(DatabaseError) in
        try checkTiles(&step, settings: settings)
      })
    // Derived data of damaged rows would only repeat the differences.
    guard check.canBeRepaired else { return check }
    check.steps += try compareDerivedTables(settings)
    return check
  }

  /// Records damage found in one row, so that the other rows are still checked.
  static func note(
    in step: inout StoreCheck.Step, isMendable: Bool, _ body: () throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    do throws(DatabaseError) {
      try body()
    } catch {
      guard case .damaged(_, let detail, nil) = error else { throw error }
      step.add(detail, isMendable: isMendable)
    }
  }

  /// Runs a check, and records damage found on the way as a difference.
  private func look(
    at subject: StoreCheck.Subject, _ body: (inout StoreCheck.Step) throws(DatabaseError) -> Void
  ) throws(DatabaseError) -> StoreCheck.Step {
    var step = StoreCheck.Step(subject)
    WorkMeter.current?.begin(.checking(subject.rawValue))
    do throws(DatabaseError) {
      try body(&step)
    } catch {
      guard case .damaged(_, let detail, _) = error else { throw error }
      step.add(detail, isMendable: false)
    }
    return step
  }

  /// Runs SQLite's integrity check over the whole file, or over each table except those whose text
  /// is not Roqua's: the check would compute their generated columns and constraints, which may be
  /// arbitrarily expensive.
  private func checkDatabase(
    _ step: inout StoreCheck.Step, except schema: [SchemaDifference]
  ) throws(DatabaseError) {
    step.count = Int(try store.integer("PRAGMA page_count") ?? 0)
    let altered = Set(schema.filter { $0.foundType == "table" }.map { $0.name.foldedSchemaName })
    var arguments = ["\(StoreCheck.differenceLimit)"]
    if !altered.isEmpty {
      arguments = try store.tableNames().filter { !altered.contains($0.foldedSchemaName) }.map {
        "'\($0.replacing("'", with: "''"))'"
      }
    }
    for argument in arguments {
      let select = try Statement("PRAGMA integrity_check(\(argument))", on: store)
      while try select.step() {
        // A row can have several findings, after a title.
        for line in (select.text(at: 0) ?? "").split(separator: "\n")
        where line != "ok" && !line.hasPrefix("*** in database") {
          step.add(String(line), isMendable: false)
        }
      }
    }
  }

  private func checkReferences(_ step: inout StoreCheck.Step) throws(DatabaseError) {
    for table in [
      "kept_fixes", "repeat_visits", "source_tiles", "source_regions", "stated_visits",
      "adopted_times",
    ] {
      step.count += Int(try store.integer("SELECT count(*) FROM \(table)") ?? 0)
    }
    let select = try Statement("PRAGMA foreign_key_check", on: store)
    while try select.step() {
      let table = select.text(at: 0) ?? ""
      let row = select.isNull(at: 1) ? "a row" : "row \(select.int64(at: 1))"
      step.add(
        "\(row) of \(table) refers to a missing row of \(select.text(at: 2) ?? "")",
        isMendable: false)
    }
    for table in Schema.tablesOfRegions {
      let strays = try Statement(
        """
        SELECT DISTINCT region_id FROM \(table) t
        WHERE NOT EXISTS (SELECT 1 FROM regions WHERE id = t.region_id)
        """, on: store)
      while try strays.step() {
        let region = strays.text(at: 0) ?? ""
        step.add("\(table) has rows of region \(region), which is missing", isMendable: true)
      }
    }
  }

  private func checkZones(_ step: inout StoreCheck.Step) throws(DatabaseError) {
    let select = try Statement("SELECT \(StoredZone.columns) FROM zones", on: store)
    while try select.step() {
      try Self.note(in: &step, isMendable: false) { () throws(DatabaseError) in
        _ = try StoredZone(row: select)
      }
      step.count += 1
    }
  }

  private func checkErasure(_ step: inout StoreCheck.Step) throws(DatabaseError) {
    if let since = try store.text("SELECT since FROM erasure") {
      step.count = 1
      step.add("data deleted at \(since) is still in the file", isMendable: true)
    }
  }

  /// Rebuilds regions, visits and coverage in a temporary database and compares them with the
  /// stored ones.
  private func compareDerivedTables(_ settings: StoreSettings) throws(DatabaseError) -> [StoreCheck
    .Step]
  {
    try scratch.writeTransaction { () throws(DatabaseError) in
      try Rebuild.run(from: store, into: scratch, settings: settings, options: options)
    }
    let comparison = DerivedComparison(stored: store, expected: scratch)
    var (visits, places) = (StoreCheck.Step(.visits), StoreCheck.Step(.places))
    places.isSkipped = !options.namesPlaces
    let regions = try look(at: .regions) { (step) throws(DatabaseError) in
      try comparison.compareRegions(&step, visits: &visits, places: &places)
    }
    return [regions, visits, places, try look(at: .coverage, comparison.compareCoverage)]
  }
}

import CSQLite
import Testing

@testable import GeoStore

/// Stores of older versions. Released steps never change, so a database made of the first of them is one of that time.
enum OldStore {
  /// Tables with what they hold, as they were in a version; those that a version does not have yet are left out.
  static func tables(version: Int) -> [(table: String, columns: String, values: String)] {
    let region = """
      id, latitude, longitude, radius, timestamp_start, timestamp_end, visit_count, city, district, country,
      country_code, geohash, accuracy, created_at, updated_at, region
      """
    var tables = ["settings", "sources", "kept_fixes", "visits", "coverage_tiles", "sqlite_sequence"]
      .map { (table: $0, columns: "", values: "*") }
    // Any number: nothing but version 1 and 2 themselves ever read `cell`.
    tables.append(
      version < 3
        ? ("visited_regions", "(\(region), cell)", "\(region), id * 7")
        : ("visited_regions", "(\(region))", region))
    if version >= 2 { tables.append(("source_tiles", "", "*")) }
    if version >= 5 { tables += [("source_regions", "", "*"), ("stated_visits", "", "*")] }
    return tables
  }

  /// Makes a store of a version that holds what one of now does.
  static func make(at path: String, version: Int, from new: Store) throws {
    let old = try Connection(path: path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    for step in Schema.migrations[..<version] { try old.execute(step) }
    try old.execute("PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(version)")
    let attach = try Statement("ATTACH ?1 AS new", on: old)
    attach.bind(new.path, at: 1)
    try attach.run()
    for (table, columns, values) in tables(version: version) {
      try old.execute("INSERT INTO main.\(table) \(columns) SELECT \(values) FROM new.\(table)")
    }
  }
}

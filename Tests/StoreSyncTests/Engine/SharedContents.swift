import SQLiteLayer

@testable import GeoStore

/// All that devices share of a store, as lines of text: sources by their SHA-256 instead of their
/// numbers, and everything that is derived.
struct SharedContents: Equatable {
  let lines: [String]

  init(_ store: Store) throws {
    let columns = SourceRecord.columnNames.joined(separator: ", ")
    let queries = [
      "SELECT json_array('source', sha256, withheld, kept, \(columns)) FROM sources ORDER BY 1",
      """
      SELECT json_array('region', r.id, latitude_e7, longitude_e7, accuracy, radius, start_ms,
        end_ms, visit_count, m.sha256, c.sha256, city, country)
      FROM regions r LEFT JOIN places p ON p.id = r.place_id
        LEFT JOIN sources m ON m.id = made_by LEFT JOIN sources c ON c.id = changed_by
      ORDER BY r.id
      """,
      "SELECT json_array('visits', region_id, block, visits) FROM repeat_visits ORDER BY 1",
      """
      SELECT json_array('stated', region_id, start_ms, end_ms, visit_count) FROM stated_visits
      ORDER BY 1
      """,
      "SELECT json_array('times', region_id, created_at, updated_at) FROM adopted_times ORDER BY 1",
      "SELECT json_array('place', city, country) FROM places ORDER BY 1",
      "SELECT json_array('tile', key, cells, hex(bits)) FROM coverage_tiles ORDER BY key",
      """
      SELECT json_array('own tile', sha256, key, cells, hex(bits))
      FROM source_tiles t JOIN sources s ON s.id = source_id ORDER BY 1
      """,
      """
      SELECT json_array('own region', sha256, latitude, longitude, visit_count, original)
      FROM source_regions r JOIN sources s ON s.id = source_id ORDER BY r.id
      """,
      """
      SELECT json_array('zone', uid, name, latitude_e7, longitude_e7, radius, added_at)
      FROM zones ORDER BY uid
      """,
      """
      SELECT json_array('setting', key, value) FROM settings
      WHERE key NOT IN ('units', 'colorScheme', 'colorTheme') ORDER BY key
      """,
      "SELECT json_array('tier', id, tier, unlocked_ms, given_at) FROM achievements ORDER BY 1",
    ]
    lines = try store.read { snapshot in
      var lines: [String] = []
      for sql in queries {
        let select = try Statement(sql, on: snapshot.connection)
        while try select.step() { lines.append(select.text(at: 0) ?? "NULL") }
      }
      var hashes: [Int64: String] = [:]
      let sources = try Statement("SELECT id, sha256 FROM sources", on: snapshot.connection)
      while try sources.step() { hashes[sources.int64(at: 0)] = sources.text(at: 1) }
      try snapshot.connection.forEachChunkOfKeptFixes { (fixes, source) in
        for fix in fixes {
          let hash = hashes[source]?.prefix(6) ?? "?"
          lines.append(
            "fix \(hash) \(fix.coordinate.latitudeE7) \(fix.coordinate.longitudeE7) "
              + "\(fix.time?.millisecondsSince1970 ?? -1) \(fix.accuracyCentimeters ?? 0) "
              + "\(fix.startsSegment) \(fix.isInFlight) \(fix.endsFlightLeg)")
        }
      }
      return lines
    }
  }

  /// The first lines that only one of two stores has.
  func differences(from other: SharedContents) -> [String] {
    if lines == other.lines { return [] }
    let (own, others) = (Set(lines), Set(other.lines))
    let found =
      own.subtracting(others).sorted().prefix(4).map { "- " + $0.prefix(240) }
      + others.subtracting(own).sorted().prefix(4).map { "+ " + $0.prefix(240) }
    return found.isEmpty ? ["the order differs"] : found
  }
}

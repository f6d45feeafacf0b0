import Geodesy
import TestSupport
import Testing

/// Invalid values in a store that no writer produces: commands report where they are, and `roqua
/// check` lists them.
@Suite struct ForgedStoreTests {
  /// A forged value, a command that reads it, and the command's error.
  private struct Forgery: Sendable {
    let sql: String
    let arguments: [String]
    /// Nil if the command does not read the value.
    let message: String?
    /// The difference that `roqua check` reports.
    let difference: String
    let isMended: Bool
  }

  private static let least = "-9223372036854775808"
  private static let most = "9223372036854775807"

  /// All parts of a ``Forgery`` except the last.
  private typealias Parts = (
    sql: String, arguments: [String], message: String?, difference: String
  )

  private static let derived: [Parts] = [
    (
      "UPDATE regions SET start_ms = \(least)", ["places"],
      ": start_ms is \(least)", ": start_ms is \(least)"
    ),
    (
      "UPDATE regions SET end_ms = \(most)", ["stats", "--by", "country"],
      ": end_ms is \(most)", ": end_ms is \(most)"
    ),
    (
      "UPDATE regions SET visit_count = \(most)", ["stats"],
      ": visit_count is \(most)", ": visit_count is \(most)"
    ),
    (
      "UPDATE regions SET place_id = \(most)", ["stats"],
      ": place_id is \(most)", ": place_id is \(most)"
    ),
    (
      "UPDATE regions SET latitude_e7 = \(least)", ["near", "48.57", "7.8", "--radius", "50km"],
      ": latitude_e7 is \(least)", ": latitude_e7 is \(least)"
    ),
    (
      "UPDATE regions SET accuracy = 'many'", ["near", "48.57", "7.8", "--radius", "50km"],
      ": accuracy is \"many\"", ": accuracy is \"many\""
    ),
    (
      "UPDATE regions SET radius = \(least)", ["within", "40", "0", "50", "10"],
      ": radius is \(least)", ": radius is \(least)"
    ),
    (
      "UPDATE regions SET end_ms = 253402300800000", ["within", "40", "0", "50", "10"],
      ": end_ms is 253402300800000", ": end_ms is 253402300800000"
    ),
    (
      "UPDATE regions SET id = -5 WHERE id = (SELECT min(id) FROM regions)",
      ["stats"], nil, "regions, row -5: id is -5"
    ),
    (
      "UPDATE regions SET id = \(most) WHERE id = (SELECT min(id) FROM regions)",
      ["within", "-90", "-180", "90", "180"], "regions, row \(most): id is \(most)",
      "regions, row \(most): id is \(most)"
    ),
    (
      "UPDATE regions SET id = 1000000000000 WHERE id = (SELECT min(id) FROM regions)",
      ["stats"], nil, "id is 1000000000000, which does not match its position"
    ),
    (
      "UPDATE sqlite_sequence SET seq = 9223372036854775806 WHERE name = 'sources'",
      ["import", "again.gpx"],
      "sqlite_sequence, row sources: seq is 9223372036854775806",
      "the source counter is 9223372036854775806"
    ),
    (
      "INSERT INTO stated_visits SELECT id, NULL, NULL, \(most) FROM regions",
      ["import", "again.gpx"],
      "visit_count is \(most)", "\(most) from NULL to NULL"
    ),
    (
      "INSERT INTO stated_visits SELECT id, \(least), \(most), 2 FROM regions",
      ["import", "again.gpx"],
      "start_ms is \(least)", "2 from \(least) to \(most)"
    ),
    (
      "UPDATE revision SET regions = \(most)", ["near", "48.57", "7.8"],
      "revision, row 1: regions is \(most)",
      "revision, row 1: regions is \(most)"
    ),
    (
      "UPDATE revision SET regions = \(least)", ["near", "48.57", "7.8"],
      "revision, row 1: regions is \(least)",
      "revision, row 1: regions is \(least)"
    ),
    (
      "UPDATE coverage_tiles SET cells = \(most)", ["rebuild"], nil, "its row says \(most)"
    ),
    (
      "INSERT INTO coverage_tiles SELECT 900000000 + key, \(most), bits FROM coverage_tiles "
        + "LIMIT 2",
      ["stats"],
      "which is not on the grid", "is not on the grid"
    ),
  ]

  private static let own: [Parts] = [
    (
      "UPDATE sources SET points = \(least) WHERE id = 1", ["sources"],
      "sources, row 1: points is \(least)",
      "source 1 has an impossible count: points is \(least)"
    ),
    (
      "UPDATE sources SET kept = \(most), bytes = \(least) WHERE id = 2", ["sources"],
      "sources, row 2: bytes is",
      "source 2 has an impossible count: bytes is \(least)"
    ),
    (
      "UPDATE kept_fixes SET count = \(most)", ["stats"], "kept_fixes, row 1: count is \(most)",
      "its row says \(most)"
    ),
    (
      "UPDATE sources SET report = '{\"cells\":\(most),\"forgotten\":-1}' WHERE id = 1",
      ["check"],
      "1 difference", "cells of its own, but its report says \(most)"
    ),
    (
      "UPDATE source_regions SET radius = 1099511627776", ["rebuild"],
      "source_regions, row 1 of source 3: radius is 1099511627776",
      "source_regions, row 1 of source 3: radius is 1099511627776"
    ),
    (
      "UPDATE source_regions SET start_ms = \(least), end_ms = \(most), visit_count = 2",
      ["rebuild"],
      "row 1 of source 3: start_ms is \(least)", "row 1 of source 3: start_ms is \(least)"
    ),
    (
      "UPDATE source_regions SET visit_count = \(most)", ["rebuild"],
      "row 1 of source 3: visit_count is \(most)",
      "row 1 of source 3: visit_count is \(most)"
    ),
    (
      "INSERT INTO source_tiles SELECT 3, 0, \(most), bits FROM coverage_tiles LIMIT 1; "
        + "INSERT INTO source_tiles SELECT 3, 1, \(most), bits FROM coverage_tiles LIMIT 1",
      ["sources"],
      "source_tiles, source 3, tile 0: cells is \(most)", "its row says \(most)"
    ),
    (
      "INSERT INTO source_tiles SELECT 3, \(least), cells, bits FROM coverage_tiles LIMIT 1",
      ["rebuild"],
      "source_tiles, source 3: key is \(least)", "tile \(least) (source 3) is not on the grid"
    ),
    (
      "UPDATE sources SET id = -7 WHERE id = 2; "
        + "UPDATE kept_fixes SET source_id = -7 WHERE source_id = 2",
      ["sources"], "sources, row -7: id is -7", "source -7 has an impossible number"
    ),
  ]

  private static let all =
    derived.map {
      Forgery(
        sql: $0.sql, arguments: $0.arguments, message: $0.message, difference: $0.difference,
        isMended: true)
    }
    + own.map {
      Forgery(
        sql: $0.sql, arguments: $0.arguments, message: $0.message, difference: $0.difference,
        isMended: false)
    }

  @Test(arguments: all.indices)
  func `an impossible value gives an error that names it, a difference in the check, and no crash`(
    index: Int
  )
    throws
  {
    let forgery = Self.all[index]
    let bench = try Bench()
    try bench.importSamples()
    try bench.folder.write(#"[{"latitude":48.58,"longitude":7.76}]"#, to: "circles")
    _ = try bench.json("adopt", "--explored-circles", "circles")
    let track = PackageFolder.sample("2024-09-14-strasbourg-kehl.gpx")
    // The same route on another day.
    try bench.folder.write(
      String(contentsOfFile: track, encoding: .utf8).replacing("2024-09-14", with: "2024-09-20"),
      to: "again.gpx")
    try bench.forge("PRAGMA foreign_keys = OFF; \(forgery.sql)")
    let check = try bench.roqua("check")
    #expect(check.status == 1 && !check.wasKilled)
    #expect(check.out.contains(forgery.difference), "\(check.out)\(check.err)")
    #expect(check.err.contains("roqua check --repair repairs") == forgery.isMended, "\(check.err)")
    let result = try bench.roqua(forgery.arguments)
    #expect(!result.wasKilled, "\(forgery.sql)")
    #expect(result.status == (forgery.message == nil ? 0 : 1), "\(result.out)\(result.err)")
    #expect(result.errorLines.count == result.status, "\(result.err)")
    if let message = forgery.message { #expect(result.err.contains(message), "\(result.err)") }
    guard forgery.isMended else { return }
    let rebuilt = try bench.roqua("rebuild")
    #expect(rebuilt.status == 0, "\(rebuilt.err)")
    #expect(try bench.json("check").sound == .bool(true))
    #expect(try bench.roqua("import", "again.gpx").status == 0)
    #expect(try bench.json("stats", "--by", "country").visitedRegions.int ?? 0 > 0)
  }

  @Test func `a source with damaged numbers can be forgotten`() throws {
    let bench = try Bench()
    try bench.importSamples()
    try bench.forge("UPDATE sources SET points = \(Self.least), kept = \(Self.most) WHERE id = 2")
    #expect(try bench.roqua("sources").status == 1)
    let forgotten = try bench.json("forget", "2")
    #expect(forgotten.sources[0].id.int == 2 && forgotten.fixes.int == 0)
    #expect(try bench.json("check").sound == .bool(true))
    #expect(try bench.json("sources").sources.elements.count == 1)
  }
}

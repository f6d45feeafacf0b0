import Foundation
import Geodesy
import GeoStore
import GridHash
import Roqua
import RoquaSQL
import TestSupport
import Testing

/// The table-valued functions, against what the store's own reader gives.
@Suite struct TableFunctionTests {
  private let fixture: SQLFixture

  init() throws { fixture = try SQLFixture() }

  /// The rows that `roqua_fixes` should give, of one source or of all.
  private func expectedFixes(ofSource only: Int64? = nil) throws -> [[SQLValue]] {
    var (segment, last): (Int64, Int64) = (0, 0)
    return try fixture.keptFixes().compactMap { source, fix in
      if source != last { segment = 0 }
      if fix.startsSegment || source != last { segment += 1 }
      last = source
      guard only == nil || only == source else { return nil }
      return [
        .integer(source), .integer(segment), fix.time.map { .text($0.iso8601) } ?? .null,
        fix.time.map { .integer($0.millisecondsSince1970) } ?? .null,
        .real(fix.coordinate.latitudeDegrees), .real(fix.coordinate.longitudeDegrees),
        fix.accuracyMeters.map { .real($0) } ?? .null, .integer(fix.isInFlight ? 1 : 0),
      ]
    }
  }

  @Test func `roqua_fixes gives the kept fixes of all sources, of one, or of none`() throws {
    let all = try expectedFixes()
    #expect(try fixture.rows("SELECT * FROM roqua_fixes") == all)
    #expect(try fixture.rows("SELECT * FROM roqua_fixes(NULL)") == all)
    for source: Int64 in 1...2 {
      let rows = try fixture.rows("SELECT * FROM roqua_fixes(:id)", ["id": .integer(source)])
      #expect(rows == (try expectedFixes(ofSource: source)) && !rows.isEmpty)
    }
    #expect(try fixture.rows("SELECT * FROM roqua_fixes(3)").isEmpty)
    #expect(try fixture.rows("SELECT * FROM roqua_fixes(-9223372036854775808)").isEmpty)
  }

  @Test func `segments and flights are those of the track, also over several chunks`() throws {
    // 10 000 fixes: three chunks, with pauses and undated fixes.
    var points: [(coordinate: Coordinate, time: Timestamp?)] = []
    for index in 0..<10_000 {
      let pause = Int64(index / 1_500) * 86_400_000
      points.append(
        (
          Coordinate(40 + Double(index) * 0.001, 8),
          index % 700 == 3
            ? nil
            : Timestamp(millisecondsSince1970: 1_700_000_000_123 + Int64(index) * 20_000 + pause)
        ))
    }
    // Each of a hundred points starts a segment, as does the first.
    let text = TrackText.gpx(points).replacingOccurrences(
      of: "<trkpt lat=\"41.5", with: "</trkseg><trkseg><trkpt lat=\"41.5")
    let path = try fixture.folder.write(text, to: "long.gpx")
    #expect(try fixture.explorer.importTracks([path]).kept > 9_000)
    let all = try expectedFixes()
    #expect(try fixture.rows("SELECT * FROM roqua_fixes") == all)
    let segments = try fixture.value("SELECT max(segment) FROM roqua_fixes(3)").number ?? 0
    #expect(segments >= 100)
  }

  @Test func `rows come in order without sorting, and joins give each source its own`() throws {
    let plan = try fixture.rows(
      "EXPLAIN QUERY PLAN SELECT source_id, segment, count(*) FROM roqua_fixes GROUP BY 1, 2")
    #expect(!"\(plan)".contains("TEMP B-TREE"), "\(plan)")
    let descending = try fixture.rows(
      "EXPLAIN QUERY PLAN SELECT * FROM roqua_fixes ORDER BY source_id DESC")
    #expect("\(descending)".contains("TEMP B-TREE"), "\(descending)")
    #expect(
      try fixture.rows(
        "SELECT s.id, s.kept = count(*) FROM sources s JOIN roqua_fixes(s.id) GROUP BY s.id")
        == [[.integer(1), .integer(1)], [.integer(2), .integer(1)]])
    // The argument comes from a table on the other side of the join.
    #expect(
      try fixture.rows(
        "SELECT s.id, count(*) = s.kept FROM roqua_fixes f CROSS JOIN sources s "
          + "WHERE s.id = f.source GROUP BY s.id")
        == [[.integer(1), .integer(1)], [.integer(2), .integer(1)]])
  }

  @Test func `roqua_tracks gives the segments of all sources, of one, or of none`() throws {
    let expected = """
      SELECT source_id, segment, count(*), min(time), max(time), max(flight) FROM roqua_fixes
      GROUP BY 1, 2 ORDER BY 1, 2
      """
    let columns = "source_id, segment, fixes, start_time, end_time, flight"
    let rows = try fixture.rows("SELECT \(columns) FROM roqua_tracks")
    #expect(rows == (try fixture.rows(expected)) && rows.count >= 3)
    for source: Int64 in 1...3 {
      let rows = try fixture.rows(
        "SELECT \(columns) FROM roqua_tracks(:id)", ["id": .integer(source)])
      #expect(rows == (try fixture.rows("SELECT * FROM (\(expected)) WHERE source_id = \(source)")))
    }
    let plan = try fixture.rows(
      "EXPLAIN QUERY PLAN SELECT * FROM roqua_tracks ORDER BY source_id, segment")
    #expect(!"\(plan)".contains("TEMP B-TREE"), "\(plan)")
  }

  @Test func `roqua_cells gives the cells of the coverage, of all tiles or of one`() throws {
    let coverage = try fixture.explorer.store.read { try $0.coverage() }
    var expected: [Int64: [[SQLValue]]] = [:]
    for (key, tile) in coverage.tiles {
      let first = coverage.grid.firstCell(ofTile: key)
      for row in 0..<64 {
        for column in 0..<64 where tile[row: row] >> UInt64(column) & 1 == 1 {
          let cell = Cell(row: first.row + Int32(row), column: first.column + Int32(column))
          let center = coverage.grid.center(of: cell)
          expected[key, default: []].append([
            .integer(Int64(cell.row)), .integer(Int64(cell.column)),
            .real(center.latitudeDegrees), .real(center.longitudeDegrees), .text(cell.gridHash),
          ])
        }
      }
    }
    #expect(expected.count > 3)
    let all = expected.keys.sorted().flatMap { expected[$0] ?? [] }
    #expect(try fixture.rows("SELECT * FROM roqua_cells") == all)
    for key in expected.keys {
      #expect(
        try fixture.rows("SELECT * FROM roqua_cells(:key)", ["key": .integer(key)])
          == expected[key])
    }
    #expect(try fixture.rows("SELECT * FROM roqua_cells(1)").isEmpty)
    #expect(
      try fixture.rows(
        "SELECT count(*) FROM coverage_tiles t WHERE cells <> "
          + "(SELECT count(*) FROM roqua_cells(t.key))") == [[.integer(0)]])
  }

  @Test(arguments: ["roqua_fixes('x')", "roqua_tracks(1.5)", "roqua_cells(x'00')"])
  func `an argument that is no whole number is refused`(call: String) throws {
    let message = try fixture.failure("SELECT * FROM \(call)")
    #expect(message?.contains("must be the") == true, "\(message ?? "no error")")
  }

  @Test(arguments: ["roqua_fixes", "roqua_tracks", "roqua_cells"])
  func `a database that is no store is named as the reason`(table: String) throws {
    let database = try MemoryDatabase()
    let error = #expect(throws: (any Error).self) {
      try database.execute("SELECT * FROM \(table)")
    }
    let message = error.map { "\($0)" } ?? ""
    #expect(message.contains("\(table) reads a Roqua store, which must be the main database"))
  }

  @Test func `damaged chunks and tiles are reported, whatever their bytes`() throws {
    try fixture.explorer.store.checkpoint()
    let database = try ForeignDatabase(path: fixture.folder.file("s.sqlite"))
    try database.execute("UPDATE kept_fixes SET payload = substr(payload, 1, 40) WHERE id = 1")
    let chunk = try fixture.failure("SELECT count(*) FROM roqua_fixes")
    #expect(chunk?.contains("kept fixes, chunk 1") == true, "\(chunk ?? "no error")")
    #expect(try fixture.failure("SELECT count(*) FROM roqua_tracks") == chunk)
    try database.execute("UPDATE coverage_tiles SET key = key + 1000000000000")
    let tile = try fixture.failure("SELECT count(*) FROM roqua_cells")
    #expect(tile?.contains("coverage_tiles, tile") == true, "\(tile ?? "no error")")
  }
}

import CSQLite
import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua backup --app-format`.
@Suite struct AppExportTests {
  private let bench: Bench

  init() throws { bench = try Bench() }

  /// Regions of all kinds: visited many times, all around the Earth, without a time, adopted.
  private func fill() throws {
    try bench.importSamples()
    func point(_ latitude: Double, _ longitude: Double, _ milliseconds: Int64?)
      -> (coordinate: Coordinate, time: Timestamp?)
    {
      (
        Coordinate(latitude, longitude),
        milliseconds.map { Timestamp(millisecondsSince1970: 1_714_557_600_000 + $0) }
      )
    }
    let day: Int64 = 86_400_000
    try bench.folder.write(
      TrackText.gpx([
        point(48.1, 11.5, 3_500), point(48.2, 11.5, day), point(48.1, 11.5, 2 * day + 999),
        point(48.3, 11.5, 3 * day), point(48.1, 11.5, 4 * day + 1),
        point(48.2, 11.5, 5 * day + 250),
      ]), to: "again.gpx")
    try bench.folder.write(
      TrackText.gpx([
        point(90, 0, nil), point(-90, 0, nil), point(12, 180, nil), point(-13, -179.9999999, nil),
      ]), to: "ends.gpx")
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(10, 179.999), count: 30), to: "across.gpx")
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(52, 5), count: 30, isDated: false), to: "undated.gpx")
    for name in ["again", "ends", "across", "undated"] {
      _ = try bench.json("import", name + ".gpx")
    }
    let script = """
      import sqlite3
      c = sqlite3.connect('old')
      c.execute('CREATE TABLE visited_regions (latitude, longitude, radius, timestamp_start, '
        'timestamp_end, visit_count, city, district, country, country_code, accuracy, created_at, '
        'updated_at)')
      c.executemany('INSERT INTO visited_regions VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)', [
        (45.5, -100.25, 200, '2020-01-02T03:04:05Z', '2021-01-02T03:04:05Z', 9,
         "O'Fallon \\"x\\"; --", "l'Été, Zürich 東京", 'United States', 'US', 12.5,
         '2020-01-02 03:04:06', '2021-01-02T03:04:06Z'),
        (-60.5, -140.25, 300, None, None, 4, None, None, None, None, None, None, None)])
      c.commit()
      """
    _ = try python(script)
    _ = try bench.json("adopt", "old")
  }

  /// Runs a Python script, which uses another build of SQLite than ours, and returns its output.
  private func python(_ script: String) throws -> String {
    var process = bench.process(["-c", script])
    process.wrapper = ["/usr/bin/env", "python3"]
    process.isToolLeftOut = true
    let result = try process.run()
    try #require(result.status == 0, "\(result.err)")
    return result.out
  }

  private func regions(_ store: String) throws -> [JSONTree] {
    try bench.json("within", "-90", "-180", "90", "180", "--store", store).regions.elements
  }

  /// A region whose times are whole seconds.
  private func inWholeSeconds(_ region: JSONTree) -> JSONTree {
    var members = region.members
    for name in ["timestampStart", "timestampEnd"] {
      guard let time = region[name].string else { continue }
      members[name] = .string(time.prefix(19) + "Z")
    }
    return .object(members)
  }

  @Test func `adopting an export gives the same regions, and exporting those gives the same rows`()
    throws
  {
    try fill()
    let export = try bench.json("backup", "--app-format", "app.sqlite")
    let before = try regions(bench.storePath)
    #expect(export.path.string == "app.sqlite" && export.regions.int == before.count)
    #expect(export.undated.int == before.count { $0.timestampStart.isNull })
    #expect(export.undated.int.map { $0 >= 30 } == true)
    let size = try FileManager.default.attributesOfItem(atPath: bench.folder.file("app.sqlite"))[
      .size]
    #expect(size as? Int == export.bytes.int)

    let part = try bench.json("adopt", "app.sqlite", "--store", "new").sources[0]
    #expect(part.taken.int == before.count && part.problemCount.int == 0)
    let after = try regions("new")
    #expect(after == before.map(inWholeSeconds))
    #expect(before.contains { $0.timestampStart.string?.contains(".5") == true })
    #expect(before.contains { $0.visitCount.int == 9 && $0.city.string == #"O'Fallon "x"; --"# })
    #expect(before.contains { $0.visitCount.int == 3 } && before.contains { $0.radius.int == 300 })
    #expect(before.contains { $0.latitude.double == 90 })
    #expect(before.contains { $0.longitude.double == -180 })
    #expect(try bench.json("check", "--store", "new").sound == .bool(true))

    _ = try bench.json("backup", "--app-format", "again.sqlite", "--store", "new")
    let script = """
      import sqlite3
      a, b = (list(sqlite3.connect(n).execute('SELECT * FROM visited_regions ORDER BY id'))
        for n in ('app.sqlite', 'again.sqlite'))
      print(len(a), a == b, [r[4] for r in a] == sorted(r[4] for r in a))
      """
    #expect(try python(script) == "\(before.count) True True\n")
  }

  /// The statements that the app runs when it starts, when it searches, and when it records.
  @Test func `the app's own SQL statements work on the exported file`() throws {
    try fill()
    let count = try bench.json("backup", "--app-format", "app.sqlite").regions.int ?? 0
    let script = """
      import sqlite3
      c = sqlite3.connect('app.sqlite', isolation_level=None)
      schema = list(c.execute('SELECT * FROM sqlite_schema'))
      c.execute('CREATE TABLE IF NOT EXISTS visited_regions (id INTEGER PRIMARY KEY)')
      for name, columns in (('location', 'latitude, longitude'), ('geohash', 'geohash'),
          ('timestamp', 'timestamp_start'), ('country', 'country')):
        c.execute(f'CREATE INDEX IF NOT EXISTS idx_visited_regions_{name} '
          f'ON visited_regions({columns})')
      print(schema == list(c.execute('SELECT * FROM sqlite_schema')))
      names = [d[0] for d in c.execute('SELECT * FROM visited_regions').description]
      print(','.join(names))
      near = ('SELECT id FROM visited_regions WHERE latitude BETWEEN ? AND ? '
        'AND longitude BETWEEN ? AND ? ORDER BY timestamp_start DESC')
      print(len(c.execute(near, (48.05, 48.15, 11.4, 11.6)).fetchall()))
      print('idx_visited_regions_location' in
        str(c.execute('EXPLAIN QUERY PLAN ' + near, (1, 2, 3, 4)).fetchall()))
      c.execute('INSERT INTO visited_regions (latitude, longitude, radius, timestamp_start, '
        'visit_count, updated_at) VALUES (1, 2, 150, ?, 1, ?)', ('2025-01-01T00:00:00Z',) * 2)
      print(c.execute('SELECT max(id), last_insert_rowid(), count(*) FROM visited_regions')
        .fetchone())
      c.execute('UPDATE visited_regions SET visit_count = ?, timestamp_end = ? WHERE id = ?',
        (2, '2025-01-02T00:00:00Z', 1))
      c.execute('DELETE FROM visited_regions')
      print(c.execute('PRAGMA integrity_check').fetchone()[0])
      """
    #expect(
      try python(script).split(separator: "\n") == [
        "True",
        "id,latitude,longitude,radius,timestamp_start,timestamp_end,visit_count,city,district,"
          + "country,country_code,geohash,accuracy,created_at,updated_at",
        "1", "True", "(\(count + 1), \(count + 1), \(count + 1))", "ok",
      ])
  }

  @Test func `an empty store is exported as an empty table`() throws {
    _ = try bench.json("settings", "visitGapMinutes", "20")
    let export = try bench.roqua("backup", "--app-format", "app.sqlite")
    #expect(export.status == 0 && export.err == "")
    #expect(export.out.hasPrefix("app.sqlite: 0 regions in ") && export.out.hasSuffix("kB\n"))
    #expect(
      try bench.json("adopt", "app.sqlite", "--store", "new").sources[0].entries.int == 0)
  }

  @Test func `an export reports the regions written and the regions that the app does not list`()
    throws
  {
    try bench.folder.write(TrackText.gpx([(Coordinate(1, 2), nil)]), to: "one.gpx")
    _ = try bench.json("import", "one.gpx")
    let one = try bench.roqua("backup", "app", "--app-format")
    #expect(
      one.out.split(separator: "\n") == [
        "app: 1 region in 29 kB", "  1 region has no time; the app does not list it",
      ])
    try fill()
    let refused = try bench.roqua("backup", "--app-format", "app")
    #expect(refused.status == 1 && refused.out == "")
    #expect(
      refused.err == "roqua: app: a file with this name already exists (--force replaces it)\n")
    let all = try bench.roqua("backup", "--app-format", "app", "--force")
    #expect(all.status == 0 && all.err == "")
    #expect(all.out.contains(" regions have no time; the app does not list them\n"))
  }

  @Test func `opening an export as a store is an error`() throws {
    try fill()
    _ = try bench.json("backup", "--app-format", "app")
    let result = try bench.roqua("stats", "--store", "app")
    #expect(result.status == 1 && result.err.contains("not a Roqua store"), "\(result.err)")
  }

  @Test
  func `an export through a symbolic link keeps the link, and no export overwrites the store`()
    throws
  {
    try fill()
    let before = try bytes(of: bench.storePath)
    #expect(symlink("real", bench.folder.file("link")) == 0)
    #expect(try bench.roqua("backup", "--app-format", "link").status == 0)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: bench.folder.file("link"))
        == "real")
    #expect(symlink(bench.storePath, bench.folder.file("store")) == 0)
    for path in [bench.storePath, "store", bench.storePath + "-wal"] {
      let result = try bench.roqua("backup", "--app-format", path, "--force")
      #expect(result.status == 1 && result.errorLines.count == 1, "\(result.err)")
    }
    #expect(try bytes(of: bench.storePath) == before)
  }
}

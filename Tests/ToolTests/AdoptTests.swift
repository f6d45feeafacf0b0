import CSQLite
import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua adopt`.
@Suite struct AdoptTests {
  /// The app's table, as docs/formats/roqua-app.md defines it.
  private static let table = """
    CREATE TABLE visited_regions (id INTEGER PRIMARY KEY AUTOINCREMENT, latitude REAL NOT NULL,
      longitude REAL NOT NULL, radius INTEGER NOT NULL DEFAULT 200, \
    timestamp_start TEXT NOT NULL, timestamp_end TEXT,
      visit_count INTEGER NOT NULL DEFAULT 1, city TEXT, district TEXT, country TEXT, \
    country_code TEXT, geohash TEXT,
      accuracy REAL, created_at TEXT DEFAULT CURRENT_TIMESTAMP, \
    updated_at TEXT DEFAULT CURRENT_TIMESTAMP);
    """

  /// A complete row, a minimal row, times in unusual forms, a duplicate, and invalid rows.
  private static let rows = """
    INSERT INTO visited_regions VALUES (7, 41.03, 28.98, 150, '2024-05-01T10:00:00Z', \
    '2024-08-01T10:00:00.500Z', 5,
      'Beyoğlu', 'Şişhane', 'Turkey', 'TR', 'sxk97mq94', 12.5, '2024-05-01 10:00:01', \
    '2024-08-01 10:00:01');
    INSERT INTO visited_regions (latitude, longitude, timestamp_start) \
    VALUES (48.1, 11.5, '2024-05-01 12:00:00+02:00');
    INSERT INTO visited_regions (latitude, longitude, timestamp_start) \
    VALUES (48.2, 11.5, 1714557600);
    INSERT INTO visited_regions (latitude, longitude, timestamp_start) \
    VALUES (48.3, 11.5, '2024-05-01 10:00:00 +0000');
    INSERT INTO visited_regions (latitude, longitude, timestamp_start) \
    VALUES (48.3, 11.5, '2024-05-01 10:00:00 +0000');
    INSERT INTO visited_regions (latitude, longitude, timestamp_start, visit_count) \
    VALUES (48.4, 11.5, 'yesterday', 3);
    INSERT INTO visited_regions (latitude, longitude, timestamp_start) \
    VALUES (95, 11.5, '2024-05-01T10:00:00Z');
    """

  private func database(_ bench: Bench, _ sql: String, name: String = "app.sqlite") throws
    -> OpaquePointer?
  {
    var database: OpaquePointer?
    let file = bench.folder.file(name)
    try FileManager.default.createDirectory(
      atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try #require(sqlite3_open(file, &database) == SQLITE_OK)
    try #require(
      sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK,
      "\(String(cString: sqlite3_errmsg(database)))")
    return database
  }

  private func within(_ bench: Bench) throws -> [JSONTree] {
    try bench.json("within", "-90", "-180", "90", "180").regions.elements
  }

  @Test func `adopting the app's database loses nothing and leaves the database unchanged`() throws
  {
    let bench = try Bench()
    sqlite3_close(try database(bench, Self.table + Self.rows))
    let before = try bytes(of: bench.folder.file("app.sqlite"))
    let report = try bench.json("adopt", "app.sqlite", status: 2)
    let part = report.sources[0]
    #expect(part.format.string == "roqua-app" && part.status.string == "imported")
    #expect(part.entries.int == 7 && part.taken.int == 6 && part.leftOut.int == 1)
    #expect(part.problems.elements.compactMap(\.index.int) == [12, 13])
    let regions = try within(bench)
    #expect(regions.count == 5)  // one row is a duplicate
    let full = regions[0]
    #expect(full.latitude.double == 41.03 && full.radius.int == 150 && full.visitCount.int == 5)
    #expect(full.timestampStart.string == "2024-05-01T10:00:00Z")
    #expect(full.timestampEnd.string == "2024-08-01T10:00:00.500Z")
    #expect(full.city.string == "Beyoğlu" && full.district.string == "Şişhane")
    #expect(full.country.string == "Türkiye" && full.geohash.string == "sxk97mq94")
    for region in regions[1...3] {
      #expect(region.timestampStart.string == "2024-05-01T10:00:00Z" && region.visitCount.int == 1)
      #expect(region.radius.int == 200 && region.country.string == "Germany")
      #expect(region.geohash.string?.count == 9)
    }
    #expect(regions[4].timestampStart.isNull && regions[4].visitCount.int == 3)
    // The original rows are kept.
    let store = try database(bench, "", name: "home/store.sqlite")
    defer { sqlite3_close(store) }
    #expect(
      try Self.column(
        "SELECT json_extract(original, '$.timestamp_start') FROM source_regions", store
      )
      .contains("yesterday"))
    #expect(
      try Self.column(
        "SELECT json_extract(original, '$.country') FROM source_regions LIMIT 1", store) == [
          "Turkey"
        ])

    #expect(try bench.json("check").sound == .bool(true))
    #expect(try bench.roqua("rebuild").status == 0)
    try #expect(within(bench) == regions)
    #expect(try bench.json("adopt", "app.sqlite").sources[0].status.string == "duplicate")
    try #expect(within(bench) == regions)
    #expect(try bytes(of: bench.folder.file("app.sqlite")) == before)
    let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
    #expect(!names.contains { $0.hasPrefix("app.sqlite-") })
    // The same rows in a file with other bytes are a duplicate.
    sqlite3_close(try database(bench, "PRAGMA page_size = 8192; VACUUM"))
    #expect(try bench.json("adopt", "app.sqlite").sources[0].status.string == "duplicate")
    #expect(try bench.roqua("stats").out.contains("\n0 kept fixes; 1 source of regions\n"))
    // The adopted source can be forgotten.
    #expect(try bench.json("forget", "1").regions.int == 6)
    #expect(try within(bench).isEmpty)
  }

  @Test
  func
    `adopting reads rows that are only in the app's write-ahead log, and leaves the log unchanged`()
    throws
  {
    let bench = try Bench()
    let app = try database(
      bench, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;" + Self.table + Self.rows)
    defer { sqlite3_close(app) }
    let files = ["app.sqlite", "app.sqlite-wal", "app.sqlite-shm"].map(bench.folder.file)
    let before = try files.map { try bytes(of: $0) }
    #expect(before[1].count > 10_000)
    #expect(try bench.json("adopt", "app.sqlite", status: 2).sources[0].taken.int == 6)
    #expect(try within(bench).count == 5)
    #expect(try files.map { try bytes(of: $0) } == before)
  }

  @Test func `adopting a symbolic link reads the log next to the link's target`() throws {
    let bench = try Bench()
    let app = try database(
      bench, "PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0;" + Self.table + Self.rows,
      name: "app/real.sqlite")
    defer { sqlite3_close(app) }
    try FileManager.default.createSymbolicLink(
      atPath: bench.folder.file("link.sqlite"), withDestinationPath: "app/real.sqlite")
    let files = ["", "-wal", "-shm"].map { bench.folder.file("app/real.sqlite" + $0) }
    let before = try files.map { try bytes(of: $0) }
    #expect(try bench.json("adopt", "link.sqlite", status: 2).sources[0].taken.int == 6)
    #expect(try files.map { try bytes(of: $0) } == before)
  }

  @Test func `adopting before or after importing tracks gives the same store`() throws {
    let (one, two) = (try Bench(), try Bench())
    for bench in [one, two] { sqlite3_close(try database(bench, Self.table + Self.rows)) }
    _ = try one.json("adopt", "app.sqlite", status: 2)
    try one.importSamples()
    try two.importSamples()
    _ = try two.json("adopt", "app.sqlite", status: 2)
    for arguments in [
      ["stats", "--by", "country", "--by", "day"], ["within", "-90", "-180", "90", "180"],
    ] {
      #expect(try one.roqua(arguments + ["--json"]).out == two.roqua(arguments + ["--json"]).out)
    }
    #expect(try one.json("stats").visitedRegions.int ?? 0 > 200)
  }

  @Test
  func
    `circles become regions without a time, hashes become cells, and invalid entries are reported`()
    throws
  {
    let bench = try Bench()
    try bench.folder.write(
      """
      [{"latitude": 41.03, "longitude": 28.98, "radius": 150}, {"latitude": 10, "longitude": 20},
       {"latitude": 91, "longitude": 20}, {"longitude": 20}, 7, null, \
      {"latitude": "x", "longitude": 1},
       {"latitude": 41.03001, "longitude": 28.98}]
      """, to: "circles.json")
    try bench.folder.write(
      #"["177600_355200", "0_0", "266399_532799", "266400_0", "0_532800", "-1_0", "1", "01_2", 5, "#
        + #""177600_355200"]"#,
      to: "hashes.json")
    let report = try bench.json(
      "adopt", "--explored-circles", "circles.json", "--grid-hashes", "hashes.json", status: 2)
    #expect(report.sources.elements.compactMap(\.taken.int) == [3, 4])
    #expect(report.sources[0].problems.elements.compactMap(\.index.int) == [2, 3, 4, 5, 6])
    #expect(report.sources[1].problems.elements.compactMap(\.index.int) == [3, 4, 5, 6, 7, 8])
    let regions = try within(bench)
    #expect(regions.count == 2)  // the last circle is a meter from the first
    #expect(
      regions.allSatisfy {
        $0.timestampStart.isNull && $0.visitCount.int == 1 && $0.radius.int == 150
      })
    let discs = try bench.json("forget", "2", "--dry-run").after.cells.int ?? 0
    #expect(try bench.json("stats").cells.int == discs + 3)
    #expect(try bench.json("check").sound == .bool(true))
    let again = try bench.roqua(
      "adopt", "--explored-circles", "circles.json", "--grid-hashes", "hashes.json")
    #expect(
      again.status == 0
        && again.out.split(separator: "\n").allSatisfy { $0.hasSuffix("nothing changed") })
    #expect(
      try bench.json("sources").sources.elements.map(\.format.string) == [
        "explored-circles", "grid-hashes",
      ])
  }

  @Test func `an input that cannot be adopted gives a one-line error and creates no store`() throws
  {
    let bench = try Bench()
    sqlite3_close(try database(bench, "CREATE TABLE notes (text)", name: "other.sqlite"))
    sqlite3_close(
      try database(bench, "CREATE TABLE visited_regions (latitude, longitude)", name: "half.sqlite")
    )
    try bench.folder.write("no list", to: "notes.txt")
    try bench.folder.write("{}", to: "object.json")
    try bench.folder.write([0xFF, 0xFE, 0x5B, 0, 0x5D, 0], to: "wide.json")
    let columns = (0..<1_996).map { "c\($0)" }.joined(separator: ", ")
    sqlite3_close(
      try database(
        bench,
        "CREATE TABLE visited_regions (latitude, longitude, timestamp_start, "
          + "visit_count, \(columns))",
        name: "broad.sqlite"))
    try makeDamagedDatabase(bench, name: "damaged.sqlite")
    _ = try bench.roqua("settings", "visitGapMinutes", "20", "--store", "store.sqlite")
    for (arguments, word) in [
      (["other.sqlite"], "no table visited_regions"),
      (["half.sqlite"], "no column timestamp_start"),
      (["notes.txt"], "not an SQLite database"), (["missing.sqlite"], "no such file"),
      (["store.sqlite"], "it is already a store"), (["."], "it is a folder"),
      (["--explored-circles", "notes.txt"], "not a JSON list"),
      (["--grid-hashes", "object.json"], "not a JSON list"),
      (["--explored-circles", "wide.json"], "not a JSON list"),
      (["broad.sqlite"], "cannot be read (too many columns"), (["damaged.sqlite"], "it is damaged"),
      (["--grid-hashes", "missing.json"], "There is no such file"),
    ] {
      let result = try bench.roqua(["adopt"] + arguments)
      #expect(
        result.status == 1 && result.out == "" && result.errorLines.count == 1,
        "\(arguments): \(result.err)")
      #expect(result.err.contains(word) && result.err.count < 300, "\(result.err)")
      #expect(!bench.hasStore)
    }
    #expect(try bench.roqua("adopt").status == 64)
  }

  /// A database whose last page is overwritten, so that its last rows cannot be read.
  private func makeDamagedDatabase(_ bench: Bench, name: String) throws {
    sqlite3_close(
      try database(
        bench,
        Self.table + """
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 900)
          INSERT INTO visited_regions (latitude, longitude, timestamp_start) \
          SELECT i / 20.0, 8, 'x' FROM n
          """, name: name))
    let path = bench.folder.file(name)
    var data = Array(try bytes(of: path))
    data.replaceSubrange(data.count - 4_096..<data.count, with: repeatElement(0xFF, count: 4_096))
    try bench.folder.write(data, to: name)
  }

  @Test func `a table without row ids, with many columns and mixed-case column names is adopted`()
    throws
  {
    let bench = try Bench()
    let columns = (0..<75).map { "c\($0)" }.joined(separator: ", ")
    sqlite3_close(
      try database(
        bench,
        """
        CREATE TABLE visited_regions (Uuid TEXT PRIMARY KEY, Latitude, Longitude, \
        Timestamp_Start, Visit_Count,
          \(columns)) WITHOUT ROWID;
        INSERT INTO visited_regions (uuid, latitude, longitude, timestamp_start, visit_count, c74)
          VALUES ('a', 41.030000000000001, 28.98, '2024-05-01T10:00:00Z', 2, 0.1 + 0.2), \
        ('b', 95, 1, NULL, 1, NULL);
        """))
    let report = try bench.json("adopt", "app.sqlite", status: 2)
    #expect(
      report.sources[0].taken.int == 1
        && report.sources[0].problems.elements.compactMap(\.index.int) == [2])
    #expect(try within(bench).compactMap(\.visitCount.int) == [2])
    let store = try database(bench, "", name: "home/store.sqlite")
    defer { sqlite3_close(store) }
    let original = try Self.column("SELECT original FROM source_regions", store)
    #expect(original.count == 1 && original[0].hasSuffix(#""c74":0.30000000000000004}"#))
  }

  @Test func `the original text of an explored circle is kept exactly`() throws {
    let bench = try Bench()
    let entries = [
      #"{"latitude": 41.0300000000000011, "longitude": 28.98, "note": "]},[{\" ü"}"#,
      "{\n  \"longitude\" : 1.0e1,\"latitude\":2E1, \"more\": [1, [2, {}]]\n}",
      #"{"latitude":1,"longitude":2}"#,
    ]
    for text in [
      "[\(entries.joined(separator: ", "))]\n",
      "\u{FEFF} [\t\(entries.joined(separator: ",\n"))\r\n]",
    ] {
      try bench.folder.write(text, to: "circles.json")
      #expect(
        try bench.json("adopt", "--explored-circles", "circles.json").sources[0].taken.int == 3)
      let store = try database(bench, "", name: "home/store.sqlite")
      defer { sqlite3_close(store) }
      #expect(
        try Self.column("SELECT original FROM source_regions ORDER BY id DESC LIMIT 3", store)
          == entries.reversed())
    }
  }

  /// The first column of a query's rows.
  private static func column(_ sql: String, _ database: OpaquePointer?) throws -> [String] {
    var statement: OpaquePointer?
    try #require(sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK)
    defer { sqlite3_finalize(statement) }
    var values: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      values.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return values
  }
}

import CSQLite
import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Export of a store as a database for the Roqua app.
@Suite struct AppExportTests {
  private let folder: TemporaryFolder
  private var target: String { folder.file("app.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func store(_ name: String = "s.sqlite") throws -> Store {
    let options = StoreOptions(
      placeNames: {
        PlaceNames(
          countryCode: "CI", country: "Côte d'Ivoire", region: "Lagunes",
          district: $0.latitudeDegrees > 0 ? "" : nil,
          city: $0.longitudeDegrees > 8.54 ? "the \"city\"; DROP TABLE t --" : nil,
          quarter: $0.longitudeDegrees > 8.54 ? "'quarter'" : nil)
      },
      now: { Timestamp(millisecondsSince1970: 1_700_000_000_123) })
    return try Store(path: folder.file(name), creating: true, options: options)
  }

  /// Regions that were visited repeatedly, some at the same second, some at the poles and at ±180°,
  /// some without time or accuracy.
  private func fill(_ store: Store) throws {
    var random = SplitMix64(seed: 5)
    try store.add(wanderingTrack(count: 300, homes: awkwardHomes, using: &random), as: "walk")
    let times: [Int64?] = [nil, 0, 999, 1_000, 1_700_000_000_070, 1_700_000_000_001, nil, 7]
    let places = [
      Coordinate(90, 0), Coordinate(-90, 12), Coordinate(10, 180), Coordinate(11, -180),
      Coordinate(0, 0.5), Coordinate(-33, 18), Coordinate(-34, 18), Coordinate(-35, 18),
    ]
    try store.add(
      zip(places, times).enumerated().map { index, values in
        KeptFix(
          coordinate: values.0, time: values.1.map(Timestamp.init(millisecondsSince1970:)),
          accuracyMeters: [nil, 5, 12.34][index % 3], startsSegment: true)
      }, as: "odd")
    var region = SourceRegion(center: Coordinate(47.4, 8.6), original: "{}")
    (region.visitCount, region.radiusMeters) = (7, 200)
    region.start = Timestamp(millisecondsSince1970: 1_600_000_000_999)
    region.end = Timestamp(millisecondsSince1970: 1_600_009_000_001)
    (region.createdAt, region.updatedAt) = ("2020-09-13 12:26:41", "yesterday")
    try store.add(regions: [region], as: "adopted")
  }

  /// The result of a query on the exported file, one list of texts per row.
  private func rows(_ sql: String) throws -> [[String?]] {
    let connection = try Connection(path: target, flags: SQLITE_OPEN_READONLY)
    let select = try Statement(sql, on: connection)
    var rows: [[String?]] = []
    while try select.step() {
      rows.append((0..<sqlite3_column_count(select.handle)).map { select.text(at: $0) })
    }
    return rows
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `the exported table has the app's columns, types, defaults and indexes`() throws {
    let export = try store().exportAppDatabase(to: target)
    #expect(export.regions == 0 && export.undatedRegions == 0 && export.path == target)
    let columns = try rows(
      """
      SELECT name || ' ' || type || iif("notnull", ' NOT NULL', '') \
      || coalesce(' DEFAULT ' || dflt_value, '') || iif(pk, ' PRIMARY KEY', '')
      FROM pragma_table_info('visited_regions') ORDER BY cid
      """)
    #expect(
      columns.map { $0[0] } == [
        "id INTEGER PRIMARY KEY", "latitude REAL NOT NULL", "longitude REAL NOT NULL",
        "radius INTEGER NOT NULL DEFAULT 200", "timestamp_start TEXT NOT NULL",
        "timestamp_end TEXT", "visit_count INTEGER NOT NULL DEFAULT 1", "city TEXT",
        "district TEXT", "country TEXT", "country_code TEXT", "geohash TEXT", "accuracy REAL",
        "created_at TEXT DEFAULT CURRENT_TIMESTAMP", "updated_at TEXT DEFAULT CURRENT_TIMESTAMP",
      ])
    let indexes = try rows(
      """
      SELECT i.name, group_concat(c.name, ' ') FROM pragma_index_list('visited_regions') i
      JOIN pragma_index_info(i.name) c WHERE NOT i."unique" AND NOT i.partial GROUP BY 1 ORDER BY 1
      """)
    #expect(
      indexes == [
        ["idx_visited_regions_country", "country"], ["idx_visited_regions_geohash", "geohash"],
        ["idx_visited_regions_location", "latitude longitude"],
        ["idx_visited_regions_timestamp", "timestamp_start"],
      ])
    #expect(
      try rows("SELECT type, name FROM sqlite_schema WHERE name NOT LIKE 'idx%' ORDER BY 2") == [
        ["table", "sqlite_sequence"], ["table", "visited_regions"],
      ])
    let table = try rows("SELECT sql FROM sqlite_schema WHERE name = 'visited_regions'")
    #expect(table[0][0]?.contains("id INTEGER PRIMARY KEY AUTOINCREMENT") == true)
    for (pragma, value) in [
      ("application_id", "0"), ("user_version", "0"), ("journal_mode", "delete"),
      ("encoding", "UTF-8"), ("integrity_check", "ok"),
    ] {
      #expect(try rows("PRAGMA \(pragma)") == [[value]], "\(pragma)")
    }
  }

  @Test func `each region is one row, in order of time, with times in whole seconds`() throws {
    let store = try store()
    try fill(store)
    let export = try store.exportAppDatabase(to: target)
    // The expected order, sorted in memory.
    let regions = try store.regions().sorted {
      ($0.timestampStart?.millisecondsSince1970 ?? .min, $0.id)
        < ($1.timestampStart?.millisecondsSince1970 ?? .min, $1.id)
    }
    #expect(regions.count > 60 && export.regions == regions.count)
    #expect(export.undatedRegions == regions.count { $0.timestampStart == nil })
    #expect(export.undatedRegions >= 2)
    let rows = try rows("SELECT *, quote(latitude), quote(longitude) FROM visited_regions")
    #expect(rows.count == regions.count)
    for (number, (row, region)) in zip(rows, regions).enumerated() {
      #expect(row[0] == "\(number + 1)")
      #expect(row[15].flatMap(Double.init) == region.coordinate.latitudeDegrees)
      #expect(row[16].flatMap(Double.init) == region.coordinate.longitudeDegrees)
      #expect(row[4] == text(region.timestampStart) ?? "")
      #expect(row[5] == text(region.timestampEnd))
      #expect(row[12].flatMap(Double.init) == region.accuracyMeters)
      let expected: [String?] = [
        "\(region.radiusMeters)", "\(region.visitCount)", region.place.city,
        region.place.district ?? region.place.quarter, region.place.country,
        region.place.countryCode, region.geohash,
      ]
      #expect([row[3]] + row[6...11] == expected)
      let isAdopted = region.radiusMeters == 200
      #expect(row[13] == (isAdopted ? "2020-09-13 12:26:41" : "2023-11-14 22:13:20"))
      #expect(row[14] == (isAdopted ? "yesterday" : "2023-11-14T22:13:20Z"))
    }
    #expect(regions.contains { $0.place.district == nil && $0.place.quarter != nil })
    #expect(regions.contains { $0.visitCount > 1 && $0.timestampStart != $0.timestampEnd })
    #expect(regions.contains { ($0.timestampStart?.millisecondsSince1970 ?? 0) % 1_000 != 0 })
    #expect(rows.contains { $0[7]?.contains("DROP TABLE") == true })
  }

  /// The text of a time without its fraction of a second.
  private func text(_ time: Timestamp?) -> String? {
    time.map { String($0.iso8601.prefix(19)) + "Z" }
  }

  @Test func `exported rows have the app's column types and are numbered from 1`() throws {
    let store = try store()
    try fill(store)
    let export = try store.exportAppDatabase(to: target)
    let types = try rows(
      """
      SELECT DISTINCT typeof(id), typeof(latitude), typeof(longitude), typeof(radius), \
      typeof(timestamp_start), typeof(visit_count), typeof(geohash), length(geohash) \
      FROM visited_regions
      """)
    #expect(types == [["integer", "real", "real", "integer", "text", "integer", "text", "9"]])
    #expect(
      try rows("SELECT DISTINCT typeof(accuracy) FROM visited_regions ORDER BY 1") == [
        ["null"], ["real"],
      ])
    // The app continues with the next number.
    #expect(try rows("SELECT seq FROM sqlite_sequence") == [["\(export.regions)"]])
  }

  @Test
  func `the exported file is complete, readable only by its owner, and the only new file`() throws {
    let store = try store()
    try fill(store)
    var steps: [(Int, Int)] = []
    let export = try store.exportAppDatabase(to: target) { steps.append(($0, $1)) }
    let attributes = try FileManager.default.attributesOfItem(atPath: target)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(attributes[.size] as? Int == export.bytes)
    #expect(steps.last.map { $0 == (export.regions, export.regions) } == true)
    #expect(try rows("PRAGMA integrity_check") == [["ok"]])
    #expect(try names().filter { $0.hasPrefix("app") } == ["app.sqlite"])
    // The reader that returns to the pool has the same settings as the others.
    for (pragma, value) in [
      ("temp_store", "2"), ("cache_size", "10000"), ("mmap_size", "268435456"),
    ] {
      #expect(try store.pragma(pragma).reader == value, "\(pragma)")
    }
  }

  @Test func `an export to an impossible path fails and changes nothing`() throws {
    let store = try store()
    try fill(store)
    let before = try StoreContents(store)
    try folder.write("a log", to: "busy.sqlite-wal")
    for (path, word) in [
      (store.path, "store itself"), (store.path + "-wal", "SQLite uses this name"),
      (folder.path, "a folder"), (folder.file("no/where"), "No such file"), ("", "empty"),
      (folder.file("busy.sqlite"), "busy.sqlite-wal exists"), ("/dev/null", "not a file"),
    ] {
      for isReplacing in [false, true] {
        let error = #expect(throws: DatabaseError.self) {
          try store.exportAppDatabase(to: path, replacing: isReplacing)
        }
        #expect(error?.description.contains(word) == true, "\(path): \(error?.description ?? "")")
      }
    }
    #expect(try names() == ["busy.sqlite-wal", "s.sqlite", "s.sqlite-shm", "s.sqlite-wal"])
    try #expect(StoreContents(store) == before)
  }

  @Test func `an existing file is kept unless replacing it is allowed, and a symbolic link stays`()
    throws
  {
    let store = try store()
    try fill(store)
    try folder.write("mine", to: "real.sqlite")
    try FileManager.default.createSymbolicLink(
      atPath: target, withDestinationPath: "real.sqlite")
    #expect(throws: DatabaseError.fileExists(path: target)) {
      try store.exportAppDatabase(to: target)
    }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
    try store.exportAppDatabase(to: target, replacing: true)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: target) == "real.sqlite")
    #expect(try rows("PRAGMA integrity_check") == [["ok"]])
  }

  @Test func `an export does not replace a database that is open`() throws {
    let store = try store()
    let old = try Store(path: target, creating: true)
    let error = #expect(throws: DatabaseError.self) {
      try store.exportAppDatabase(to: target, replacing: true)
    }
    #expect(error?.description.contains("has the existing database open") == true)
    #expect(try old.check().isSound)
  }

  @Test(arguments: [1_500, 2_500])
  func `a canceled export leaves no file`(count: Int) async throws {
    let store = try store()
    try store.add(
      (0..<count).map {
        KeptFix(
          coordinate: Coordinate(Double($0) / 100, 7),
          time: Timestamp(millisecondsSince1970: Int64($0) * 1_000), accuracyMeters: nil,
          startsSegment: true)
      }, as: "straight")
    let target = target
    await #expect(throws: CancellationError.self) {
      try await Store.onThread { cancellation in
        try store.exportAppDatabase(to: target) { done, all in
          #expect(done == 1_000 && all == count || count == 1_500 && done == count)
          cancellation.cancel()
        }
      }
    }
    #expect(try names().allSatisfy { $0.hasPrefix("s.sqlite") })
    #expect(try store.exportAppDatabase(to: target).regions == count)
  }

  @Test func `a damaged row throws an error that names it, and the export leaves no file`() throws {
    let store = try store()
    try fill(store)
    for (change, word) in [
      ("UPDATE regions SET visit_count = 0", "visit_count is 0"),
      ("UPDATE regions SET place_id = 999", "place_id is 999"),
      ("UPDATE regions SET end_ms = start_ms - 1 WHERE start_ms NOTNULL", "before start_ms"),
      ("UPDATE regions SET latitude_e7 = 900000001", "latitude_e7 is 900000001"),
    ] {
      let path = folder.file("damaged.sqlite")
      try store.backup(to: path, replacing: true)
      do {
        let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE)
        try connection.execute(change)
      }
      let damaged = try Store(path: path, creating: false)
      let error = #expect(throws: DatabaseError.self) { try damaged.exportAppDatabase(to: target) }
      guard case .damaged(path, let detail, _) = error else {
        Issue.record("\(change): \(error?.description ?? "no error")")
        continue
      }
      #expect(detail.contains(word), "\(detail)")
      #expect(try !names().contains { $0.hasPrefix("app") })
    }
  }

  @Test func `an export during imports contains one consistent state`() async throws {
    let store = try store()
    let (sources, folder) = (30, folder.path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for source in 1...sources {
          // Each source has 40 regions of its own.
          try store.add(
            (0..<40).map {
              KeptFix(
                coordinate: Coordinate(Double(source), Double($0) / 100),
                time: Timestamp(millisecondsSince1970: Int64(source * 40 + $0) * 60_000),
                accuracyMeters: nil, startsSegment: true)
            }, as: "\(source)")
        }
      }
      group.addTask {
        var (round, last) = (0, 0)
        while last < sources {
          let path = folder + "/app-\(round).sqlite"
          let export = try store.exportAppDatabase(to: path)
          #expect(export.regions % 40 == 0 && export.regions / 40 >= last)
          (round, last) = (round + 1, export.regions / 40)
        }
      }
      try await group.waitForAll()
    }
  }
}

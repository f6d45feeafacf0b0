import CSQLite
import Foundation
import Geodesy
import TestSupport
import Testing

/// An import killed by a signal that cannot be caught.
@Suite struct KillTests {
  /// The number of kills at random moments; each one might leave a partial source.
  private static let rounds = 20
  private static let files = 4

  /// A track of about 5 MB that winds through some cities: a fix every second, about 12 m apart.
  private static func track(seed: UInt64) -> String {
    var random = SplitMix64(seed: seed)
    let start = Coordinate(47 + Double(seed) / 20, 8 + Double(seed) / 30)
    var (latitude, longitude) = (start.latitudeDegrees, start.longitudeDegrees)
    var heading = 0.0
    let time = 1_700_000_000_000 + Int64(seed) * 1_000_000_000
    return TrackText.gpx(
      (0..<61_000).map { index in
        heading += .random(in: -0.3...0.3, using: &random)
        latitude += 0.000_1 * cos(heading)
        longitude += 0.000_1 * sin(heading)
        return (
          Coordinate(latitude, longitude),
          Timestamp(millisecondsSince1970: time + Int64(index) * 1_000)
        )
      })
  }

  @Test func `a killed import leaves only complete sources, and running it again completes it`()
    throws
  {
    let bench = try Bench()
    for index in 1...Self.files {
      let text = Self.track(seed: UInt64(index))
      #expect(text.utf8.count > 4_900_000)
      try bench.folder.write(text, to: "tracks/\(index).gpx")
    }
    let clock = ContinuousClock()
    let started = clock.now
    let undisturbed = try bench.json("import", "tracks", "--store", "calm.sqlite")
    // Half the time of an import. At most 2 s, because other tests may have slowed this one down.
    let latest = min(2, (clock.now - started) / .seconds(1) / 2)
    let kept = undisturbed.files.elements.compactMap(\.kept.int)
    #expect(kept.count == Self.files)
    #expect(kept.allSatisfy { $0 > 1_000 })
    let expected = try Answers(bench, store: "calm.sqlite")

    var random = SplitMix64(seed: 20)
    var (store, stores) = ("store-0.sqlite", 1)
    var (killed, partial) = (0, 0)
    for round in 1...Self.rounds {
      let running = try bench.process(["import", "tracks", "--store", store]).start()
      // At a random moment, or soon after a source was finished, however slow the machine is.
      let path = bench.folder.file(store)
      var ended = false
      if round % 2 == 0 {
        let target = Int.random(in: 1..<Self.files, using: &random)
        while !ended, finishedSources(path) < target { ended = running.wait(seconds: 0.002) }
      }
      if !ended {
        ended = running.wait(seconds: .random(in: 0...latest / Double(Self.files), using: &random))
      }
      if !ended {
        running.kill()
        #expect(running.wait(seconds: 30), "round \(round)")
      }
      let result = try running.result()
      #expect(result.wasKilled || result.status == 0, "round \(round): \(result.err)")
      if result.wasKilled { killed += 1 }
      // Killed before the first byte was written: there is no store, or an empty file.
      guard let size = try? bytes(of: path).count, size > 0 else { continue }
      let sources = try wholeSources(bench.folder.file(store))
      #expect(sources == Array(kept.prefix(sources.count)), "round \(round)")
      // Killed while SQLite initialized the new file: opening the file has rolled that back.
      if sources.isEmpty, try bytes(of: path).isEmpty { continue }
      if (1..<Self.files).contains(sources.count) { partial += 1 }
      let statistics = try bench.json("stats", "--store", store)
      #expect(statistics.sources.int == sources.count, "round \(round)")
      #expect(statistics.keptFixes.int == sources.reduce(0, +), "round \(round)")
      if sources.count == Self.files {
        try #expect(Answers(bench, store: store) == expected, "round \(round)")
        store = "store-\(stores).sqlite"
        stores += 1
      }
    }
    // Otherwise the moments were badly chosen and the test proves nothing.
    #expect(killed >= Self.rounds / 2)
    #expect(partial >= 1)

    #expect(try bench.roqua("import", "tracks", "--store", store).status == 0)
    try #expect(Answers(bench, store: store) == expected)
  }

  /// All answers of the tool about a store, as printed.
  private struct Answers: Equatable {
    let statistics: String
    let regions: String

    init(_ bench: Bench, store: String) throws {
      statistics = try bench.roqua(
        "stats", "--by", "country", "--by", "day", "--json", "--store", store
      ).out
      regions = try bench.roqua("within", "-90", "-180", "90", "180", "--json", "--store", store)
        .out
      try #require(statistics.hasPrefix("{") && regions.utf8.count > 1_000_000)
    }
  }

  /// The number of sources in a store that is being written; 0 if there is no store yet.
  private func finishedSources(_ path: String) -> Int {
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, nil) == SQLITE_OK else { return 0 }
    return (try? column("SELECT count(*) FROM sources", database)).flatMap {
      $0.first.flatMap { Int($0) }
    }
      ?? 0
  }

  /// Opens a store with SQLite alone and returns the number of kept fixes of each source, in import
  /// order.
  ///
  /// Expects that the database is sound, that every source has as many kept fixes as its row says,
  /// and that every kept fix belongs to a source.
  private func wholeSources(_ path: String) throws -> [Int] {
    var database: OpaquePointer?
    try #require(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    defer { sqlite3_close(database) }
    #expect(try column("PRAGMA integrity_check", database) == ["ok"])
    guard try column("SELECT count(*) FROM sqlite_schema WHERE name = 'sources'", database) == ["1"]
    else {
      return []  // killed before the first table was created
    }
    let stated = try column("SELECT kept FROM sources ORDER BY id", database)
    let stored = try column(
      "SELECT sum(count) FROM kept_fixes GROUP BY source_id ORDER BY source_id", database)
    #expect(stated == stored)
    let orphans = "SELECT count(*) FROM kept_fixes WHERE source_id NOT IN (SELECT id FROM sources)"
    #expect(try column(orphans, database) == ["0"])
    return stated.compactMap(Int.init)
  }

  private struct Unreadable: Error { let sql: String }

  /// The first column of a query's rows.
  private func column(_ sql: String, _ database: OpaquePointer?) throws -> [String] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      throw Unreadable(sql: sql)
    }
    defer { sqlite3_finalize(statement) }
    var values: [String] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      values.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "")
    }
    return values
  }
}

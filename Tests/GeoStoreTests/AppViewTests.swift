import CSQLite
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// The views `visited_regions`, which has the columns of the app's table, and `visits`.
@Suite struct AppViewTests {
  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    let options = StoreOptions(
      placeNames: { coordinate in
        coordinate.latitudeDegrees > 60
          ? PlaceNames()
          : PlaceNames(
            countryCode: "CH", country: "Switzerland", regionCode: "CH-ZH", region: "Zürich",
            district: coordinate.latitudeDegrees > 47.37 ? "Bezirk Zürich" : nil,
            city: coordinate.longitudeDegrees > 8.54 ? "Zürich" : nil,
            quarter: coordinate.longitudeDegrees > 8.541 ? "Kreis 1" : nil)
      },
      now: { Timestamp(millisecondsSince1970: 1_700_000_000_123) })
    store = try Store(path: folder.file("s.sqlite"), creating: true, options: options)
    var random = SplitMix64(seed: 3)
    try store.add(
      wanderingTrack(count: 200, homes: [Coordinate(47.37, 8.54)], using: &random), as: "walk")
    let times: [Int64?] = [nil, 0, -1, -1_000, -86_400_001, 7, 1_700_000_000_070]
    let accuracies: [Double?] = [nil, 5, 12.3, 12.34, 0, 4.06, 1e6]
    try store.add(
      zip(times, accuracies).enumerated().map { index, values in
        KeptFix(
          coordinate: Coordinate(-16.8 + Double(index * 12), 179.99 + Double(index) / 100),
          time: values.0.map(Timestamp.init(millisecondsSince1970:)), accuracyMeters: values.1,
          startsSegment: true)
      }, as: "odd")
  }

  /// The result of a query, one list of texts per row.
  private func rows(_ sql: String) throws -> [[String?]] {
    try store.read { snapshot in
      snapshot.connection.soften()
      let select = try Statement(sql, on: snapshot.connection)
      let columns = sql.split(separator: " FROM ")[0].count(where: { $0 == "," }) + 1
      var rows: [[String?]] = []
      while try select.step() { rows.append((0..<Int32(columns)).map { select.text(at: $0) }) }
      return rows
    }
  }

  @Test func `the view visited_regions has the app's columns and two of the region`() throws {
    let names = try rows("SELECT name FROM pragma_table_info('visited_regions')").map { $0[0] }
    #expect(
      names == [
        "id", "latitude", "longitude", "radius", "timestamp_start", "timestamp_end", "visit_count",
        "city", "district", "country", "country_code", "geohash", "accuracy", "created_at",
        "updated_at", "region", "region_code",
      ])
  }

  @Test func `the view visited_regions shows the values of each region`() throws {
    let found = try rows(
      """
      SELECT id, quote(latitude), quote(longitude), radius, timestamp_start, timestamp_end, \
      visit_count, city, district, country, country_code, geohash, accuracy, created_at, \
      updated_at, region, region_code FROM visited_regions ORDER BY id
      """)
    let regions = try store.regions()
    #expect(found.count == regions.count && regions.count > 20)
    for (row, region) in zip(found, regions) {
      let place = region.place
      #expect(row[1].flatMap(Double.init) == region.coordinate.latitudeDegrees)
      #expect(row[2].flatMap(Double.init) == region.coordinate.longitudeDegrees)
      #expect(row[12].flatMap(Double.init) == region.accuracyMeters)
      let expected: [String?] = [
        "\(region.id)", row[1], row[2], "150", region.timestampStart?.iso8601,
        region.timestampEnd?.iso8601, "\(region.visitCount)", place.city,
        place.district ?? place.quarter,
        place.country, place.countryCode, region.geohash, row[12], "2023-11-14T22:13:20.123Z",
        "2023-11-14T22:13:20.123Z", place.region, place.regionCode,
      ]
      #expect(row == expected)
    }
    #expect(regions.contains { $0.timestampStart == nil })
    #expect(regions.contains { $0.visitCount > 1 })
    for hasDistrict in [true, false] {
      for hasQuarter in [true, false] {
        #expect(
          regions.contains {
            ($0.place.district != nil) == hasDistrict && ($0.place.quarter != nil) == hasQuarter
          })
      }
    }
  }

  @Test func `comparing a number with text gives the same result as in the app's table`() throws {
    let all = try rows("SELECT count(*) FROM visited_regions WHERE latitude BETWEEN 47 AND 48")
    for query in ["latitude BETWEEN '47' AND '48'", "latitude > '47' AND latitude < '48'"] {
      #expect(try rows("SELECT count(*) FROM visited_regions WHERE \(query)") == all)
    }
    #expect(try rows("SELECT count(*) FROM visited_regions WHERE accuracy < '1'") == [["1"]])
    #expect(all != [["0"]])
  }

  @Test(arguments: [
    "INSERT INTO visited_regions (latitude, longitude, timestamp_start) VALUES (1, 2, 'x')",
    "UPDATE visited_regions SET visit_count = visit_count + 1", "DELETE FROM visited_regions",
  ])
  func `another program cannot change the view visited_regions`(change: String) throws {
    let before = try StoreContents(store)
    var database: OpaquePointer?
    try #require(sqlite3_open(store.path, &database) == SQLITE_OK)
    defer { sqlite3_close(database) }
    #expect(sqlite3_exec(database, change, nil, nil, nil) == SQLITE_ERROR)
    #expect(
      String(cString: sqlite3_errmsg(database))
        == "cannot modify visited_regions because it is a view")
    #expect(sqlite3_total_changes(database) == 0)
    try #expect(StoreContents(store) == before)
    #expect(try store.check().isSound)
  }

  @Test func `the view visits contains each visit once`() throws {
    let found = try rows("SELECT region_id, start_ms, end_ms FROM visits ORDER BY 1, 2")
    let expected = try store.read { snapshot in
      try snapshot.allRegions().flatMap { region in
        try snapshot.visits(toRegion: region.id).map {
          [
            "\(region.id)", "\($0.start.millisecondsSince1970)", "\($0.end.millisecondsSince1970)",
          ]
        }
      }
    }
    #expect(found == expected)
    #expect(Set(found.map { $0[0] }).count < found.count)
  }

  @Test func `a rebuild keeps which source created and last changed a region`() throws {
    var random = SplitMix64(seed: 4)
    for name in ["again", "elsewhere"] {
      let homes = [name == "again" ? Coordinate(47.37, 8.54) : Coordinate(-33, 18)]
      try store.add(wanderingTrack(count: 200, homes: homes, using: &random), as: name)
    }
    let sql = "SELECT id, made_by, changed_by FROM regions ORDER BY id"
    let before = try rows(sql)
    #expect(before.contains { $0[1] == "1" && $0[2] == "3" })
    _ = try store.rebuild()
    #expect(try rows(sql) == before)
  }
}

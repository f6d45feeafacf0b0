import Foundation
import GeoStore
import Geocode
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import Roqua

/// Statistics of a place or a range of time, compared with loops over single cells, fixes and
/// visits.
@Suite struct SelectionTests {
  /// Tracks of two years across Strasbourg, Kehl and the Rhine that cross each other, some without
  /// times; and a boat trip in Fiji.
  private func explorer(in fixture: Fixture, seed: UInt64) throws -> Explorer {
    var random = SplitMix64(seed: seed)
    var paths = Fixture.townSamples
    for index in 0..<5 {
      let start = Coordinate(48.575, 7.77).randomNeighbor(within: 3_000, using: &random)
      var time = Int64.random(in: 1_700_000_000...1_740_000_000, using: &random) * 1_000
      let points = (0..<50).map { step -> (coordinate: Coordinate, time: Timestamp?) in
        time += Int64.random(in: 1_000...20_000_000, using: &random)
        let coordinate = Coordinate(
          start.latitudeDegrees + Double(step % 15) * 0.000_8,
          start.longitudeDegrees + Double(step) * 0.000_9)
        return (coordinate, step % 11 == 0 ? nil : Timestamp(millisecondsSince1970: time))
      }
      paths.append(try fixture.folder.write(TrackText.gpx(points), to: "track-\(index).gpx"))
    }
    _ = try fixture.explorer.importTracks(paths)
    return fixture.explorer
  }

  /// The earliest kept fix of each cell that a fix with a time explores.
  private func earliest(_ explorer: Explorer) throws -> [Cell: KeptFix] {
    var earliest: [Cell: KeptFix] = [:]
    for fix in try explorer.keptFixes() {
      guard let time = fix.time else { continue }
      var disc = Coverage()
      disc.mark(discAround: fix.coordinate)
      for cell in disc.cells {
        if let known = earliest[cell]?.time, known <= time { continue }
        earliest[cell] = fix
      }
    }
    return earliest
  }

  private func area(_ cells: some Sequence<Cell>) -> Double {
    cells.reduce(0) { $0 + Grid.standard.areaSquareMeters(of: $1) } / 1e6
  }

  private func range(_ from: String, _ to: String) throws -> ClosedRange<Timestamp> {
    try #require(Timestamp(iso8601: from))...#require(Timestamp(iso8601: to))
  }

  @Test(arguments: Seeds.sample(2))
  func `a range of time contains exactly the cells, fixes and visits of that time`(seed: UInt64)
    throws
  {
    let fixture = try Fixture()
    let explorer = try explorer(in: fixture, seed: seed)
    let times = try range("2024-02-10T06:00:00Z", "2024-10-05T12:34:56.789Z")
    var query = StatisticsQuery(breakdowns: [.country, .month])
    query.times = times
    let statistics = try explorer.statistics(query)

    let cells = try earliest(explorer).filter { times.contains($0.value.time ?? .distant) }
    #expect(cells.count > 100)
    #expect(statistics.cells == cells.count)
    #expect(isClose(statistics.areaSquareKilometers, area(cells.keys)))
    var countries: [String?: Int] = [:]
    var months: [String: Int] = [:]
    for (cell, fix) in cells {
      let center = Grid.standard.coordinate(of: cell)
      countries[explorer.geocoder.countryIndex(at: center)?.code, default: 0] += 1
      months[String((fix.time?.iso8601 ?? "").prefix(7)), default: 0] += 1
    }
    let shares = try #require(statistics.places[.country])
    let found = shares.filter { $0.ground.cells > 0 }
    #expect(
      Dictionary(uniqueKeysWithValues: found.map { ($0.place.countryCode, $0.ground.cells) })
        == countries)
    let periods = try #require(statistics.periods[.month])
    #expect(
      Dictionary(uniqueKeysWithValues: periods.map { ($0.period ?? "none", $0.newCells) })
        == months)

    let fixes = try explorer.keptFixes().filter { $0.time.map(times.contains) == true }
    #expect(statistics.counts.keptFixes == fixes.count)
    var (regions, visits) = (0, 0)
    for region in try explorer.allRegions() {
      let all = try explorer.read { snapshot in try snapshot.visits(toRegion: region.id) }
      let own = all.filter { times.overlaps($0.start...$0.end) }
      regions += own.isEmpty ? 0 : 1
      visits += own.count
    }
    #expect(statistics.counts.visitedRegions == regions && statistics.counts.visits == visits)
    #expect(shares.reduce(0) { $0 + $1.visits } == visits)
    #expect(shares.allSatisfy { share in share.firstTime.map { $0 >= times.lowerBound } ?? true })
    #expect(shares.allSatisfy { share in share.lastTime.map { $0 <= times.upperBound } ?? true })

    var coverage = CoverageQuery()
    coverage.selection = query
    let report = try explorer.coverageReport(coverage)
    #expect(report.cells == cells.count && report.frontierCount == nil)
    #expect(report.periods[.month] == periods)
  }

  @Test func `consecutive ranges of time add up to all cells with a time`() throws {
    let fixture = try Fixture()
    let explorer = try explorer(in: fixture, seed: 5)
    let borders = [
      "1970-01-01T00:00:00Z", "2024-01-15T10:00:00Z", "2024-03-19T20:00:00Z",
      "2024-09-14T08:00:00Z", "2030-01-01T00:00:00Z",
    ]
    var sum = 0
    for (start, end) in zip(borders, borders.dropFirst()) {
      let last = try #require(Timestamp(iso8601: end)).millisecondsSince1970 - 1
      var query = StatisticsQuery()
      query.times =
        try #require(Timestamp(iso8601: start))...Timestamp(millisecondsSince1970: last)
      sum += try explorer.statistics(query).cells
    }
    #expect(try sum == earliest(explorer).count)
  }

  @Test(arguments: [
    (["country": "Germany"], ["DE"]), (["country": "FR"], ["FR"]),
    (["region": "Grand Est"], ["FR", "Grand Est"]),
    (["city": "Kehl"], ["DE", "Baden-Württemberg", "Kehl"]),
    (["country": "Fiji"], ["FJ"]),
  ])
  func `a place contains the cells, fixes and regions whose position is in it`(
    names: [String: String], path: [String]
  ) throws {
    let fixture = try Fixture()
    let explorer = try explorer(in: fixture, seed: 11)
    var query = StatisticsQuery(breakdowns: [.country, .city, .day])
    query.place = try explorer.place(
      country: names["country"], region: names["region"], city: names["city"])
    let statistics = try explorer.statistics(query)

    func isInside(_ coordinate: Coordinate) -> Bool {
      let place = explorer.geocoder.place(at: coordinate)
      switch path.count {
      case 1: return place.countryCode == path[0]
      case 2: return place.countryCode == path[0] && place.region == path[1]
      default: return place.countryCode == path[0] && place.city == path[2]
      }
    }
    let coverage = try explorer.coverage()
    let cells = coverage.cells.filter { isInside(Grid.standard.coordinate(of: $0)) }
    #expect(cells.count > 50)
    #expect(statistics.cells == cells.count)
    #expect(isClose(statistics.areaSquareKilometers, area(cells)))
    #expect(
      try statistics.counts.keptFixes
        == explorer.keptFixes().count { isInside($0.coordinate) })
    let regions = try explorer.allRegions().filter { isInside($0.coordinate) }
    #expect(statistics.counts.visitedRegions == regions.count)
    #expect(statistics.counts.visits == regions.reduce(0) { $0 + $1.visitCount })
    #expect(statistics.counts.countries == 1)
    for breakdown in [Breakdown.country, .city] {
      let shares = try #require(statistics.places[breakdown])
      #expect(shares.reduce(0) { $0 + $1.ground.cells } == cells.count)
      #expect(shares.reduce(0) { $0 + $1.visitedRegions } == regions.count)
      #expect(shares.allSatisfy { $0.place.countryCode == path[0] })
    }

    // Days: by the earliest fix of each cell.
    let earliest = try earliest(explorer)
    var days: [String?: Int] = [:]
    for cell in cells {
      days[earliest[cell]?.time.map { String($0.iso8601.prefix(10)) }, default: 0] += 1
    }
    let periods = try #require(statistics.periods[.day])
    #expect(Dictionary(uniqueKeysWithValues: periods.map { ($0.period, $0.newCells) }) == days)

    // The place's share equals that of its row in a breakdown of the whole store.
    let level = try #require(query.place).level
    let rows = try #require(
      try explorer.statistics(by: [level.breakdown]).places[level.breakdown])
    let row = try #require(
      rows.first { share in
        let names = [share.place.countryCode, share.place.region, share.place.city]
        return zip(names, path).allSatisfy { $0 == $1 }
      })
    let share = try #require(statistics.placeShare)
    #expect(share.ground.cells == row.ground.cells)
    #expect(isClose(share.percentage ?? -1, row.percentage ?? -2))
  }

  @Test(arguments: Seeds.sample(2))
  func `local days are calendar days in the time zone of each fix`(seed: UInt64) throws {
    let fixture = try Fixture()
    let explorer = try explorer(in: fixture, seed: seed)
    // Around the changes to and from daylight saving time, at midnight in New York, and in the open
    // ocean.
    let moments = [
      "2024-03-10T04:30:00Z", "2024-03-10T05:30:00Z", "2024-11-03T03:59:59Z",
      "2024-11-03T04:30:00Z", "2024-11-04T04:30:00Z", "2024-11-04T05:00:00Z",
    ]
    let points = try moments.enumerated().map { index, text in
      (
        coordinate: Coordinate(40.7 + Double(index) * 0.01, -74),
        time: Timestamp?.some(
          try #require(Timestamp(iso8601: text)))
      )
    }
    let ocean = [
      (
        coordinate: Coordinate(-40, -130.5),
        time: Timestamp?.some(try #require(Timestamp(iso8601: "2024-05-01T08:59:00Z")))
      )
    ]
    for (index, points) in [points, ocean].enumerated() {
      let path = try fixture.folder.write(TrackText.gpx(points), to: "local-\(index).gpx")
      _ = try explorer.importTracks([path])
    }
    var query = StatisticsQuery(breakdowns: [.day, .year])
    query.clock = .local
    let statistics = try explorer.statistics(query)

    var days: [String: Int] = [:]
    for (_, fix) in try earliest(explorer) {
      let time = try #require(fix.time)
      let name = explorer.geocoder.place(at: fix.coordinate).timeZone
      let hours = (fix.coordinate.longitudeDegrees / 15).rounded()
      var calendar = Calendar(identifier: .gregorian)
      calendar.timeZone = try #require(
        name.map { TimeZone(identifier: $0) } ?? TimeZone(secondsFromGMT: Int(hours) * 3_600))
      let date = Date(timeIntervalSince1970: Double(time.millisecondsSince1970) / 1_000)
      let parts = calendar.dateComponents([.year, .month, .day], from: date)
      days[
        String(
          format: "%04d-%02d-%02d", try #require(parts.year), try #require(parts.month),
          try #require(parts.day)), default: 0] += 1
    }
    let shares = try #require(statistics.periods[.day])
    let found = shares.compactMap { share in share.period.map { ($0, share.newCells) } }
    #expect(Dictionary(uniqueKeysWithValues: found) == days)
    // Near 130.5° W local time is nine hours behind UTC: the evening before.
    #expect(days["2024-04-30"] != nil)
    #expect(shares.reduce(0) { $0 + $1.newCells } == statistics.cells)
    let years = try #require(statistics.periods[.year])
    #expect(years.reduce(0) { $0 + $1.newCells } == statistics.cells)
  }

  @Test func `the places of a time and a place are those with fixes there and then`() throws {
    let fixture = try Fixture()
    let explorer = try explorer(in: fixture, seed: 3)
    let all = try explorer.placeVisits(by: .city)
    var query = StatisticsQuery()
    query.place = try explorer.place(country: "France")
    let french = try explorer.placeVisits(by: .city, query)
    #expect(!french.isEmpty)
    #expect(french == all.filter { $0.place.countryCode == "FR" })
    query.times = try range("2024-09-14T00:00:00Z", "2024-09-14T23:59:59.999Z")
    for visit in try explorer.placeVisits(by: .city, query) {
      #expect(visit.firstDay == "2024-09-14" && visit.lastDay == "2024-09-14")
    }
    query.times = try range("1980-01-01T00:00:00Z", "1980-12-31T00:00:00Z")
    #expect(try explorer.placeVisits(by: .city, query).isEmpty)
  }
}

extension Timestamp {
  /// A time outside all ranges of these tests.
  fileprivate static var distant: Timestamp { Timestamp.writable.upperBound }
}

import Foundation
import GeoStore
import Geodesy
import GridHash
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// Flights from the file to the map.
@Suite struct FlightTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func explorer(_ name: String) throws -> Explorer {
    try Explorer(storePath: folder.file(name + ".sqlite"))
  }

  private func write(_ text: String, _ name: String) throws -> String {
    let path = folder.file(name)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  /// A walk, a flight with a fix every 20 s, and a walk, as GPX. The ground is 1.3 m/s, the climb
  /// 80 m/s, the flight 230 m/s.
  private func fixes() -> [Fix] {
    var (fixes, meters, seconds): ([Fix], Double, Int64) = ([], 0, 0)
    for (speed, step, count) in [
      (1.3, 60, 20), (80.0, 20, 4), (230, 20, 100), (75, 20, 8), (1.3, 60, 20),
    ] {
      for _ in 0..<count {
        meters += speed * Double(step)
        seconds += Int64(step)
        let longitude = 8 + meters / 71_700
        if let here = try? Coordinate(latitudeDegrees: 50, longitudeDegrees: longitude) {
          fixes.append(
            Fix(
              coordinate: here,
              time: Timestamp(millisecondsSince1970: 1_717_236_000_000 + seconds * 1_000),
              horizontalAccuracyMeters: 8))
        }
      }
    }
    return fixes
  }

  private func gpx(_ fixes: [Fix]) -> String {
    let points = fixes.map {
      """
      <trkpt lat="\($0.coordinate.latitudeDegrees)" lon="\($0.coordinate.longitudeDegrees)">\
      <time>\($0.time?.iso8601 ?? "")</time></trkpt>
      """
    }
    return "<gpx><trk><trkseg>\(points.joined(separator: "\n"))</trkseg></trk></gpx>"
  }

  @Test func `one history in four shapes has the same countries, and finer ones contain coarser`()
    throws
  {
    let history = OneHistory()
    var finer: Coverage?
    for (name, text) in [
      ("Records.json", history.records), ("2024_JUNE.json", history.semantic),
      ("Timeline.json", history.android), ("location-history.json", history.iOS),
    ] {
      let explorer = try explorer(name)
      let report = try explorer.importTracks([try write(text, name)])
      let file = try #require(report.files.first)
      #expect(file.track.error == nil && file.track.kept >= 20)
      let isDrawn = name == "Timeline.json" || name == "location-history.json"
      #expect(file.track.flights == (isDrawn ? 1 : 0), "\(name)")
      #expect(file.track.flightPoints == (isDrawn ? 6 : 0), "\(name)")
      let countries = try explorer.placeVisits(by: .country)
      #expect(countries.map(\.place.countryCode) == ["FR", "SE"], "\(name)")
      let regions = try explorer.placeVisits(by: .region)
      #expect(regions.count == 2, "\(name)")
      #expect(regions.map(\.firstDay) == ["2024-06-01", "2024-06-02"], "\(name)")
      #expect(regions.map(\.lastDay) == ["2024-06-01", "2024-06-02"], "\(name)")
      let days = try explorer.statistics(by: [.day]).periods[.day] ?? []
      #expect(days.map(\.period) == ["2024-06-01", "2024-06-02"], "\(name)")
      let coverage = try explorer.coverage()
      if let finer { #expect(coverage.subtracting(finer).isEmpty, "\(name)") }
      finer = coverage
    }
  }

  @Test func `a flight is counted, explores nothing and draws no line, unless a setting says so`()
    throws
  {
    let explorer = try explorer("s")
    let report = try explorer.importTracks([try write(gpx(fixes()), "flight.gpx")])
    #expect(report.flights == 1 && report.flightPoints == 111)
    let json = report.json.description
    #expect(json.contains("\"flights\": 1") || json.contains("\"flights\":1"))
    let kept = try explorer.keptFixes()
    #expect(kept.count == report.kept && kept.count(where: \.isInFlight) == 111)

    let statistics = try explorer.statistics(by: [.year, .country])
    let flights = try #require(statistics.flights)
    #expect(flights.count == 1 && flights.keptFixes == 111)
    #expect(abs(flights.distanceKilometers - 478.4) < 2)
    let new = (statistics.periods[.year] ?? []).reduce(0) { $0 + $1.newCells }
    #expect(new == statistics.cells, "statistics by time agree with the store")
    var query = StatisticsQuery()
    query.times = Timestamp(millisecondsSince1970: 0)...Timestamp(millisecondsSince1970: 1 << 42)
    #expect(try explorer.statistics(query).cells == statistics.cells)
    query.times = Timestamp(millisecondsSince1970: 0)...Timestamp(millisecondsSince1970: 1_000)
    #expect(try explorer.statistics(query).flights?.count == 0)

    func lines() throws -> [[(latitude: Double, longitude: Double)]] {
      try explorer.read { snapshot in
        try MapTracks(
          StatisticsQuery(), hiding: HiddenGround([], snapshot.settings), in: nil, of: snapshot,
          by: explorer
        ).positions
      }
    }
    func longestDegrees() throws -> Double {
      try lines().map { line in
        let longitudes = line.map(\.longitude)
        return (longitudes.max() ?? 0) - (longitudes.min() ?? 0)
      }.max() ?? 0
    }
    #expect(try longestDegrees() < 0.03)
    try explorer.set(.flightsExplore, to: 1)
    #expect(try longestDegrees() > 6)
    #expect(try explorer.statistics().cells > statistics.cells + 111 * 10)
    #expect(try explorer.statistics().flights == flights)
    #expect(try explorer.check().isSound)
  }

  @Test func `a recording marks the flight, and the store is consistent after each fix`()
    async throws
  {
    let explorer = try explorer("live")
    let all = fixes()
    let recording = try await explorer.startRecording(named: "trip", minimumIntervalSeconds: 0)
    var judged: [JudgedFix] = []
    for (index, fix) in all.enumerated() {
      judged += try await recording.add(fix).verdicts
      #expect(index - judged.count < 6, "at most a minute and the next fix wait")
      if index % 30 == 0 { #expect(try await explorer.check().isSound) }
    }
    let end = try await recording.endSegment()
    judged += end.verdicts
    let report = try await recording.finish()
    #expect(judged.map(\.fix) == all, "each fix once, in order")
    #expect(report.flights == 1)
    // The climb is not known to be one while it happens, and is corrected later.
    #expect(judged.count(where: \.isInFlight) == 107)
    #expect(report.flightPoints == 111)
    #expect(try explorer.keptFixes().count(where: \.isInFlight) == 111)
    #expect(try explorer.keptFixes().count == report.kept)
    #expect(try await explorer.statistics().flights?.count == 1)
    #expect(try await explorer.check().isSound)
  }

  @Test func `the same flight in two files is one flight`() throws {
    let explorer = try explorer("two")
    let all = fixes()
    let thinned = all.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    let report = try explorer.importTracks([
      try write(gpx(all), "watch.gpx"), try write(gpx(thinned), "phone.gpx"),
    ])
    #expect(report.files.map(\.track.flights) == [1, 1])
    #expect(try explorer.statistics().flights?.count == 1)
    #expect(try explorer.check().isSound)
  }
}

import GeoStore
import Geodesy
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// Made-up travelers.
@Suite struct DayReportTests {
  static let munich = Coordinate(48.137, 11.575)
  static let salzburg = Coordinate(47.8, 13.04)

  func at(_ text: String, _ coordinate: Coordinate) throws -> (Coordinate, Timestamp?) {
    let time: Timestamp = try #require(Timestamp(iso8601: text))
    return (coordinate, time)
  }

  func explorer(_ tracks: [[(Coordinate, Timestamp?)]]) throws -> Fixture {
    let fixture = try Fixture()
    for (index, track) in tracks.enumerated() {
      let points = track.map { (coordinate: $0.0, time: $0.1) }
      let path = try fixture.folder.write(TrackText.gpx(points), to: "\(index).gpx")
      _ = try fixture.explorer.importTracks([path])
    }
    return fixture
  }

  func counts(_ report: DayReport) -> [String: [Int]] {
    Dictionary(
      report.countries.map {
        ($0.place.countryCode ?? "sea", [$0.days, $0.nights, $0.presumedDays, $0.presumedNights])
      }, uniquingKeysWith: { first, _ in first })
  }

  @Test func `a night at home, a trip, and a gap in one country`() throws {
    let report = try explorer([
      [
        try at("2024-05-01T08:00:00Z", Self.munich),
        try at("2024-05-02T07:00:00Z", Coordinate(48.139, 11.575)),
        try at("2024-05-02T11:00:00Z", Self.salzburg),
        try at("2024-05-03T09:00:00Z", Coordinate(47.801, 13.04)),
        try at("2024-05-03T15:00:00Z", Coordinate(48.14, 11.58)),
        try at("2024-05-07T15:00:00Z", Coordinate(48.15, 11.58)),
      ]
    ]).explorer.dayReport()
    #expect(counts(report) == ["DE": [4, 1, 3, 4], "AT": [2, 1, 0, 0]])
    #expect(report.recordedDays == 4 && report.presumedDays == 3)
    #expect(report.nightsBetweenCountries == 0)
    #expect(report.days.map(\.isPresumed) == [false, false, false, true, true, true, false])
    #expect(
      report.days.map(\.nightIsPresumed) == [false, false, true, true, true, true, false])
    #expect(report.longestStreak.map { $0.count } == 3)
  }

  @Test func `two devices on one ride count its distance once`() throws {
    func ride(_ shift: Int64) -> [(Coordinate, Timestamp?)] {
      (0..<30).map { index in
        (
          Coordinate(48.1 + Double(index) * 0.001, 11.5 + Double(shift) * 1e-7),
          Timestamp(millisecondsSince1970: 1_714_557_600_000 + Int64(index) * 10_000 + shift)
        )
      }
    }
    let one = try explorer([ride(0)]).explorer.dayReport()
    let two = try explorer([ride(0), ride(4_000)]).explorer.dayReport()
    let length = Coordinate(48.1, 11.5).distanceMeters(to: Coordinate(48.129, 11.5))
    #expect(abs(one.groundMeters - length) < 1)
    // The second device ends 4 s after the first.
    #expect(abs(two.groundMeters - length * 294 / 290) < 1)
    #expect(counts(one) == counts(two))
  }

  @Test(arguments: Seeds.sample(4))
  func `two devices whose steps end together give the same days and tiers in any order of import`(
    seed: UInt64
  ) throws {
    // One device every minute; the other every two minutes, with detours.
    var random = SplitMix64(seed: seed)
    let start: Int64 = 1_714_557_600_000
    let straight = (0..<61).map { index -> (Coordinate, Timestamp?) in
      (
        Coordinate(48 + Double(index) * 0.002, 8),
        Timestamp(millisecondsSince1970: start + Int64(index) * 60_000)
      )
    }
    let winding = stride(from: 0, to: 61, by: 2).map { index -> (Coordinate, Timestamp?) in
      (
        Coordinate(
          48 + Double(index) * 0.002, 8 + .random(in: 0...0.004, using: &random)),
        Timestamp(millisecondsSince1970: start + Int64(index) * 60_000)
      )
    }
    var values: [[Double]] = []
    for tracks in [[straight, winding], [winding, straight]] {
      let explorer = try explorer(tracks).explorer
      let report = try explorer.dayReport()
      let kilometers = try explorer.achievements().items.filter {
        [.distance, .dayDistance].contains($0.achievement.metric.kind)
      }.compactMap(\.value)
      values.append([report.groundMeters] + kilometers)
    }
    #expect(values[0] == values[1])
    // The shorter steps have the time.
    let length = Coordinate(48, 8).distanceMeters(to: Coordinate(48.12, 8))
    #expect(abs(values[0][0] - length) < 1)
    #expect(values[0].dropFirst().allSatisfy { abs($0 - length / 1_000) < 0.001 })
  }

  @Test func `a device that stays covers time, in days and in achievements`() throws {
    let start: Int64 = 1_714_557_600_000
    func at(_ minute: Int, _ latitude: Double) -> (Coordinate, Timestamp?) {
      (
        Coordinate(latitude, 8),
        Timestamp(millisecondsSince1970: start + Int64(minute) * 60_000)
      )
    }
    // One device stays at its last kept fix from 10:10 to 10:30, the other drives from 10:20.
    let staying = (0...10).map { at($0, 48 + Double($0) / 1_000) } + [at(30, 48.01)]
    let driving = [at(20, 48.01), at(40, 48.03)]
    func distances(_ explorer: Explorer) throws -> [Double] {
      let found = try explorer.achievements().items.filter {
        [.distance, .dayDistance].contains($0.achievement.metric.kind)
      }.compactMap(\.value)
      return [try explorer.dayReport().groundMeters / 1_000] + found
    }
    let length = Coordinate(48, 8).distanceMeters(to: Coordinate(48.01, 8)) / 1_000
    for tracks in [[staying, driving], [driving, staying]] {
      let whole = try explorer(tracks)
      for distance in try distances(whole.explorer) {
        // Half of the drive is in the time of the stay.
        #expect(abs(distance - 2 * length) < 0.001)
      }
      // The same if the achievements are evaluated after each import.
      let fixture = try Fixture()
      for (index, track) in tracks.enumerated() {
        let points = track.map { (coordinate: $0.0, time: $0.1) }
        let path = try fixture.folder.write(TrackText.gpx(points), to: "\(index).gpx")
        _ = try fixture.explorer.importTracks([path])
        _ = try fixture.explorer.achievements()
      }
      #expect(try distances(fixture.explorer) == distances(whole.explorer))
    }
  }

  @Test func `a privacy zone cuts the distance, and leaves days at home presumed`() throws {
    let track = try (0..<3).flatMap { day -> [(Coordinate, Timestamp?)] in
      try (0..<40).map { step in
        try at(
          "2024-05-0\(1 + 2 * day)T08:\(step < 10 ? "0" : "")\(step):00Z",
          Coordinate(48.1 + Double(step) / 1_000, 11.5 + Double(day) / 1_000))
      }
    }
    let fixture = try explorer([track])
    let before = try fixture.explorer.dayReport()
    #expect(counts(before) == ["DE": [3, 0, 2, 4]])
    _ = try fixture.explorer.addPrivacyZone(
      PrivacyZone(center: Coordinate(48.12, 11.5), radiusMeters: 500))
    let after = try fixture.explorer.dayReport()
    #expect(counts(after) == ["DE": [3, 0, 2, 4]])
    #expect(after.groundMeters < before.groundMeters - 3 * 900)
  }

  @Test func `a night in the air counts for no country, and a flight has no ground distance`()
    throws
  {
    // From Munich westward at 230 m/s from 20:00 UTC, a fix every 60 s for four hours.
    var track: [(Coordinate, Timestamp?)] = []
    var longitude = 11.5
    for step in 0..<240 {
      longitude -= 230 * 60 / 74_000
      track.append(
        (
          Coordinate(48.1, longitude),
          Timestamp(millisecondsSince1970: 1_714_593_600_000 + Int64(step) * 60_000)
        ))
    }
    let fixture = try explorer([
      [try at("2024-05-01T19:00:00Z", Self.munich)], track,
      [try at("2024-05-02T10:00:00Z", Coordinate(41.88, -87.63))],
    ])
    let report = try fixture.explorer.dayReport()
    #expect(report.flights?.count == 1)
    var query = DayQuery()
    query.countryCode = "DE"
    #expect(try fixture.explorer.dayReport(query).flights == nil, "not counted")
    #expect(report.groundMeters < 14_000, "\(report.groundMeters)")
    #expect(report.countries.allSatisfy { $0.nights == 0 }, "\(counts(report))")
    #expect(counts(report)["DE"]?.first == 1 && counts(report)["US"]?.first == 1)
    #expect(report.nightsBetweenCountries == 1)
  }

  @Test func `home is found by nights or given, and the farthest position is measured from it`()
    throws
  {
    var track: [(Coordinate, Timestamp?)] = []
    for day in 1...6 {
      track.append(try at("2024-05-0\(day)T06:00:00Z", Coordinate(48.137, 11.576)))
      track.append(try at("2024-05-0\(day)T12:00:00Z", Coordinate(48.2, 11.6)))
      track.append(try at("2024-05-0\(day)T20:00:00Z", Self.munich))
    }
    track.append(try at("2024-05-07T12:00:00Z", Self.salzburg))
    let fixture = try explorer([track])
    let found = try fixture.explorer.dayReport()
    #expect(found.home?.nights == 5)
    #expect(found.home.map { $0.coordinate.distanceMeters(to: Self.munich) < 100 } == true)
    #expect(found.farthest?.coordinate == Self.salzburg)
    #expect(found.longestStreak.map { $0.count } == 7)
    var query = DayQuery()
    query.home = Self.salzburg
    query.days = 19_844...19_849  // 2024-05-01 to 2024-05-06
    query.window = (4, 5)
    let given = try fixture.explorer.dayReport(query)
    #expect(given.home?.nights == nil && given.countries.count == 1)
    #expect(given.farthest.map { $0.coordinate.latitudeDegrees > 48.1 } == true)
    let window = try #require(given.countries.first?.window)
    #expect(window.count == 5 && DayReport.date(window.end) == "2024-05-05")
    #expect(window.reached.map { DayReport.date($0) } == "2024-05-04")
    query.findsNewCells = true
    let streak = try fixture.explorer.dayReport(query).longestNewCellStreak
    // The same three places every day: only the first day has new cells.
    #expect(streak == 19_844...19_844 && given.longestNewCellStreak == nil)
    query.countryCode = "AT"
    #expect(try fixture.explorer.dayReport(query).countries.isEmpty)
  }

  @Test func `the parts of the time add up to the whole`() throws {
    let fixture = try Fixture()
    _ = try fixture.explorer.importTracks(Fixture.townSamples)
    let report = try fixture.explorer.dayReport()
    for breakdown in [Breakdown.year, .month, .day] {
      let periods = report.periods(by: breakdown)
      #expect(periods.reduce(0) { $0 + $1.recordedDays } == report.recordedDays)
      #expect(
        abs(periods.reduce(0) { $0 + $1.groundMeters } - report.groundMeters) < 1e-6)
    }
    #expect(
      abs(report.countries.reduce(0) { $0 + $1.groundMeters } - report.groundMeters) < 1e-6)
  }

  @Test(arguments: [PlaceLevel.region, .city], Seeds.sample(2))
  func `the distance in a place is that of the steps that end in it`(
    level: PlaceLevel, seed: UInt64
  ) throws {
    // Three days from Munich toward Salzburg and back, in steps of 20 minutes.
    var random = SplitMix64(seed: seed)
    var track: [(coordinate: Coordinate, time: Timestamp)] = []
    for step in 0..<216 {
      let share = 1 - abs(Double(step) / 108 - 1)
      track.append(
        (
          Coordinate(
            48.137 - 0.337 * share + Double.random(in: -0.02...0.02, using: &random),
            11.575 + 1.465 * share + Double.random(in: -0.02...0.02, using: &random)),
          Timestamp(millisecondsSince1970: 1_714_557_600_000 + Int64(step) * 1_200_000)
        ))
    }
    let fixture = try explorer([track.map { ($0.coordinate, $0.time) }])
    let geocoder = fixture.explorer.geocoder
    struct Sum: Equatable {
      var (meters, days) = (0.0, Set<Int>())
    }
    var sums: [[String?]: Sum] = [:]
    for (index, fix) in track.enumerated() {
      let place = geocoder.place(at: fix.coordinate)
      let isCity = level == .city
      let key = [place.countryCode, place.region, isCity ? place.city : nil]
      // Clocks are two hours ahead of UTC.
      let local = Timestamp(
        millisecondsSince1970: fix.time.millisecondsSince1970 + 7_200_000)
      sums[key, default: Sum()].days.insert(local.daysSince1970)
      guard index > 0 else { continue }
      sums[key, default: Sum()].meters +=
        track[index - 1].coordinate.distanceMeters(to: fix.coordinate)
    }
    var query = DayQuery()
    query.placeLevel = level
    let report = try fixture.explorer.dayReport(query)
    #expect(report.places.count == sums.count && sums.count >= 2, "\(sums.keys)")
    for place in report.places {
      let sum = try #require(
        sums[[place.place.countryCode, place.place.region, place.place.city]], "\(place)")
      #expect(abs(place.groundMeters - sum.meters) < 1e-6 && place.days == sum.days.count)
    }
    #expect(
      report.places.map(\.groundMeters) == report.places.map(\.groundMeters).sorted(by: >))
    #expect(abs(report.places.reduce(0) { $0 + $1.groundMeters } - report.groundMeters) < 1e-6)
    // The places of a country have its distance.
    query.countryCode = "AT"
    query.days = 19_844...19_845
    let part = try fixture.explorer.dayReport(query)
    #expect(part.places.allSatisfy { $0.place.countryCode == "AT" } && !part.places.isEmpty)
    #expect(abs(part.places.reduce(0) { $0 + $1.groundMeters } - part.groundMeters) < 1e-6)
    #expect(try fixture.explorer.dayReport().places.isEmpty)
  }

  @Test func `a night at sea, one between countries and an unknown one differ`() throws {
    let atlantic = Coordinate(40, -40)
    let fixture = try explorer([
      [
        try at("2024-05-01T12:00:00Z", atlantic),
        try at("2024-05-02T12:00:00Z", Coordinate(40, -39.9)),
        try at("2024-05-03T12:00:00Z", Self.munich),
        try at("2024-05-04T12:00:00Z", Coordinate(48.2, 11.575)),
      ]
    ])
    let report = try fixture.explorer.dayReport()
    #expect(
      report.days.map(\.night) == [.atSea, .betweenCountries, .country(code: "DE"), nil])
    #expect(report.days.map(\.nightCountryCode) == [nil, nil, "DE", nil])
    #expect(counts(report) == ["sea": [2, 1, 0, 0], "DE": [2, 1, 0, 0]])
    // A night at sea counts by time as it does by country.
    let month = try #require(report.periods(by: .month).first)
    #expect(month.countries.map(\.nights) == [1, 1] && month.countries.count == 2)
    let json = "\(report.json(listsDays: true))"
    for night in ["atSea", "betweenCountries", "country"] {
      #expect(json.contains(#""night":"\#(night)""#), "\(json)")
    }
    #expect(json.contains(#""night":null"#))
    var query = DayQuery()
    query.countryCode = "DE"
    #expect(
      try fixture.explorer.dayReport(query).days.map(\.night) == [.country(code: "DE"), nil])
  }
}

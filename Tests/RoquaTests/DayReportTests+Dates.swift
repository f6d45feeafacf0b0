import Geodesy
import Testing

@testable import Roqua

/// Which local date a fix and a night belong to.
extension DayReportTests {
  @Test func `a fix exactly at local midnight is the new day and decides the night`() throws {
    // 22:00 UTC is midnight in Munich in summer.
    let near = Coordinate(47.79, 12.9)  // in Germany, near Salzburg
    let report = try explorer([
      [try at("2024-05-01T21:00:00Z", Self.salzburg), try at("2024-05-01T22:00:00Z", near)]
    ]).explorer.dayReport()
    #expect(counts(report) == ["AT": [1, 0, 0, 0], "DE": [1, 1, 0, 0]])
    #expect(report.days.map(\.nightCountryCode) == ["DE", nil])
    let earlier = try explorer([
      [try at("2024-05-01T21:00:00Z", Self.salzburg), try at("2024-05-01T21:59:59Z", near)]
    ]).explorer.dayReport()
    #expect(counts(earlier) == ["AT": [1, 0, 0, 0], "DE": [1, 0, 0, 0]])
    #expect(earlier.days.count == 1)
  }

  @Test func `a night that only a fix at midnight decides is listed, and in its period`() throws {
    // 23:00 UTC is midnight in Brussels.
    let report = try explorer([
      [
        try at("2023-12-31T23:00:00Z", Coordinate(50.85, 4.35)),
        try at("2023-12-31T23:05:00Z", Coordinate(50.851, 4.35)),
      ]
    ]).explorer.dayReport()
    #expect(counts(report) == ["BE": [1, 1, 0, 0]])
    #expect(report.days.map { DayReport.date($0.day) } == ["2023-12-31", "2024-01-01"])
    #expect(report.days.map(\.night) == [.country(code: "BE"), nil])
    #expect(report.days.map(\.countryCodes) == [[], ["BE"]])
    #expect(report.days.allSatisfy { !$0.isPresumed })
    for breakdown in [Breakdown.year, .month, .day] {
      let periods = report.periods(by: breakdown)
      #expect(periods.map(\.recordedDays) == [0, 1])
      #expect(periods.map { $0.countries.map(\.nights) } == [[1], [0]])
    }
  }

  @Test func `a day with a fix in another country is not presumed`() throws {
    // 2 January in Tokyo, then 1 January in Honolulu.
    let report = try explorer([
      [try at("2024-01-01T23:00:00Z", Coordinate(35.68, 139.76))],
      [try at("2024-01-02T07:00:00Z", Coordinate(21.30, -157.85))],
      [try at("2024-01-04T20:00:00Z", Coordinate(21.30, -157.85))],
    ]).explorer.dayReport()
    #expect(counts(report) == ["JP": [1, 0, 0, 0], "US": [2, 0, 1, 3]])
    #expect(report.presumedDays == 1 && report.days.count(where: \.isPresumed) == 1)
  }

  @Test func `a date that a country skipped counts neither as a day nor as a night`() throws {
    // Samoa had no 30 December 2011.
    let report = try explorer([
      [
        try at("2011-12-30T06:00:00Z", Coordinate(-13.83, -171.76)),
        try at("2011-12-30T18:00:00Z", Coordinate(-13.831, -171.761)),
      ]
    ]).explorer.dayReport()
    #expect(counts(report) == ["WS": [2, 1, 0, 0]])
    #expect(report.days.map { DayReport.date($0.day) } == ["2011-12-29", "2011-12-31"])
    #expect(report.presumedDays == 0 && report.daysBetweenCountries == 0)
    // A longer stay has the other days.
    let longer = try explorer([
      [
        try at("2011-12-28T06:00:00Z", Coordinate(-13.83, -171.76)),
        try at("2012-01-02T18:00:00Z", Coordinate(-13.831, -171.761)),
      ]
    ]).explorer.dayReport()
    #expect(counts(longer) == ["WS": [2, 0, 5, 6]])
  }

  @Test func `the day on which clocks change is one day`() throws {
    // 31 March 2024 has 23 hours in Munich: from 23:00 UTC on the 30th to 22:00 UTC.
    let places = (0..<4).map { Coordinate(48.137 + Double($0) / 1_000, 11.575) }
    let report = try explorer([
      [
        try at("2024-03-30T22:59:00Z", places[0]), try at("2024-03-30T23:01:00Z", places[1]),
        try at("2024-03-31T21:59:00Z", places[2]), try at("2024-03-31T22:01:00Z", places[3]),
      ]
    ]).explorer.dayReport()
    #expect(
      report.days.map { DayReport.date($0.day) } == ["2024-03-30", "2024-03-31", "2024-04-01"])
    #expect(counts(report) == ["DE": [3, 2, 0, 0]])
  }

  @Test func `crossing the date line repeats a day, which counts for both countries`() throws {
    let (apia, pagoPago) = (Coordinate(-13.833, -171.76), Coordinate(-14.28, -170.70))
    // Samoa is 24 hours ahead of American Samoa.
    let report = try explorer([
      [
        try at("2024-05-05T20:00:00Z", apia),  // 6 May, 09:00
        try at("2024-05-06T12:00:00Z", Coordinate(-13.85, -171.75)),  // 7 May, 01:00
        try at("2024-05-06T20:00:00Z", pagoPago),  // 6 May, 09:00
        try at("2024-05-07T12:00:00Z", Coordinate(-14.29, -170.71)),  // 7 May, 01:00
      ]
    ]).explorer.dayReport()
    #expect(counts(report) == ["WS": [2, 1, 0, 0], "AS": [2, 1, 0, 0]])
    #expect(report.recordedDays == 2, "two dates, each in two countries")
    #expect(report.nightsBetweenCountries == 0)
  }
}

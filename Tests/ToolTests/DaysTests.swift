import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua days`.
@Suite struct DaysTests {
  private func bench() throws -> Bench {
    let bench = try Bench()
    #expect(try bench.roqua("import", PackageFolder.samples).status == 0)
    return bench
  }

  @Test(
    arguments: [
      ("days", ["--window", "183/365"]), ("days-by-year", ["--by", "year"]),
      ("days-by-region", ["--by", "region"]), ("days-by-city", ["--by", "city", "--from", "2024"]),
      ("days-list", ["--list", "--from", "2024", "--to", "2024"]),
      ("days-of-a-country", ["--country", "Germany", "--home", "48.1", "11.5"]),
      ("days-nothing-there", ["--country", "Brazil"]),
    ])
  func `the output matches the golden file`(name: String, arguments: [String]) throws {
    let result = try bench().roqua(["days"] + arguments)
    #expect(result.status == 0 && result.err == "", "\(result.err)")
    try expectGolden(result.out, name)
  }

  /// docs/days.md, "What counts as a fix".
  @Test func `the last time near the last kept fix of a source counts as a fix`() throws {
    let bench = try Bench()
    // 22:00, 23:00 and 00:30 in Germany, in one place: the filter keeps the first one.
    let times = ["2024-05-01T20:00:00Z", "2024-05-01T21:00:00Z", "2024-05-01T22:30:00Z"]
    try bench.folder.write(
      TrackText.gpx(times.map { (Coordinate(48.5, 8.5), Timestamp(iso8601: $0)) }), to: "a.gpx")
    #expect(try bench.json("import", "a.gpx").files[0].kept.int == 1)
    let answer = try bench.json("days", "--list")
    #expect(answer.recordedDays.int == 2 && answer.presumedDays.int == 0)
    #expect(answer.days.elements.map(\.day.string) == ["2024-05-01", "2024-05-02"])
    #expect(answer.days[0].night.string == "country")
  }

  @Test func `presumed nights are marked in the list`() throws {
    let bench = try Bench()
    try bench.folder.write(
      TrackText.gpx([
        (Coordinate(48.1, 11.5), Timestamp(iso8601: "2024-01-01T10:00:00Z")),
        (Coordinate(48.2, 11.5), Timestamp(iso8601: "2024-01-03T10:00:00Z")),
      ]), to: "a.gpx")
    #expect(try bench.roqua("import", "a.gpx").status == 0)
    let days = try bench.json("days", "--list").days.elements
    #expect(days.map(\.nightIsPresumed) == [.bool(true), .bool(true), .bool(false)])
    let rows = try bench.roqua("days", "--list").out.split(separator: "\n")
    #expect(rows.first == "2 days and 1 presumed day")
    #expect(rows.first { $0.hasPrefix("2024-01-01") }?.contains("Germany (presumed)") == true)
  }

  @Test func `a window of one day is named in the singular`() throws {
    let words = try bench().roqua("days", "--window", "1/2").out
    #expect(words.contains(/most days +1 day\n/), "\(words)")
  }

  @Test func `JSON has countries, periods and days`() throws {
    let bench = try bench()
    let all = try bench.json("days", "--by", "year", "--list")
    #expect(all.recordedDays.int == 7 && all.days.elements.count == 7)
    #expect(all.periods.elements.compactMap(\.recordedDays.int).reduce(0, +) == 7)
    #expect(all.countries.elements.compactMap(\.countryCode.string).sorted().first == "DE")
    #expect(try !bench.json("days").names.contains("periods"))
    #expect(all.days.elements.first?.night.string == "betweenCountries")
    #expect(all.days.elements.last.map { $0.names.contains("night") } == true)
    let cities = try bench.json("days", "--by", "city")
    let meters = cities.places.elements.compactMap(\.groundMeters.double).reduce(0, +)
    #expect(try abs(meters - #require(cities.groundMeters.double)) < 0.001)
    #expect(
      cities.places.elements.first?.names == [
        "countryCode", "country", "regionCode", "region", "city", "days", "groundMeters",
      ])
    #expect(try !bench.json("days").names.contains("places"))
    let window = try bench.json("days", "--window", "1/2", "--country", "DE").countries.elements
    #expect(window.first?.window.days.int == 1 && window.first?.window.reached.string != nil)
  }

  @Test func `--top lists the largest, the largest first`() throws {
    let bench = try bench()
    let all = try bench.json("days", "--list", "--by", "year")
    let meters = all.days.elements.compactMap(\.groundMeters.double)
    let longest = try bench.json("days", "--list", "--top", "3")
    #expect(
      longest.days.elements.compactMap(\.groundMeters.double)
        == Array(meters.sorted(by: >).prefix(3)))
    #expect(longest.days[0].day == longest.longestDay.day && longest.recordedDays.int == 7)
    #expect(longest.countries == all.countries)
    let years = try bench.json("days", "--by", "year", "--top", "2").periods.elements
    #expect(years.map(\.period.string) == ["2025", "2024"])
    #expect(try bench.json("days", "--by", "city", "--top", "2").places.elements.count == 2)
    let countries = try bench.json("days", "--top", "2").countries.elements
    #expect(countries == Array(all.countries.elements.prefix(2)))
    for (arguments, rest) in [
      ([], "and 5 more"), (["--by", "year"], "and 2 more"), (["--list"], "and 5 more"),
      (["--by", "region"], "and 7 more"),
    ] as [([String], String)] {
      let words = try bench.roqua(["days", "--top", "2"] + arguments)
      #expect(words.status == 0 && words.out.hasSuffix("\n\(rest)\n"), "\(words.out)")
    }
    #expect(try !bench.roqua("days", "--top", "50").out.contains(" more\n"))
  }

  @Test(
    arguments: [
      (["--window", "183"], "--window takes two numbers of days"),
      (["--window", "366/365"], "--window takes two numbers of days"),
      (["--window", "0/5"], "--window takes two numbers of days"),
      (["--window", "1/2", "--by", "year"], "--window cannot be combined with --by year."),
      (["--presumed", "--by", "month"], "--presumed cannot be combined with --by month."),
      (["--home", "91", "0"], "--home: "), (["--country", "Germny"], "Germany"),
      (["--country", "Scotland"], "No country is called \"Scotland\": it is a region.\n"),
      (["--from", "2025", "--to", "2024"], "--from is after --to."),
      (["--by", "quarter"], "Please provide one of"),
      (["--from", "2024-09-14T23:59:00Z"], "--from takes a day, a month or a year"),
      (["--to", "2024-09-14T23:59:00Z"], "--to takes a day, a month or a year"),
      (["--by", "city", "--by", "year"], "--by can be given only once."),
      (["--window", "1/2", "--by", "city"], "--window cannot be combined with --by city."),
    ])
  func `wrong usage is refused`(arguments: [String], message: String) throws {
    let result = try Bench().roqua(["days"] + arguments)
    #expect(result.status == 64 && result.err.contains(message), "\(result.err)")
  }
}

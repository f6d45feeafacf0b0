import GeoStore
import Geodesy
import Roqua

/// Days, nights and distances in words and tables.
struct DaySummary {
  let report: DayReport
  /// The largest number of rows; nil for all.
  let top: Int?

  /// - Parameters:
  ///   - period: year, month or day; nil for places.
  ///   - listsDays: whether to list every day in place of the table.
  func print(by period: Breakdown?, listsDays: Bool) {
    printTotals()
    Console.print("")
    if listsDays {
      printDays()
    } else if let period {
      print(report.periods(by: period), by: period)
    } else if let level = report.query.placeLevel {
      print(report.places, by: level)
    } else {
      printCountries()
    }
  }

  private func printTotals() {
    let presumed =
      report.presumedDays > 0
      ? " and " + Wording.count(report.presumedDays, "presumed day") : ""
    Console.print("\(Wording.count(report.recordedDays, "day"))\(presumed)")
    var table = Table([.left, .left])
    table.add(["on the ground", Wording.distance(report.groundMeters)])
    if let flights = report.flights, flights.count > 0 {
      table.add([
        "in the air",
        "\(Wording.distance(flights.distanceKilometers * 1_000)) in "
          + Wording.count(flights.count, "flight"),
      ])
    }
    if let day = report.longestDay {
      table.add([
        "longest day", "\(DayReport.date(day.day)), \(Wording.distance(day.groundMeters))",
      ])
    }
    for (name, streak) in [
      ("longest streak", report.longestStreak), ("with new cells", report.longestNewCellStreak),
    ] {
      guard let streak else { continue }
      table.add([
        name,
        "\(Wording.count(streak.count, "day")), \(DayReport.date(streak.lowerBound))"
          + (streak.count > 1 ? " to \(DayReport.date(streak.upperBound))" : ""),
      ])
    }
    if let home = report.home {
      let nights = home.nights.map { ", found by \(Wording.count($0, "night"))" } ?? ", as given"
      table.add(["home", Self.name(home.place) + nights])
    }
    if let farthest = report.farthest {
      table.add([
        "farthest from home",
        "\(Wording.distance(farthest.distanceMeters)), \(Self.name(farthest.place)), "
          + farthest.time.iso8601.prefix(10) + " (UTC)",
      ])
    }
    if report.nightsBetweenCountries > 0 {
      table.add([
        "between countries, so unknown",
        Wording.count(report.nightsBetweenCountries, "night") + ", "
          + Wording.count(report.daysBetweenCountries, "day"),
      ])
    }
    table.lines().forEach(Console.print)
  }

  private func printCountries() {
    guard !report.countries.isEmpty else { return Console.print("no days") }
    let window = report.query.window
    var table = Table(
      [.left, .right, .right, .right, .right, .right] + (window == nil ? [] : [.right, .left]))
    table.addHeader(
      ["", "", "", "presumed", "presumed", "on the"]
        + (window.map { ["most days", Wording.count($0.limit, "day")] } ?? []))
    table.addHeader(
      ["country", "days", "nights", "days", "nights", "ground"]
        + (window.map { ["in \($0.length)", "reached"] } ?? []))
    for country in report.countries.prefix(top ?? .max) {
      let most = country.window.map {
        [Wording.count($0.count), $0.reached.map { DayReport.date($0) } ?? "never"]
      }
      table.add(
        [
          Self.country(country.place), Wording.count(country.days), Wording.count(country.nights),
          Wording.count(country.presumedDays), Wording.count(country.presumedNights),
          Wording.distance(country.groundMeters),
        ] + (window == nil ? [] : most ?? ["0", "never"]))
    }
    table.lines().forEach(Console.print)
    StatisticsSummary.printRest(report.countries.count, top)
  }

  private func print(_ places: [DayReport.PlaceDistance], by level: PlaceLevel) {
    guard !places.isEmpty else { return Console.print("no days") }
    let labels = PlaceLabels(places.map(\.place), by: level.breakdown)
    var table = Table([.left, .right, .right])
    table.addHeader([level.singular, "days", "on the ground"])
    for place in places.prefix(top ?? .max) {
      table.add([
        labels.text(place.place), Wording.count(place.days), Wording.distance(place.groundMeters),
      ])
    }
    table.lines().forEach(Console.print)
    StatisticsSummary.printRest(places.count, top)
  }

  private func print(_ periods: [DayReport.PeriodDays], by breakdown: Breakdown) {
    guard !periods.isEmpty else { return Console.print("no days") }
    var table = Table([.left, .left, .right, .right, .right, .right])
    table.addHeader(["", "", "", "all", "presumed", "on the"])
    table.addHeader([breakdown.rawValue, "country", "days", "nights", "days", "ground"])
    for period in DayReport.longest(top, of: periods, by: \.groundMeters) {
      let distance = Wording.distance(period.groundMeters)
      let isOne = period.countries.count == 1
      // The distance is that of the period, not of one of its countries.
      if !isOne { table.add([period.period, "", "", "", "", distance]) }
      for counts in period.countries {
        table.add([
          isOne ? period.period : "", country(code: counts.countryCode),
          Wording.count(counts.days), Wording.count(counts.nights),
          Wording.count(counts.presumedDays), isOne ? distance : "",
        ])
      }
    }
    table.lines().forEach(Console.print)
    StatisticsSummary.printRest(periods.count, top)
  }

  private func printDays() {
    guard !report.days.isEmpty else { return Console.print("no days") }
    var table = Table([.left, .left, .left, .right])
    table.addHeader(["day", "in", "night in", "on the ground"])
    for day in DayReport.longest(top, of: report.days, by: \.groundMeters) {
      let countries = day.countryCodes.map { country(code: $0) }.joined(separator: ", ")
      table.add([
        DayReport.date(day.day), countries + (day.isPresumed ? " (presumed)" : ""),
        night(day.night) + (day.nightIsPresumed ? " (presumed)" : ""),
        Wording.distance(day.groundMeters),
      ])
    }
    table.lines().forEach(Console.print)
    StatisticsSummary.printRest(report.days.count, top)
  }

  private func night(_ night: DayReport.Night?) -> String {
    switch night {
    case .country(let code): country(code: code)
    case .atSea: country(code: nil)
    case .betweenCountries: "between countries"
    case nil: ""
    }
  }

  /// The name of a country of the report.
  private func country(code: String?) -> String {
    let place = report.countries.first { $0.place.countryCode == code }?.place
    return place.map(Self.country) ?? code ?? "at sea or in no country"
  }

  private static func country(_ place: PlaceNames) -> String {
    PlaceWording.current.text(place) ?? "at sea or in no country"
  }

  private static func name(_ place: PlaceNames) -> String {
    let breakdown: Breakdown = place.city == nil ? .country : .city
    return PlaceLabels([place], by: breakdown).text(place)
  }
}

import ArgumentParser
import GeoStore
import Geocode
import Geodesy
import Roqua

struct Days: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "days",
    abstract: "Count days and nights by country, and distances on the ground.",
    discussion: """
      A day counts for a country if a kept fix lies in it on that day by the clock there. A night \
      is named by the day on which it begins, and counts for the country in which you were at the \
      midnight that ends this day. A day without any fix between two fixes in one country is \
      presumed there, and counted apart. Nights between fixes in different countries count for \
      none.

      Distances are those between successive fixes of a track; flights and gaps have none, and \
      time that two devices recorded counts once. Home is the place with the most nights.

      These are counts of what was recorded, not a tax return: rules differ between countries.

      Examples:
        roqua days --from 2024 --to 2024 --window 183/365
        roqua days --by year
        roqua days --by city --country Italy
        roqua days --country France --from 2024-05 --to 2024-05 --list
      """)

  /// How to break down: by place, or by time.
  enum Breakdown: String, ExpressibleByArgument, CaseIterable {
    case country, region, city, year, month, day
  }

  @OptionGroup var store: StoreArguments

  @Option(
    name: .customLong("by"),
    help: ArgumentHelp(
      "Break down by country, region, city, year, month or day (country without it). Regions and "
        + "cities have days and distances, but no nights.", valueName: "by"))
  var breakdown: Breakdown = .country

  @Flag(help: "List every day with its countries, its night and its distance.")
  var list = false

  @Option(
    help: ArgumentHelp(
      "List only the N largest: countries by days, all else by distance.", valueName: "n"),
    transform: EntryCount.number)
  var top: Int?

  @Option(
    help: "Count only this country: its name or its ISO 3166-1 code (DE, DEU).",
    completion: Completions.countries)
  var country: String?

  @Option(
    help: ArgumentHelp(
      "Count only from this local day on: 2024, 2024-05, 2024-05-01.", valueName: "time"),
    transform: Moment.init)
  var from: Moment?

  @Option(
    help: ArgumentHelp("Count only up to the end of this local day.", valueName: "time"),
    transform: Moment.init)
  var to: Moment?

  @Option(
    help: ArgumentHelp(
      "Report the most days of each country in any M successive days, and when N were reached.",
      valueName: "N/M"))
  var window: String?

  @Flag(help: "Count presumed days, too, in the window and in the longest streak.")
  var presumed = false

  @Flag(help: "Add the longest streak of days with newly explored cells.")
  var newCells = false

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("State your home, if it is not where most nights are.", valueName: "lat lon")
  )
  var home: [String] = []

  @OptionGroup var language: LanguageArguments

  private func homeCoordinate() throws -> Coordinate? {
    home.isEmpty ? nil : try Position.coordinate(home, option: "--home")
  }

  /// The numbers of `--window`.
  private func windowNumbers() throws -> (limit: Int, length: Int)? {
    guard let window else { return nil }
    let numbers = window.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let limit = numbers[0], let length = numbers[1], limit >= 1,
      limit <= length, length <= 36_525
    else {
      throw ValidationError(
        "--window takes two numbers of days, the smaller one first, such as 183/365 or 90/180.")
    }
    return (limit, length)
  }

  func validate() throws {
    _ = try (homeCoordinate(), windowNumbers())
    for (option, moment) in [("--from", from), ("--to", to)] where moment?.isWhole == true {
      throw ValidationError(
        "\(option) takes a day, a month or a year, such as 2024-05-01: whole days are counted.")
    }
    try SelectionArguments.check(
      country: country, region: nil, from: from, to: to, hasOtherLevels: false)
    if window != nil, breakdown != .country {
      throw ValidationError("--window cannot be combined with --by \(breakdown.rawValue).")
    }
    if presumed, window == nil, breakdown != .country {
      throw ValidationError("--presumed cannot be combined with --by \(breakdown.rawValue).")
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let explorer = try store.open(creating: false)
      var query = DayQuery()
      query.home = try homeCoordinate()
      query.window = try windowNumbers()
      query.countsPresumed = presumed
      query.findsNewCells = newCells
      if from != nil || to != nil {
        let first = from?.range.lowerBound ?? Timestamp.writable.lowerBound
        let last = to?.range.upperBound ?? Timestamp.writable.upperBound
        query.days = first.daysSince1970...last.daysSince1970
      }
      if let country {
        query.countryCode = try explorer.place(
          country: country, locale: PlaceWording.current.locale
        ).country?.code
      }
      let level = PlaceLevel(rawValue: breakdown.rawValue)
      query.placeLevel = level == .country ? nil : level
      let report = try WorkProgress.counting { try explorer.dayReport(query) }
      let period = level == nil ? Roqua.Breakdown(rawValue: breakdown.rawValue) : nil
      if store.json {
        Console.print(report.json(by: period, listsDays: list, top: top))
      } else {
        DaySummary(report: report, top: top).print(by: period, listsDays: list)
      }
    }
  }
}

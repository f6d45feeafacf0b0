import ArgumentParser
import GeoStore
import Geocode
import Geodesy
import Roqua

extension StatisticsQuery.Clock: ExpressibleByArgument {}

/// How many entries of each breakdown are listed.
struct TopArgument: ParsableArguments {
  @Option(
    name: .customLong("top"),
    help: ArgumentHelp("List only the N largest of each breakdown.", valueName: "n"),
    transform: EntryCount.number)
  var count: Int?
}

/// The part of the store that an answer is about: a place, a range of time, or all.
struct SelectionArguments: ParsableArguments {
  @Option(
    help: "Count only this country: its name or its ISO 3166-1 code (DE, DEU).",
    completion: Completions.countries)
  var country: String?

  @Option(help: "Count only this state or province: its name or its ISO 3166-2 code (DE-BY).")
  var region: String?

  @Option(help: "Count only this city.")
  var city: String?

  @Option(
    help: ArgumentHelp(
      "Count only from this time on: \(Moment.forms).", valueName: "time"),
    transform: Moment.init)
  var from: Moment?

  @Option(
    help: ArgumentHelp("Count only up to the end of this time.", valueName: "time"),
    transform: Moment.init)
  var to: Moment?

  @Option(
    help: ArgumentHelp(
      "Show days in UTC, or in the local time of each place: utc or local.", valueName: "clock"))
  var timeZone: StatisticsQuery.Clock = .utc

  @OptionGroup var language: LanguageArguments

  /// Whether a place or a time was named.
  var isRestricted: Bool { namesPlace || from != nil || to != nil }
  private var namesPlace: Bool { country != nil || region != nil || city != nil }

  func validate() throws {
    try Self.check(country: country, region: region, from: from, to: to)
  }

  /// Checks what is wrong usage whether or not there is a store: an unknown country or region code,
  /// and times in the wrong order.
  ///
  /// - Parameter hasOtherLevels: whether the command has `--region` and `--city`, too.
  static func check(
    country: String?, region: String?, from: Moment?, to: Moment?, hasOtherLevels: Bool = true
  ) throws {
    do {
      try Geocoder.bundled.check(
        country: country, region: region, locale: PlaceWording.current.locale)
    } catch let error as PlaceNameError {
      throw ValidationError(error.text(advisingOption: hasOtherLevels))
    }
    if let from, let to, from.range.lowerBound > to.range.upperBound {
      throw ValidationError("--from is after --to.")
    }
  }

  /// The query, without breakdowns.
  ///
  /// - Throws: `PlaceNameError` for a name that nothing has.
  func query(of explorer: Explorer) throws -> StatisticsQuery {
    var query = StatisticsQuery()
    query.clock = timeZone
    if from != nil || to != nil {
      let first = from?.range.lowerBound ?? Timestamp.writable.lowerBound
      let last = to?.range.upperBound ?? Timestamp.writable.upperBound
      query.times = first...last
    }
    if namesPlace {
      let place = try explorer.place(
        country: country, region: region, city: city, locale: PlaceWording.current.locale)
      NamesakeNote.print(place)
      query.place = place
    }
    return query
  }
}

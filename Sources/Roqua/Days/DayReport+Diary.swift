import GeoStore
import Geocode
import Geodesy

extension DayReport {
  /// Selects the query's part of a diary.
  init(
    of diary: Diary, _ query: DayQuery, daysWithNewCells: Set<Int>, home: Home?,
    farthest: Farthest?, flights: FlightTotals,
    names: (CountryIndex?) -> PlaceNames
  ) {
    func isAsked(_ day: Int) -> Bool { query.days?.contains(day) ?? true }
    func isAsked(_ country: CountryIndex?) -> Bool {
      query.countryCode == nil || country?.code == query.countryCode
    }
    let accounts = diary.ledger.countries.filter { isAsked($0.key) }.mapValues { account in
      DayLedger<CountryIndex?>.Account(
        days: account.days.filter(isAsked), presumedDays: account.presumedDays.filter(isAsked),
        nights: account.nights.filter(isAsked),
        presumedNights: account.presumedNights.filter(isAsked))
    }
    var (dayMeters, countryMeters) = ([Int: Double](), [CountryIndex?: Double]())
    let stages = diary.meters.filter { isAsked($0.key.day) && isAsked($0.key.country) }
    // In a fixed order, so that sums are the same each time.
    for (stage, meters) in stages.sorted(by: { left, right in
      (left.key.day, left.key.country?.code ?? "") < (right.key.day, right.key.country?.code ?? "")
    }) {
      dayMeters[stage.day, default: 0] += meters
      countryMeters[stage.country, default: 0] += meters
    }
    countries = Self.countries(accounts, query, countryMeters, names)
    days = Self.days(accounts, dayMeters)
    let recorded = accounts.values.reduce(into: Set<Int>()) { $0.formUnion($1.days) }
    let presumed = accounts.values.reduce(into: Set<Int>()) { $0.formUnion($1.presumedDays) }
      .subtracting(recorded)
    recordedDays = recorded.count
    presumedDays = presumed.count
    let between = diary.ledger.between
    let isOfAll = query.countryCode == nil
    daysBetweenCountries = isOfAll ? between.days.count(where: isAsked) : 0
    nightsBetweenCountries = isOfAll ? between.nights.count(where: isAsked) : 0
    groundMeters = days.reduce(0) { $0 + $1.groundMeters }
    longestStreak = DayWindow.longestStreak(
      of: query.countsPresumed ? recorded.union(presumed) : recorded)
    longestNewCellStreak =
      query.findsNewCells ? DayWindow.longestStreak(of: daysWithNewCells.filter(isAsked)) : nil
    (self.query, self.home, self.farthest, self.flights) = (query, home, farthest, flights)
  }

  private static func countries(
    _ accounts: [CountryIndex?: DayLedger<CountryIndex?>.Account], _ query: DayQuery,
    _ meters: [CountryIndex?: Double], _ names: (CountryIndex?) -> PlaceNames
  ) -> [CountryDays] {
    accounts.compactMap { country, account -> CountryDays? in
      guard account != .init() else { return nil }
      let window = query.window.flatMap { window in
        DayWindow(limit: window.limit, length: window.length).most(
          of: query.countsPresumed ? account.days.union(account.presumedDays) : account.days)
      }
      return CountryDays(
        place: names(country), days: account.days.count, nights: account.nights.count,
        presumedDays: account.presumedDays.count, presumedNights: account.presumedNights.count,
        groundMeters: meters[country] ?? 0,
        window: window.map { Window(count: $0.count, end: $0.end, reached: $0.reached) })
    }
    .sorted { left, right in
      (right.days, left.place.countryCode ?? "~") < (left.days, right.place.countryCode ?? "~")
    }
  }

  private static func days(
    _ accounts: [CountryIndex?: DayLedger<CountryIndex?>.Account], _ meters: [Int: Double]
  ) -> [Day] {
    var (countries, presumed, nights) = (
      [Int: [String?]](), [Int: [String?]](), [Int: String]()
    )
    // A night that counts for two countries is shown with the first by code.
    for (country, account) in accounts.sorted(by: { $0.key?.code ?? "~" < $1.key?.code ?? "~" }) {
      for day in account.days { countries[day, default: []].append(country?.code) }
      for day in account.presumedDays { presumed[day, default: []].append(country?.code) }
      guard let code = country?.code else { continue }
      for night in account.nights where nights[night] == nil { nights[night] = code }
      for night in account.presumedNights where nights[night] == nil { nights[night] = code }
    }
    return Set(countries.keys).union(presumed.keys).union(meters.keys).sorted().map { day in
      Day(
        day: day, countryCodes: countries[day] ?? presumed[day] ?? [],
        isPresumed: countries[day] == nil, nightCountryCode: nights[day],
        groundMeters: meters[day] ?? 0)
    }
  }
}

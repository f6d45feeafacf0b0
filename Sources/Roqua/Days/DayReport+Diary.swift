import GeoStore
import Geocode
import Geodesy

extension DayReport {
  /// Selects the query's part of a diary.
  init(
    of diary: Diary, _ query: DayQuery, daysWithNewCells: Set<Int>, home: Home?,
    farthest: Farthest?, flights: FlightTotals?, names: (PlaceKey) -> PlaceNames
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
    countries = Self.countries(accounts, query, countryMeters) { names(PlaceKey(country: $0)) }
    places = Self.places(
      diary.placeMeters.filter { isAsked($0.key.day) && isAsked($0.key.place.country) }, names)
    let recorded = accounts.values.reduce(into: Set<Int>()) { $0.formUnion($1.days) }
    let presumed = accounts.values.reduce(into: Set<Int>()) { $0.formUnion($1.presumedDays) }
      .subtracting(recorded)
    recordedDays = recorded.count
    presumedDays = presumed.count
    let isOfAll = query.countryCode == nil
    let between = isOfAll ? diary.ledger.between : (days: [], nights: [])
    daysBetweenCountries = between.days.count(where: isAsked)
    nightsBetweenCountries = between.nights.count(where: isAsked)
    days = Self.days(accounts, dayMeters, nightsBetween: between.nights)
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

  /// The distances of the places, each of which is named once: parts of a city in two regions are
  /// one.
  private static func places(
    _ meters: [Diary.PlaceStage: Double], _ names: (PlaceKey) -> PlaceNames
  ) -> [PlaceDistance] {
    var sums: [PlaceNames: (days: Set<Int>, meters: Double)] = [:]
    var known: [PlaceKey: PlaceNames] = [:]
    // In a fixed order, so that sums are the same each time.
    for (stage, meters) in meters.sorted(by: { left, right in
      (left.key.day, left.key.place) < (right.key.day, right.key.place)
    }) {
      let place = known[stage.place] ?? names(stage.place)
      known[stage.place] = place
      sums[place, default: ([], 0)].days.insert(stage.day)
      sums[place, default: ([], 0)].meters += meters
    }
    return sums.map { place, sum in
      PlaceDistance(place: place, days: sum.days.count, groundMeters: sum.meters)
    }
    .sorted { left, right in
      if left.groundMeters != right.groundMeters { return left.groundMeters > right.groundMeters }
      return left.days == right.days
        ? left.place.order.lexicographicallyPrecedes(right.place.order) : left.days > right.days
    }
  }

  private static func days(
    _ accounts: [CountryIndex?: DayLedger<CountryIndex?>.Account], _ meters: [Int: Double],
    nightsBetween: Set<Int>
  ) -> [Day] {
    var (countries, presumed) = ([Int: [String?]](), [Int: [String?]]())
    var (nights, presumedNights) = ([Int: Night](), [Int: Night]())
    // A night that counts for two countries is shown with the first by code.
    for (country, account) in accounts.sorted(by: { $0.key?.code ?? "~" < $1.key?.code ?? "~" }) {
      for day in account.days { countries[day, default: []].append(country?.code) }
      for day in account.presumedDays { presumed[day, default: []].append(country?.code) }
      let place = country.map { Night.country(code: $0.code) } ?? .atSea
      for night in account.nights where nights[night] == nil { nights[night] = place }
      for night in account.presumedNights where presumedNights[night] == nil {
        presumedNights[night] = place
      }
    }
    // A fix at midnight decides the night before its day, of which nothing else may be known.
    let listed = Set(countries.keys).union(presumed.keys).union(meters.keys).union(nights.keys)
      .union(presumedNights.keys)
    return listed.sorted().map { day in
      let between: Night? = nightsBetween.contains(day) ? .betweenCountries : nil
      return Day(
        day: day, countryCodes: countries[day] ?? presumed[day] ?? [],
        isPresumed: countries[day] == nil && presumed[day] != nil,
        night: nights[day] ?? presumedNights[day] ?? between,
        nightIsPresumed: nights[day] == nil && presumedNights[day] != nil,
        groundMeters: meters[day] ?? 0)
    }
  }
}

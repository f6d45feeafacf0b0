import GeoStore
import Geodesy

extension DayReport {
  /// The document that `roqua days --json` prints. Days are dates by the local clock.
  ///
  /// - Parameters:
  ///   - breakdown: `.year`, `.month` or `.day` for `periods`; nil for none.
  ///   - listsDays: whether to list every day.
  ///   - top: the largest number of entries of each list, the largest first; nil for all.
  ///     `countries` is shortened only if no other list is given.
  package func json(
    by breakdown: Breakdown? = nil, listsDays: Bool = false, top: Int? = nil
  ) -> JSONValue {
    let listsOthers = breakdown != nil || query.placeLevel != nil || listsDays
    let countries = countries.prefix(listsOthers ? .max : top ?? .max)
    var members: [JSONValue.Member] = [
      .init("recordedDays", .integer(recordedDays)),
      .init("presumedDays", .integer(presumedDays)),
      .init("daysBetweenCountries", .integer(daysBetweenCountries)),
      .init("nightsBetweenCountries", .integer(nightsBetweenCountries)),
      .init("groundMeters", .number(groundMeters)),
      .init("flights", flights?.json ?? .null),
      .init(
        "longestDay",
        longestDay.map {
          ["day": .string(Self.date($0.day)), "groundMeters": .number($0.groundMeters)]
        } ?? .null),
      .init("home", home.map { Self.json($0) } ?? .null),
      .init("farthest", farthest.map { Self.json($0) } ?? .null),
      .init("longestStreak", Self.json(longestStreak)),
      .init("countries", .array(countries.map { json($0) })),
    ]
    if query.findsNewCells {
      members.append(.init("longestNewCellStreak", Self.json(longestNewCellStreak)))
    }
    if let level = query.placeLevel {
      let places = places.prefix(top ?? .max)
      members.append(.init("places", .array(places.map { Self.json($0, level) })))
    }
    if let breakdown {
      let periods = Self.longest(top, of: periods(by: breakdown), by: \.groundMeters)
      members.append(.init("periods", .array(periods.map { Self.json($0) })))
    }
    if listsDays {
      let days = Self.longest(top, of: days, by: \.groundMeters)
      members.append(.init("days", .array(days.map { Self.json($0) })))
    }
    return .object(members)
  }

  /// The elements with the longest distances, the longest first; all in their order if `count` is
  /// nil.
  package static func longest<Element>(
    _ count: Int?, of elements: [Element], by meters: (Element) -> Double
  ) -> [Element] {
    guard let count else { return elements }
    let ordered = elements.enumerated().sorted { left, right in
      let (one, other) = (meters(left.element), meters(right.element))
      return one == other ? left.offset < right.offset : one > other
    }
    return ordered.prefix(count).map(\.element)
  }

  /// A day as `2024-05-01`.
  package static func date(_ day: Int) -> String { Period(daysSince1970: day, .day).description }

  private static func json(_ streak: ClosedRange<Int>?) -> JSONValue {
    guard let streak else { return .null }
    return [
      "days": .integer(streak.count), "first": .string(date(streak.lowerBound)),
      "last": .string(date(streak.upperBound)),
    ]
  }

  private func json(_ country: CountryDays) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("countryCode", .string(country.place.countryCode)),
      .init("country", .string(country.place.country)),
      .init("days", .integer(country.days)),
      .init("nights", .integer(country.nights)),
      .init("presumedDays", .integer(country.presumedDays)),
      .init("presumedNights", .integer(country.presumedNights)),
      .init("groundMeters", .number(country.groundMeters)),
    ]
    if let window = query.window {
      members.append(
        .init(
          "window",
          country.window.map {
            [
              "limit": .integer(window.limit), "length": .integer(window.length),
              "days": .integer($0.count), "last": .string(Self.date($0.end)),
              "reached": .string($0.reached.map { Self.date($0) }),
            ]
          } ?? .null))
    }
    return .object(members)
  }

  private static func json(_ period: PeriodDays) -> JSONValue {
    [
      "period": .string(period.period), "recordedDays": .integer(period.recordedDays),
      "groundMeters": .number(period.groundMeters),
      "countries": .array(
        period.countries.map {
          [
            "countryCode": .string($0.countryCode), "days": .integer($0.days),
            "nights": .integer($0.nights), "presumedDays": .integer($0.presumedDays),
          ]
        }),
    ]
  }

  private static func json(_ day: Day) -> JSONValue {
    [
      "day": .string(date(day.day)), "countryCodes": .array(day.countryCodes.map { .string($0) }),
      "isPresumed": .bool(day.isPresumed), "night": .string(name(day.night)),
      "nightCountryCode": .string(day.nightCountryCode),
      "nightIsPresumed": .bool(day.nightIsPresumed),
      "groundMeters": .number(day.groundMeters),
    ]
  }

  private static func name(_ night: Night?) -> String? {
    switch night {
    case .country: "country"
    case .atSea: "atSea"
    case .betweenCountries: "betweenCountries"
    case nil: nil
    }
  }

  private static func json(_ place: PlaceDistance, _ level: PlaceLevel) -> JSONValue {
    .object(
      place.place.jsonMembers(level) + [
        .init("days", .integer(place.days)), .init("groundMeters", .number(place.groundMeters)),
      ])
  }

  private static func json(_ home: Home) -> JSONValue {
    [
      "latitude": .number(home.coordinate.latitudeDegrees),
      "longitude": .number(home.coordinate.longitudeDegrees),
      "country": .string(home.place.country), "city": .string(home.place.city),
      "nights": .integer(home.nights),
    ]
  }

  private static func json(_ farthest: Farthest) -> JSONValue {
    [
      "latitude": .number(farthest.coordinate.latitudeDegrees),
      "longitude": .number(farthest.coordinate.longitudeDegrees),
      "country": .string(farthest.place.country), "city": .string(farthest.place.city),
      "time": .string(farthest.time.iso8601), "distanceMeters": .number(farthest.distanceMeters),
    ]
  }
}

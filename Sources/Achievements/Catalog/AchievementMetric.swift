/// What an achievement counts.
///
/// ```swift
/// let provinces = AchievementMetric(.regions, argument: "TR")
/// let own = AchievementMetric(.custom, argument: "photos")
/// ```
public struct AchievementMetric: Hashable, Sendable {
  /// The kinds of metrics. Raw values are the names in `achievements.csv`.
  ///
  /// `docs/achievements.md` gives the rule of each. "A day" is one by the clock at the fix.
  ///
  /// ```swift
  /// for kind in AchievementMetric.Kind.allCases { print(kind.rawValue) }
  /// ```
  public enum Kind: String, CaseIterable, Sendable {
    /// Countries with a fix; those of a continent if the argument is its code, such as `EU`.
    case countries
    /// Continents with a fix.
    case continents
    /// First-level regions with a fix; those of a country if the argument is its code.
    case regions
    /// Second-level divisions with a fix.
    case districts
    /// Cities with a fix.
    case cities
    /// Islands and groups of islands with a fix.
    case islands
    /// Pairs of countries between which a track led on the ground.
    case borders
    /// Pairs of countries between which a track led at walking pace.
    case bordersOnFoot = "borders_on_foot"

    /// Explored area in square kilometers.
    case exploredArea = "explored_km2"
    /// The share of a country's land that is explored, in percent; without an argument, that of the
    /// country with the largest share.
    case countryShare = "country_percent"
    /// The share of a city that is explored, in percent: that of the city with the largest share.
    case cityShare = "city_percent"

    /// Distance on the ground in kilometers.
    case distance = "distance_km"
    /// The most kilometers on the ground in a day.
    case dayDistance = "day_distance_km"
    /// Distance at walking or running pace in kilometers.
    case footDistance = "foot_km"
    /// The most kilometers at walking or running pace in a day.
    case dayFootDistance = "day_foot_km"
    /// Distance on the ground between midnight and 5:00 in kilometers.
    case nightDistance = "night_km"

    /// Days with a fix.
    case days
    /// The longest run of successive days with a fix.
    case streak
    /// Calendar years with a fix.
    case years
    /// Months of the year, of any year, with a fix: at most 12.
    case months
    /// Years with a fix on the day of the argument, such as `12-31`.
    case daysOn = "days_on"
    /// The most countries in a day.
    case dayCountries = "day_countries"
    /// The most cities in a day.
    case dayCities = "day_cities"
    /// The most continents in a day.
    case dayContinents = "day_continents"
    /// The most countries in a calendar year.
    case yearCountries = "year_countries"
    /// Days with at least a kilometer on the ground between 5:00 and 7:00.
    case dawnDays = "dawn_days"
    /// The most days on which one place, a square of 0.005°, has a fix.
    case placeDays = "place_days"
    /// The most days on which one city has a fix.
    case cityDays = "city_days"
    /// The most days on which one country has a fix.
    case countryDays = "country_days"

    /// The northernmost latitude in degrees.
    case north
    /// The southernmost latitude in degrees south: negative north of the equator.
    case south
    /// The easternmost longitude in degrees.
    case east
    /// The westernmost longitude in degrees west: negative east of Greenwich.
    case west
    /// 90° less the smallest distance from the equator in degrees.
    case equator
    /// Hemispheres with a fix: northern, southern, eastern, western.
    case hemispheres
    /// The degrees between the northernmost and the southernmost latitude.
    case latitudeSpan = "latitude_span"
    /// Bands of 15° of longitude with a fix.
    case longitudeBands = "longitude_bands"

    /// The greatest height above sea level in meters.
    case highest = "highest_m"
    /// The greatest depth below sea level in meters.
    case lowest = "lowest_m"

    /// A value that an app computes; the argument is its name.
    case custom
  }

  /// What a metric is computed from.
  package enum Origin: Hashable, Sendable {
    /// The fixes in order of time.
    case fixes
    /// The explored cells.
    case cells
    /// The heights of the sources.
    case heights
    /// An app.
    case app
  }

  /// The unit of a metric's values.
  public enum Unit: String, Sendable {
    /// A number of things.
    case count
    /// Days.
    case days
    /// Kilometers.
    case kilometers
    /// Square kilometers.
    case squareKilometers
    /// Percent.
    case percent
    /// Degrees.
    case degrees
    /// Meters.
    case meters
  }

  /// The kind.
  public let kind: Kind
  /// The country, continent, day or name that the metric is about; nil if it has none.
  public let argument: String?

  /// Creates a metric.
  public init(_ kind: Kind, argument: String? = nil) {
    self.kind = kind
    self.argument = argument
  }

  /// The unit of the values.
  public var unit: Unit {
    switch kind {
    case .exploredArea: .squareKilometers
    case .countryShare, .cityShare: .percent
    case .distance, .dayDistance, .footDistance, .dayFootDistance, .nightDistance: .kilometers
    case .days, .streak, .daysOn, .dawnDays, .placeDays, .cityDays, .countryDays: .days
    case .north, .south, .east, .west, .equator, .latitudeSpan: .degrees
    case .highest, .lowest: .meters
    default: .count
    }
  }

  /// What the metric is computed from.
  package var origin: Origin {
    switch kind {
    case .exploredArea, .countryShare, .cityShare: .cells
    case .highest, .lowest: .heights
    case .custom: .app
    default: .fixes
    }
  }

  /// Why the argument does not fit the kind; nil if it does.
  var problem: String? {
    let form: (name: String, isRequired: Bool, fits: (String) -> Bool)
    switch kind {
    case .countries: form = ("a continent such as EU", false, { Continent(rawValue: $0) != nil })
    case .regions, .countryShare:
      form = ("a country code such as TR", false, { CountryNumber.of($0) != nil })
    case .daysOn: form = ("a day such as 12-31", true, { Self.dayOfYear($0) != nil })
    case .custom: form = ("a name", true, { !$0.isEmpty })
    default: return argument == nil ? nil : "the metric \(kind.rawValue) takes no argument"
    }
    guard let argument else {
      return form.isRequired ? "the metric \(kind.rawValue) needs \(form.name)" : nil
    }
    return form.fits(argument)
      ? nil : "the argument of \(kind.rawValue) is not \(form.name): \"\(argument)\""
  }

  /// The number of a day of the year, month × 32 + day, from a text such as `02-29`.
  static func dayOfYear(_ text: String) -> UInt16? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let month = UInt16(parts[0]),
      let day = UInt16(parts[1]), (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    return month * 32 + day
  }
}

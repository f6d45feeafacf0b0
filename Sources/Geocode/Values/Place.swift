/// The place of a point, by name. Any name may be missing; on the open sea, beyond the territorial
/// waters of all countries, all but the sea and the time zone are.
///
/// ```swift
/// let place = explorer.place(at: here)
/// print(place.city ?? "no city", place.countryCode ?? place.sea ?? "", place.timeZone ?? "")
/// ```
public struct Place: Hashable, Sendable, Codable {
  /// The ISO 3166-1 alpha-2 code, such as "TR"; Kosovo is "XK".
  public var countryCode: String?
  /// The ISO 3166-1 alpha-3 code, such as "TUR"; Kosovo is "XKX", which is not ISO's.
  public var countryCodeAlpha3: String?
  /// The country's name, in English unless another language was requested.
  public var country: String?
  /// The country's continent: AF, AN (Antarctica), AS, EU, NA, OC or SA.
  public var continent: String?
  /// The ISO 3166-2 code of the region, such as "DE-BY"; nil if ISO has none for it.
  public var regionCode: String?
  /// The first-level division: a state, a province, a Land.
  public var region: String?
  /// The region's name in the language that most people speak there, such as "Bayern"; nil if it is
  /// the same as ``region`` in English or not known.
  public var regionLocalName: String?
  /// The second-level division: a county, a province, a municipality. It is given only where the
  /// data can be trusted.
  public var district: String?
  /// The city, town or village.
  public var city: String?
  /// The city's name in the language that most people speak there, in its own script, such as
  /// "München"; nil if it is the same as ``city`` in English or not known.
  public var localName: String?
  /// The distance in meters on the ellipsoid from the point to the city's center.
  public var cityDistanceMeters: Double?
  /// The nearest part of the city, such as "Sultanahmet": an approximation, since quarters have no
  /// lines in the data. Nil if the nearest one is more than 2 km away.
  public var quarter: String?
  /// The IANA time zone, such as "Europe/Istanbul". At sea where no country's zone is known, it is
  /// the nautical one, such as "Etc/GMT+3", which is three hours behind UTC.
  public var timeZone: String?
  /// The ocean, sea, gulf, strait or bay, such as "Aegean Sea"; nil on land and on lakes. With a
  /// ``countryCode``, the point is in the waters of that country: its bays and ports, and the sea
  /// within 12 nautical miles of land.
  public var sea: String?

  /// Creates a place; all parts are nil by default.
  public init(
    countryCode: String? = nil, countryCodeAlpha3: String? = nil, country: String? = nil,
    continent: String? = nil, regionCode: String? = nil, region: String? = nil,
    regionLocalName: String? = nil, district: String? = nil, city: String? = nil,
    localName: String? = nil, cityDistanceMeters: Double? = nil, quarter: String? = nil,
    timeZone: String? = nil, sea: String? = nil
  ) {
    self.countryCode = countryCode
    self.countryCodeAlpha3 = countryCodeAlpha3
    self.country = country
    self.continent = continent
    self.regionCode = regionCode
    self.region = region
    self.regionLocalName = regionLocalName
    self.district = district
    self.city = city
    self.localName = localName
    self.cityDistanceMeters = cityDistanceMeters
    self.quarter = quarter
    self.timeZone = timeZone
    self.sea = sea
  }
}

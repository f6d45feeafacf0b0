/// The place of a point, by name. Any name may be missing; on the open sea, beyond the territorial
/// waters of all countries, all but the sea and the time zone are.
///
/// ```swift
/// let place = explorer.place(at: here)
/// print(place.city ?? "no city", place.countryCode ?? place.sea ?? "", place.timeZone ?? "")
/// ```
public struct Place: Hashable, Sendable {
  /// The values of the properties below.
  private(set) var fields: Fields

  /// The ISO 3166-1 alpha-2 code, such as "TR"; Kosovo is "XK".
  public var countryCode: String? {
    get { fields.countryCode }
    set { fields.countryCode = newValue }
  }

  /// The ISO 3166-1 alpha-3 code, such as "TUR"; Kosovo is "XKX", which is not ISO's.
  public var countryCodeAlpha3: String? {
    get { fields.countryCodeAlpha3 }
    set { fields.countryCodeAlpha3 = newValue }
  }

  /// The country's name, in English unless another language was requested.
  public var country: String? {
    get { fields.country }
    set { fields.country = newValue }
  }

  /// The country's continent: AF, AN (Antarctica), AS, EU, NA, OC or SA.
  public var continent: String? {
    get { fields.continent }
    set { fields.continent = newValue }
  }

  /// The ISO 3166-2 code of the region, such as "DE-BY"; nil if ISO has none for it.
  public var regionCode: String? {
    get { fields.regionCode }
    set { fields.regionCode = newValue }
  }

  /// The first-level division: a state, a province, a Land.
  public var region: String? {
    get { fields.region }
    set { fields.region = newValue }
  }

  /// The region's name in the language that most people speak there, such as "Bayern"; nil if it is
  /// the same as ``region`` in English or not known.
  public var regionLocalName: String? {
    get { fields.regionLocalName }
    set { fields.regionLocalName = newValue }
  }

  /// The second-level division: a county, a province, a municipality. It is given only where the
  /// data can be trusted.
  public var district: String? {
    get { fields.district }
    set { fields.district = newValue }
  }

  /// The city, town or village.
  public var city: String? {
    get { fields.city }
    set { fields.city = newValue }
  }

  /// The city's name in the language that most people speak there, in its own script, such as
  /// "München"; nil if it is the same as ``city`` in English or not known.
  public var localName: String? {
    get { fields.localName }
    set { fields.localName = newValue }
  }

  /// The distance in meters on the ellipsoid from the point to the city's center.
  public var cityDistanceMeters: Double? {
    get { fields.cityDistanceMeters }
    set { fields.cityDistanceMeters = newValue }
  }

  /// The nearest part of the city, such as "Sultanahmet": an approximation, since quarters have no
  /// lines in the data. Nil if the nearest one is more than 2 km away.
  public var quarter: String? {
    get { fields.quarter }
    set { fields.quarter = newValue }
  }

  /// The IANA time zone, such as "Europe/Istanbul". At sea where no country's zone is known, it is
  /// the nautical one, such as "Etc/GMT+3", which is three hours behind UTC.
  public var timeZone: String? {
    get { fields.timeZone }
    set { fields.timeZone = newValue }
  }

  /// The ocean, sea, gulf, strait or bay, such as "Aegean Sea"; nil on land and on lakes. With a
  /// ``countryCode``, the point is in the waters of that country: its bays and ports, and the sea
  /// within 12 nautical miles of land.
  public var sea: String? {
    get { fields.sea }
    set { fields.sea = newValue }
  }

  /// Creates a place; all parts are nil by default.
  public init(
    countryCode: String? = nil, countryCodeAlpha3: String? = nil, country: String? = nil,
    continent: String? = nil, regionCode: String? = nil, region: String? = nil,
    regionLocalName: String? = nil, district: String? = nil, city: String? = nil,
    localName: String? = nil, cityDistanceMeters: Double? = nil, quarter: String? = nil,
    timeZone: String? = nil, sea: String? = nil
  ) {
    fields = Fields(
      countryCode: countryCode, countryCodeAlpha3: countryCodeAlpha3, country: country,
      continent: continent, regionCode: regionCode, region: region,
      regionLocalName: regionLocalName, district: district, city: city, localName: localName,
      cityDistanceMeters: cityDistanceMeters, quarter: quarter, timeZone: timeZone, sea: sea)
  }

  /// Creates a place of these fields.
  init(_ fields: Fields) { self.fields = fields }
}

/// Where a point is, in words. Everything may be missing: at sea all of it is.
///
/// ```swift
/// let place = explorer.place(at: here)
/// print(place.city ?? "no city", place.countryCode ?? "at sea", place.timeZone ?? "")
/// ```
public struct Place: Hashable, Sendable, Codable {
  /// ISO 3166-1 alpha-2, "TR"; Kosovo is "XK".
  public var countryCode: String?
  /// The country's name: English, unless another language was asked for.
  public var country: String?
  /// The first division: a state, a province, a Land.
  public var region: String?
  /// The second division or the quarter of the city. Approximate.
  public var district: String?
  /// The city, town or village.
  public var city: String?
  /// Meters on the ellipsoid from the point to the city's center.
  public var cityDistanceMeters: Double?
  /// The IANA time zone, "Europe/Istanbul".
  public var timeZone: String?

  /// No place, or one made of these.
  public init(
    countryCode: String? = nil, country: String? = nil, region: String? = nil,
    district: String? = nil,
    city: String? = nil, cityDistanceMeters: Double? = nil, timeZone: String? = nil
  ) {
    self.countryCode = countryCode
    self.country = country
    self.region = region
    self.district = district
    self.city = city
    self.cityDistanceMeters = cityDistanceMeters
    self.timeZone = timeZone
  }
}

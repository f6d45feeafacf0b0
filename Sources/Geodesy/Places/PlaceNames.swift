/// The place names of a region; each is nil if there is none.
///
/// ```swift
/// for match in try await explorer.regions(near: here, radiusMeters: 1_000) {
///   let names = match.region.place
///   print([names.district, names.city, names.country].compactMap { $0 }.joined(separator: ", "))
/// }
/// ```
public struct PlaceNames: Hashable, Sendable {
  /// Country code, ISO 3166-1 alpha-2.
  public var countryCode: String?
  /// Country name.
  public var country: String?
  /// ISO 3166-2 code of the region.
  public var regionCode: String?
  /// First-level administrative division (admin 1).
  public var region: String?
  /// Second-level administrative division (admin 2).
  public var district: String?
  /// City, town or village.
  public var city: String?
  /// The nearest part of the city.
  public var quarter: String?

  /// Creates names; those not given are nil.
  public init(
    countryCode: String? = nil, country: String? = nil, regionCode: String? = nil,
    region: String? = nil, district: String? = nil, city: String? = nil, quarter: String? = nil
  ) {
    self.countryCode = countryCode
    self.country = country
    self.regionCode = regionCode
    self.region = region
    self.district = district
    self.city = city
    self.quarter = quarter
  }
}

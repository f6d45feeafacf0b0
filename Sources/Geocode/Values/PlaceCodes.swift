/// The place of a point as plain numbers: 16 bytes, no allocation. ``Geocoder/names(of:at:)``
/// returns the names.
///
/// The country is a ``CountryIndex`` and is stable. The other numbers are positions in the data of
/// one edition, so store names or `Geocoder.geonamesID(of:)` instead.
///
/// ```swift
/// let codes = geocoder.codes(at: here)
/// let isAbroad = codes.country != CountryIndex(code: "TR")
/// print(isAbroad, geocoder.names(of: codes, at: here).city ?? "no city")
/// ```
public struct PlaceCodes: Hashable, Sendable {
  /// The country; nil at sea and where there is none.
  public var country: CountryIndex? {
    CountryIndex(rawValue: countryCode)
  }
  /// The time zone of the point, or nil.
  package var timeZone: TimeZoneIndex? { zone == 0 ? nil : TimeZoneIndex(rawValue: zone) }
  /// The first-level division, or nil.
  package var region: RegionIndex? {
    regionRow == Self.noRegion ? nil : RegionIndex(rawValue: regionRow)
  }
  /// The second-level division; nil where none can be trusted: see ``DistrictIndex``.
  package var district: DistrictIndex? {
    districtRow == 0 ? nil : DistrictIndex(rawValue: districtRow)
  }
  /// The city; nil if there is none within 50 km.
  public var city: CityIndex? { cityPlace < 0 ? nil : CityIndex(rawValue: cityPlace) }
  /// The nearest part of the city, if its center is within 2 km and no other place is nearer.
  package var quarter: CityIndex? {
    quarterPlace < 0 ? nil : CityIndex(rawValue: quarterPlace)
  }

  var countryCode: UInt16
  var zone: UInt16
  var regionRow: UInt16
  var districtRow: UInt16
  var cityPlace: Int32
  var quarterPlace: Int32

  static let noCountry: UInt16 = 0xFFFF
  static let noRegion: UInt16 = 0xFFFF

  /// No place, as in the open ocean.
  public static let none = PlaceCodes(
    countryCode: noCountry, zone: 0, regionRow: noRegion, districtRow: 0, cityPlace: -1,
    quarterPlace: -1)
}

/// A label of the boundaries: a pair of a country and an IANA time zone.
package struct TimeZoneIndex: Hashable, Sendable {
  /// The number of the label, from 1.
  package let rawValue: UInt16
}

/// A first-level division: a row in the table of these divisions.
package struct RegionIndex: Hashable, Sendable {
  /// The number of the row, from 0.
  package let rawValue: UInt16
}

/// A second-level division (a county, a province, a municipality): a row in the table of these
/// divisions.
///
/// It is the division of the nearest place of the same region, within the distance up to which it
/// can be trusted. The data contain this distance for each place, at most 30 km.
package struct DistrictIndex: Hashable, Sendable {
  /// The number of the row, from 1.
  package let rawValue: UInt16
}

/// A city: a place in the data.
///
/// ```swift
/// if let city = geocoder.codes(at: here).city {
///   print(geocoder.name(of: city) ?? "", geocoder.population(of: city))
/// }
/// ```
public struct CityIndex: Hashable, Sendable {
  /// The number of the place, from 0.
  public let rawValue: Int32
}

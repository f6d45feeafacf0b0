/// Where a point is, as plain numbers: no allocation, 24 bytes. ``Geocoder/names(of:at:)`` puts
/// names to them.
///
/// The country is a ``CountryIndex`` and lasts; the other numbers are positions in the data of one
/// edition, so store names, or `Geocoder.geonamesID(of:)`, not these.
///
/// ```swift
/// let codes = geocoder.codes(at: here)
/// let isAbroad = codes.country != CountryIndex(code: "TR")
/// print(isAbroad, geocoder.names(of: codes, at: here).city ?? "no city")
/// ```
public struct PlaceCodes: Hashable, Sendable {
  /// The country, or nil at sea and where there is none.
  public var country: CountryIndex? {
    CountryIndex(rawValue: countryCode)
  }
  /// The time zone of the point, or nil.
  package var timeZone: TimeZoneIndex? { zone == 0 ? nil : TimeZoneIndex(rawValue: zone) }
  /// The first division, or nil.
  package var region: RegionIndex? {
    regionRow == Self.noRegion ? nil : RegionIndex(rawValue: regionRow)
  }
  /// The second division, or the part of the city, or nil. Approximate: see ``DistrictIndex``.
  package var district: DistrictIndex? {
    districtCode == 0 ? nil : DistrictIndex(rawValue: districtCode)
  }
  /// The city, or nil beyond 50 km from one.
  public var city: CityIndex? { cityPlace < 0 ? nil : CityIndex(rawValue: cityPlace) }

  var countryCode: UInt16
  var zone: UInt16
  var regionRow: UInt16
  var districtCode: UInt32
  var cityPlace: Int32

  static let noCountry: UInt16 = 0xFFFF
  static let noRegion: UInt16 = 0xFFFF

  /// No place at all, as in the open ocean.
  public static let none = PlaceCodes(
    countryCode: noCountry, zone: 0, regionRow: noRegion, districtCode: 0, cityPlace: -1)
}

/// A label of the boundaries: one country and one IANA time zone.
package struct TimeZoneIndex: Hashable, Sendable {
  /// From 1.
  package let rawValue: UInt16
}

/// A first division: a row in the table of these.
package struct RegionIndex: Hashable, Sendable {
  /// From 0.
  package let rawValue: UInt16
}

/// A second division (a county, a district), or a quarter of a city.
///
/// Approximate: there are no polygons for these. It is the quarter that is the nearest place, where
/// that lies in the city's disc; else the second division of the nearest place of the same region
/// within 30 km.
package struct DistrictIndex: Hashable, Sendable {
  /// Bit 31 set: a place, the number of it below; else a row in the table of second divisions, from
  /// 1.
  package let rawValue: UInt32

  static let isPlace: UInt32 = 0x8000_0000
}

/// A city: a place of the data.
///
/// ```swift
/// if let city = geocoder.codes(at: here).city {
///   print(geocoder.name(of: city) ?? "", geocoder.population(of: city))
/// }
/// ```
public struct CityIndex: Hashable, Sendable {
  /// From 0.
  public let rawValue: Int32
}

/// The place of a point as plain numbers: 24 bytes, no allocation. ``Geocoder/names(of:at:)``
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
  /// The second-level division or part of the city, or nil. Approximate: see ``DistrictIndex``.
  package var district: DistrictIndex? {
    districtCode == 0 ? nil : DistrictIndex(rawValue: districtCode)
  }
  /// The city; nil if there is none within 50 km.
  public var city: CityIndex? { cityPlace < 0 ? nil : CityIndex(rawValue: cityPlace) }

  var countryCode: UInt16
  var zone: UInt16
  var regionRow: UInt16
  var districtCode: UInt32
  var cityPlace: Int32

  static let noCountry: UInt16 = 0xFFFF
  static let noRegion: UInt16 = 0xFFFF

  /// No place, as in the open ocean.
  public static let none = PlaceCodes(
    countryCode: noCountry, zone: 0, regionRow: noRegion, districtCode: 0, cityPlace: -1)
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

/// A second-level division (a county, a district), or a quarter of a city.
///
/// Approximate, since there are no polygons for these. It is the quarter that is the nearest place,
/// if that lies in the city's disc; otherwise the second-level division of the nearest place of the
/// same region within 30 km.
package struct DistrictIndex: Hashable, Sendable {
  /// If bit 31 is set, the other bits are the number of a place; otherwise a row in the table of
  /// second-level divisions, from 1.
  package let rawValue: UInt32

  static let isPlace: UInt32 = 0x8000_0000
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

import GeoStore
import Geocode
import Geodesy

/// A place as numbers of the geocoder, as far as a level asks for it.
struct PlaceKey: Hashable, Comparable {
  var country: CountryIndex?
  var region: RegionIndex?
  var city: CityIndex?

  /// No place.
  init() {}

  /// The place of a point, as finely as a level tells places apart; no place without a level.
  init(at coordinate: Coordinate, level: PlaceLevel?, geocoder: Geocoder) {
    switch level {
    case nil: break
    case .country: country = geocoder.countryIndex(at: coordinate)
    case .region: (country, region) = geocoder.countryAndRegion(at: coordinate)
    case .city: self = PlaceKey(geocoder.codes(at: coordinate), geocoder: geocoder)
    }
  }

  /// The city of these codes; where there is none, the region.
  init(_ codes: PlaceCodes, geocoder: Geocoder) {
    country = codes.country
    city = codes.city
    // A city is one place, also where it reaches into the next region.
    region = codes.city.map { geocoder.region(of: $0) } ?? codes.region
  }

  /// The place that is a country or a region of it, or none.
  init(country: CountryIndex?, region: RegionIndex? = nil) {
    self.country = country
    self.region = region
  }

  /// By country, region and city, what has none first.
  static func < (left: PlaceKey, right: PlaceKey) -> Bool {
    func numbers(_ key: PlaceKey) -> (Int, Int, Int) {
      (
        key.country.map { Int($0.rawValue) } ?? -1, key.region.map { Int($0.rawValue) } ?? -1,
        key.city.map { Int($0.rawValue) } ?? -1
      )
    }
    return numbers(left) < numbers(right)
  }
}

extension Explorer {
  /// The names of a place.
  func names(of key: PlaceKey) -> PlaceNames {
    PlaceNames(
      countryCode: key.country?.code, country: key.country.flatMap { geocoder.name(of: $0) },
      region: key.region.flatMap { geocoder.name(of: $0) },
      city: key.city.flatMap { geocoder.name(of: $0) })
  }
}

extension PlaceNames {
  /// For a fixed order among equals.
  var order: [String] { [countryCode ?? "", region ?? "", city ?? ""] }
}

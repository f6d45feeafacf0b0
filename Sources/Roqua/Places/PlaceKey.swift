import GeoStore
import Geocode
import Geodesy

/// A place as numbers of the geocoder, as far as a level asks for it.
struct PlaceKey: Hashable {
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
    case .region, .city:
      let codes = geocoder.codes(at: coordinate)
      country = codes.country
      region = codes.region
      if level == .city { city = codes.city }
    }
  }

  /// The place that is a country, or none.
  init(country: CountryIndex?) { self.country = country }
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

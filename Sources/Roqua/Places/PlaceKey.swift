import GeoStore
import Geocode
import Geodesy

/// A place as the geocoder's numbers, down to the requested level.
struct PlaceKey: Hashable, Comparable {
  var country: CountryIndex?
  var region: RegionIndex?
  var city: CityIndex?

  /// Creates the key of no place.
  init() {}

  /// Creates the key of the place of a point at a level; no place if `level` is nil.
  init(at coordinate: Coordinate, level: PlaceLevel?, geocoder: Geocoder) {
    switch level {
    case nil: break
    case .country: country = geocoder.countryIndex(at: coordinate)
    case .region: (country, region) = geocoder.countryAndRegion(at: coordinate)
    case .city: self = PlaceKey(geocoder.codes(at: coordinate), geocoder: geocoder)
    }
  }

  /// Creates the key of the place of the next point of a track: the same key, but faster for
  /// cities.
  init(at coordinate: Coordinate, level: PlaceLevel, along track: inout TrackGeocoder) {
    if level == .city {
      self = PlaceKey(track.codes(at: coordinate), geocoder: track.geocoder)
    } else {
      self = PlaceKey(at: coordinate, level: level, geocoder: track.geocoder)
    }
  }

  /// Creates the key of the city of these codes, or of the region if there is no city.
  init(_ codes: PlaceCodes, geocoder: Geocoder) {
    country = codes.country
    city = codes.city
    // A city that extends into a neighboring region is one place.
    region = codes.city.map { geocoder.region(of: $0) } ?? codes.region
  }

  /// Creates the key of a country or one of its regions, or of no place.
  init(country: CountryIndex?, region: RegionIndex? = nil) {
    self.country = country
    self.region = region
  }

  /// Orders by country, region and city; nil comes first.
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
  /// The names of the place of a key.
  func names(of key: PlaceKey) -> PlaceNames {
    PlaceNames(
      countryCode: key.country?.code, country: key.country.flatMap { geocoder.name(of: $0) },
      regionCode: key.region.flatMap { geocoder.code(of: $0) },
      region: key.region.flatMap { geocoder.name(of: $0) },
      city: key.city.flatMap { geocoder.name(of: $0) })
  }
}

extension PlaceNames {
  /// The names to sort by, for a fixed order among equals.
  var order: [String] { [countryCode ?? "", region ?? "", city ?? "", regionCode ?? ""] }
}

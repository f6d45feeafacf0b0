import GeoStore
import Geocode
import Geodesy
import SQLiteLayer

/// The distinct places of some points, counted as a breakdown lists them.
struct VisitedPlaces {
  private let geocoder: Geocoder
  private var track: TrackGeocoder
  private(set) var countries: Set<CountryIndex> = []
  private(set) var regions: Set<RegionIndex> = []
  private(set) var cities: Set<City> = []
  private var seen: Set<CityIndex> = []

  struct City: Hashable {
    let country: CountryIndex?
    /// The region in which it lies.
    let region: RegionIndex?
    let name: String?
  }

  init(geocoder: Geocoder) {
    self.geocoder = geocoder
    track = TrackGeocoder(geocoder)
  }

  mutating func add(_ coordinate: Coordinate) {
    let codes = track.codes(at: coordinate)
    if let country = codes.country { countries.insert(country) }
    if let region = codes.region { regions.insert(region) }
    if let city = codes.city, seen.insert(city).inserted {
      cities.insert(
        City(
          country: codes.country, region: geocoder.region(of: city),
          name: geocoder.name(of: city)))
    }
  }

  mutating func add(_ city: City) { cities.insert(city) }
}

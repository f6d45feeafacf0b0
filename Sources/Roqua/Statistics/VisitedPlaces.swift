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

extension Explorer {
  /// The number of cities with a visited region, as in a breakdown: cities of one name are several
  /// if they lie in different regions, and one that extends into several regions is one.
  ///
  /// The name of a city is enough if all cities of its country that have the name lie in one
  /// region. Otherwise only the positions of the visited regions say which cities they are in: near
  /// a border, a position may be in the city of the neighboring region although its own region has
  /// a city of the same name.
  ///
  /// - Complexity: O(places), and O(cities) once; O(regions) if a name is not enough, with one
  ///   lookup for each region in a place of such a name.
  func cityCount(of snapshot: Snapshot) throws(DatabaseError) -> Int {
    var places: [(number: Int64, name: CityName?)] = []
    try snapshot.forEachPlace { number, names in
      guard let city = names.city else { return }
      let country = names.countryCode.flatMap { CountryIndex(code: $0) }
      places.append((number, country.map { CityName(country: $0, name: city) }))
    }
    guard !places.isEmpty else { return 0 }
    let homes = geocoder.regions(ofCities: Set(places.compactMap(\.name)))
    var visited = VisitedPlaces(geocoder: geocoder)
    var ambiguous: [Int64] = []
    for (number, name) in places {
      if let name, let regions = homes[name], regions.count == 1 {
        visited.add(
          VisitedPlaces.City(country: name.country, region: regions.first, name: name.name))
      } else {
        ambiguous.append(number)
      }
    }
    if !ambiguous.isEmpty {
      try snapshot.forEachRegionCenter(inPlaces: ambiguous) { visited.add($0) }
    }
    return visited.cities.count
  }
}

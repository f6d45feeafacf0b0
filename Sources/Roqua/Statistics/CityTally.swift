import GeoStore
import Geocode
import Geodesy
import SQLiteLayer

/// Counts the cities with a visited region as a breakdown lists them: cities of one name are
/// several if they lie in different regions, and one that extends into several regions is one.
///
/// The name of a city is enough if all cities of its country that have the name lie in one region.
/// Otherwise only the positions of the visited regions say which cities they are in: near a border,
/// a position may be in the city of the neighboring region although its own region has a city of
/// the same name.
struct CityTally {
  private var visited: VisitedPlaces
  /// The cities that places whose name is not enough probably are: of their own region, if it has
  /// one of the name.
  private var probable: Set<VisitedPlaces.City> = []
  /// The numbers of the stored places whose name is not enough.
  private var ambiguous: Set<Int64> = []

  /// Reads the names of the stored places.
  ///
  /// - Complexity: O(places), and O(cities of the data) once.
  init(of snapshot: Snapshot, _ geocoder: Geocoder) throws(DatabaseError) {
    visited = VisitedPlaces(geocoder: geocoder)
    var places: [(number: Int64, name: CityName?, regionCode: String?, region: String?)] = []
    try snapshot.forEachPlace { number, names in
      guard let city = names.city else { return }
      let country = names.countryCode.flatMap { CountryIndex(code: $0) }
      places.append(
        (
          number, country.map { CityName(country: $0, name: city) }, names.regionCode,
          names.region
        ))
    }
    guard !places.isEmpty else { return }
    let homes = geocoder.regions(ofCities: Set(places.compactMap(\.name)))
    for (number, name, code, region) in places {
      guard let name else {
        ambiguous.insert(number)
        continue
      }
      let regions = homes[name, default: []]
      func city(_ region: RegionIndex?) -> VisitedPlaces.City {
        VisitedPlaces.City(country: name.country, region: region, name: name.name)
      }
      if regions.count == 1 {
        visited.add(city(regions.first))
        continue
      }
      ambiguous.insert(number)
      let own = regions.first { home in
        code.map { $0 == geocoder.code(of: home) } ?? (geocoder.name(of: home) == region)
      }
      probable.insert(city(own ?? regions.min { $0.rawValue < $1.rawValue }))
    }
  }

  /// Whether names are enough for all of them.
  var isCertain: Bool { ambiguous.isEmpty }

  /// Adds the center of a visited region in a stored place.
  mutating func add(_ center: Coordinate, inPlace number: Int64?) {
    if let number, ambiguous.contains(number) { visited.add(center) }
  }

  /// Adds the centers of all visited regions for which a name is not enough.
  ///
  /// - Complexity: O(regions), but O(1) if names are enough.
  mutating func addCenters(of snapshot: Snapshot) throws(DatabaseError) {
    if isCertain { return }
    var visited = visited
    try snapshot.forEachRegionCenter(inPlaces: ambiguous.sorted()) { visited.add($0) }
    self.visited = visited
  }

  /// The number of cities; all regions for which a name is not enough must have been added.
  var count: Int { visited.cities.count }

  /// The number of cities by their names alone, which may differ by a few near borders.
  var estimate: Int { visited.cities.union(probable).count }
}

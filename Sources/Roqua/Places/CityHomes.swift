import Geocode
import Geodesy

/// Finds the regions (admin 1) in which cities lie that the store knows by name.
///
/// A place of the store has the region of its position. A city may extend into a neighboring
/// region: its part there has this region, and the city's home is the other one.
final class CityHomes {
  private let geocoder: Geocoder
  /// The regions of the cities that were looked for.
  private var known: [City: Set<RegionIndex>] = [:]

  private struct City: Hashable {
    let country: String?
    let name: String
  }

  init(geocoder: Geocoder) { self.geocoder = geocoder }

  /// The region in which the city of a place lies, if it is another one than that of the place;
  /// several if nothing but the position could tell which of several cities it is. None if it is
  /// that of the place, or if the data have no city of the name.
  ///
  /// - Complexity: O(cities), some milliseconds, once for each city.
  func homes(of names: PlaceNames) -> Set<RegionIndex> {
    let regions = regions(ofCity: names)
    return regions.contains { isSame($0, names) } ? [] : regions
  }

  /// The number of cities in places of a store, as in a breakdown: cities of one name are several
  /// if they lie in different regions, and one that extends into several regions is one.
  ///
  /// - Complexity: O(places); O(cities) for each name that is in several regions.
  func count(of places: [PlaceNames]) -> Int {
    var groups: [City: Set<PlaceNames>] = [:]
    for place in places {
      guard let name = place.city else { continue }
      groups[City(country: place.countryCode, name: name), default: []].insert(
        PlaceNames(
          countryCode: place.countryCode, regionCode: place.regionCode, region: place.region,
          city: name))
    }
    return groups.values.reduce(0) { $0 + count(ofNamesakes: $1) }
  }

  /// The number of cities in places that have one country and one name of a city.
  private func count(ofNamesakes places: Set<PlaceNames>) -> Int {
    guard places.count > 1, let first = places.first else { return places.count }
    let regions = regions(ofCity: first)
    if regions.count < 2 { return 1 }
    let homes = regions.filter { region in places.contains { isSame(region, $0) } }
    let isExtended = places.contains { place in !regions.contains { isSame($0, place) } }
    // A part in another region belongs to a city that is counted; only if there is none, it is one.
    return homes.isEmpty && isExtended ? 1 : homes.count
  }

  /// The regions of all cities that have the name of a place's city, in its country.
  private func regions(ofCity names: PlaceNames) -> Set<RegionIndex> {
    guard let city = names.city, let country = names.countryCode.flatMap(CountryIndex.init(code:))
    else { return [] }
    let key = City(country: names.countryCode, name: city)
    if let regions = known[key] { return regions }
    let cities = geocoder.cities(named: NameQuery(city), in: country)
    let regions = Set(
      cities.filter { geocoder.name(of: $0) == city }.compactMap { geocoder.region(of: $0) })
    known[key] = regions
    return regions
  }

  private func isSame(_ region: RegionIndex, _ names: PlaceNames) -> Bool {
    if let code = names.regionCode { return geocoder.code(of: region) == code }
    return geocoder.name(of: region) == names.region
  }
}

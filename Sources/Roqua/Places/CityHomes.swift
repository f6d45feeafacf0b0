import Geocode
import Geodesy

/// Finds the regions (admin 1) in which cities lie that the store knows by name.
///
/// A place of the store has the region of its position. A city may extend into a neighboring
/// region: its part there has this region, and the city's home is the other one.
final class CityHomes {
  private let geocoder: Geocoder
  /// The regions of the cities that were looked for.
  private var known: [CityName: Set<RegionIndex>] = [:]

  init(geocoder: Geocoder) { self.geocoder = geocoder }

  /// The region in which the city of a place lies, if it is another one than that of the place;
  /// several if nothing but the position could tell which of several cities it is. None if it is
  /// that of the place, or if the data have no city of the name.
  ///
  /// - Complexity: O(cities), some milliseconds, once for each name.
  func homes(of names: PlaceNames) -> Set<RegionIndex> {
    let regions = regions(ofCity: names)
    return regions.contains { isSame($0, names) } ? [] : regions
  }

  /// The number of cities in places of a store, as in a breakdown: cities of one name are several
  /// if they lie in different regions, and one that extends into several regions is one.
  ///
  /// - Complexity: O(places), and O(cities) once if a name is in several regions.
  func count(of places: [PlaceNames]) -> Int {
    let cities = Set(
      places.filter { $0.city != nil }.map { place in
        PlaceNames(
          countryCode: place.countryCode, regionCode: place.regionCode, region: place.region,
          city: place.city)
      })
    let groups = Dictionary(grouping: cities) { [$0.countryCode, $0.city] }.values
    look(for: groups.filter { $0.count > 1 }.compactMap(\.first))
    return groups.reduce(0) { $0 + count(ofNamesakes: $1) }
  }

  /// The number of cities in places that have one country and one name of a city.
  private func count(ofNamesakes places: [PlaceNames]) -> Int {
    guard places.count > 1 else { return places.count }
    let regions = regions(ofCity: places[0])
    if regions.count < 2 { return 1 }
    let homes = regions.filter { region in places.contains { isSame(region, $0) } }
    let isExtended = places.contains { place in !regions.contains { isSame($0, place) } }
    // A part in another region belongs to a city that is counted. If none is, the part is one.
    return homes.isEmpty && isExtended ? 1 : homes.count
  }

  /// The regions of all cities that have the name of a place's city, in its country.
  private func regions(ofCity names: PlaceNames) -> Set<RegionIndex> {
    look(for: [names])
    return Self.city(of: names).flatMap { known[$0] } ?? []
  }

  /// Looks for the cities of some places that were not looked for before, all at once.
  private func look(for places: [PlaceNames]) {
    let missing = Set(places.compactMap(Self.city).filter { known[$0] == nil })
    guard !missing.isEmpty else { return }
    let found = geocoder.regions(ofCities: missing)
    for name in missing { known[name] = found[name] ?? [] }
  }

  private static func city(of names: PlaceNames) -> CityName? {
    guard let name = names.city, let country = names.countryCode.flatMap(CountryIndex.init(code:))
    else { return nil }
    return CityName(country: country, name: name)
  }

  private func isSame(_ region: RegionIndex, _ names: PlaceNames) -> Bool {
    if let code = names.regionCode { return geocoder.code(of: region) == code }
    return geocoder.name(of: region) == names.region
  }
}

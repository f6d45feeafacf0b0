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

  /// The regions of all cities that have the name of a place's city, in its country.
  private func regions(ofCity names: PlaceNames) -> Set<RegionIndex> {
    guard let city = names.city, let country = names.countryCode.flatMap(CountryIndex.init(code:))
    else { return [] }
    let name = CityName(country: country, name: city)
    if let regions = known[name] { return regions }
    let regions = geocoder.regions(ofCities: [name])[name] ?? []
    known[name] = regions
    return regions
  }

  private func isSame(_ region: RegionIndex, _ names: PlaceNames) -> Bool {
    if let code = names.regionCode { return geocoder.code(of: region) == code }
    return geocoder.name(of: region) == names.region
  }
}

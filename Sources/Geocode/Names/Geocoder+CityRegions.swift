/// A city by its country and its English name; several cities may have both.
package struct CityName: Hashable, Sendable {
  /// The country.
  package let country: CountryIndex
  /// The English name.
  package let name: String

  /// Creates a name.
  package init(country: CountryIndex, name: String) { (self.country, self.name) = (country, name) }
}

extension Geocoder {
  /// The first divisions in which cities of these names lie, by name; parts of cities do not count.
  /// A name that no city of its country has is missing.
  ///
  /// - Complexity: O(cities), some ten milliseconds, however many names there are.
  package func regions(ofCities names: Set<CityName>) -> [CityName: Set<RegionIndex>] {
    let countries = Set(names.map(\.country))
    var found: [CityName: Set<RegionIndex>] = [:]
    forEachCity(in: countries.count == 1 ? countries.first : nil) { city, bytes in
      guard let country = country(of: city), countries.contains(country) else { return }
      let name = CityName(country: country, name: String(decoding: bytes, as: UTF8.self))
      guard names.contains(name), let region = region(of: city) else { return }
      found[name, default: []].insert(region)
    }
    return found
  }
}

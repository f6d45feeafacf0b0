import GeoStore
import Geocode

/// A country, region or city that somebody named, as the store spells it.
///
/// ```swift
/// let place = try await explorer.place(country: "Germany", city: "munchen")
/// var query = RegionQuery()
/// place.restrict(&query)
/// print(try await explorer.countRegions(matching: query), "in \(place.label)")
/// ```
public struct NamedPlace: Hashable, Sendable {
  /// The country; nil for any.
  package internal(set) var country: CountryIndex?
  /// The spellings of the region; nil for any.
  package internal(set) var regions: Set<String>?
  /// The ISO 3166-2 code by which the region was named; nil if it was named otherwise.
  package internal(set) var regionCode: String?
  /// The spellings of the city; nil for any.
  package internal(set) var cities: Set<String>?
  /// If a region and a city are named: the other regions into which the city extends in the store.
  package internal(set) var neighborRegions: Set<String> = []
  /// The place in words, in English: `Strasbourg, France`.
  public internal(set) var label = ""
  /// The English names in ``label``, so that they can be translated. No country is given if the
  /// label names none or several.
  public internal(set) var names = PlaceNames()
  /// Whether a visited region lies there.
  package internal(set) var isInStore = false
  /// The English names of the countries in which the store has a region or city of the name, where
  /// those are several: a query finds all of them, unless a country is named too.
  public internal(set) var namesakes: [String] = []
  /// The regions in which the store has a city of the name, if all are in one country and those are
  /// several: a query finds all of them, unless a region is named too.
  package internal(set) var namesakeRegions: [String] = []

  /// Asks only for the regions of this place. A city in a region is the whole city that has its
  /// home in this region.
  public func restrict(_ query: inout RegionQuery) {
    query.countryCode = country?.code
    let isExtended = !neighborRegions.isEmpty
    query.regions = regionCode == nil || isExtended ? regions?.union(neighborRegions) : nil
    query.regionCode = isExtended ? nil : regionCode
    query.cities = cities
  }
}

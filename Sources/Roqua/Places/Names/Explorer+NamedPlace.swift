import Foundation
import GeoStore
import Geocode
import SQLiteLayer

extension Explorer {
  /// The place of these names; each nil for any. Names are compared without case and accents.
  ///
  /// A region or city is looked for among the names of the store, which may be spelled as the Roqua
  /// app spelled them, and among those of the bundled data. One name may be that of several
  /// cities, also in several countries: all of them are meant.
  ///
  /// - Parameters:
  ///   - country: see `Geocoder.country(named:locale:)`.
  ///   - region: a first-level division, in that country if one is named.
  ///   - city: a city, in that country if one is named.
  ///   - locale: the user's language, in which a country may be named.
  /// - Throws: ``PlaceNameError`` for a name that nothing has, `DatabaseError`.
  public func place(
    country: String? = nil, region: String? = nil, city: String? = nil, locale: Locale? = nil
  ) throws -> NamedPlace {
    let country = try country.map { try geocoder.country(named: $0, locale: locale) }
    let stored = try read { snapshot in try snapshot.placeNames() }
    return try PlaceFinder(geocoder: geocoder, stored: stored).place(
      country: country, region: region, city: city)
  }
}

/// Finds places by name, among those of a store and those of the bundled data.
struct PlaceFinder {
  let geocoder: Geocoder
  /// The places of the store's regions.
  let stored: [PlaceNames]

  func place(
    country: CountryIndex?, region: String?, city: String?
  ) throws(PlaceNameError) -> NamedPlace {
    var place = NamedPlace()
    place.country = country
    let countryName = country.map { geocoder.name(of: $0) ?? $0.code }
    var words: [String] = []
    var known: [String] = []
    if let region {
      let found = try find(region, .region, in: country)
      (place.regions, known) = (found.spellings, found.countries)
      words.append(found.name)
    }
    if let city {
      let found = try find(city, .city, in: country)
      (place.cities, known) = (found.spellings, found.countries)
      words.insert(found.name, at: 0)
    }
    let matching = stored.filter { names in
      (country == nil || names.countryCode == country?.code)
        && (place.regions == nil || names.region.map { place.regions?.contains($0) } == true)
        && (place.cities == nil || names.city.map { place.cities?.contains($0) } == true)
    }
    place.isInStore = !matching.isEmpty
    let countries = Set(matching.compactMap(\.countryCode)).sorted().map { code in
      CountryIndex(code: code).flatMap { geocoder.name(of: $0) } ?? code
    }
    if country == nil, countries.count > 1 { place.namesakes = countries }
    if let countryName {
      words.append(countryName)
    } else if countries.count == 1 || (countries.isEmpty && known.count == 1) {
      words += countries.isEmpty ? known : countries
    }
    place.label = words.joined(separator: ", ")
    if countryName == nil, countries.isEmpty, known.count > 1 {
      place.label += " (\(PlaceNameError.list(known, "and")))"
    }
    return place
  }

  /// The spellings of a name in the store and in the data, one of them for people, and the
  /// countries in which the data have it.
  private func find(
    _ name: String, _ level: PlaceLevel, in country: CountryIndex?
  ) throws(PlaceNameError) -> (spellings: Set<String>, name: String, countries: [String]) {
    let query = NameQuery(name.precomposedStringWithCanonicalMapping)
    let inStore = stored.filter { country == nil || $0.countryCode == country?.code }
      .compactMap { level == .city ? $0.city : $0.region }.filter(query.matches)
    let known = known(query, level, in: country)
    let spellings = Set(inStore + known.map(\.name))
    if let shown = known.first?.name ?? inStore.first {
      return (spellings, shown, countryNames(known))
    }
    if let country {
      let elsewhere = countryNames(self.known(query, level, in: nil))
      if !elsewhere.isEmpty {
        throw .elsewhere(
          level, name: name, country: geocoder.name(of: country) ?? country.code,
          elsewhere: elsewhere, guesses: guesses(query.text, level, in: country))
      }
    }
    throw .unknown(level, name: name, guesses: guesses(query.text, level, in: country))
  }

  /// The English names of the countries of some places, each once.
  private func countryNames(_ places: [(name: String, country: CountryIndex?)]) -> [String] {
    var seen: Set<CountryIndex> = []
    return places.compactMap(\.country).filter { seen.insert($0).inserted }
      .map { geocoder.name(of: $0) ?? $0.code }
  }

  /// The places of the data that have a name, the largest city first.
  private func known(
    _ query: NameQuery, _ level: PlaceLevel, in country: CountryIndex?
  ) -> [(name: String, country: CountryIndex?)] {
    level == .city
      ? geocoder.cities(named: query, in: country).map {
        (geocoder.name(of: $0) ?? "", geocoder.country(of: $0))
      }
      : geocoder.regions(named: query, in: country).map {
        (geocoder.name(of: $0) ?? "", geocoder.country(of: $0))
      }
  }

  /// The names most like one; what the store has goes before what it has not.
  private func guesses(_ name: String, _ level: PlaceLevel, in country: CountryIndex?) -> [String] {
    var guesses = NameGuesses(for: name)
    for place in stored where country == nil || place.countryCode == country?.code {
      guard let known = level == .city ? place.city : place.region else { continue }
      guesses.consider(known, rank: .max) { place.country.map { "\(known) (\($0))" } ?? known }
    }
    if level == .city {
      geocoder.suggestCities(to: &guesses, in: country)
    } else {
      geocoder.suggestRegions(to: &guesses, in: country)
    }
    return guesses.best
  }
}

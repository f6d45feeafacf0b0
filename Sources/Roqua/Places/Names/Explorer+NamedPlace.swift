import Foundation
import GeoStore
import Geocode
import Geodesy
import SQLiteLayer

extension Explorer {
  /// Does what the async form does, on the calling thread.
  package func place(
    country: String? = nil, region: String? = nil, city: String? = nil, locale: Locale? = nil
  ) throws -> NamedPlace {
    let country = try country.map { try geocoder.country(named: $0, locale: locale) }
    let stored = try read { snapshot in try snapshot.placeNames() }
    let language = geocoder.language(of: locale)
    return try PlaceFinder(geocoder: geocoder, stored: stored, language: language).place(
      country: country, region: region, city: city)
  }
}

extension Geocoder {
  /// Checks the parts of a place that do not depend on a store: the country, and the region if it
  /// is an ISO 3166-2 code.
  ///
  /// - Throws: ``PlaceNameError`` for a country or a code that no place has.
  package func check(
    country: String?, region: String?, locale: Locale?
  ) throws(PlaceNameError) {
    if let country { _ = try self.country(named: country, locale: locale) }
    guard let region, Self.isRegionCode(region.trimmingCharacters(in: .whitespaces)) else { return }
    _ = try PlaceFinder(geocoder: self, stored: []).place(country: nil, region: region, city: nil)
  }
}

/// Finds places by name, among those of a store and those of the bundled data.
struct PlaceFinder {
  let geocoder: Geocoder
  /// The places of the store's regions.
  let stored: [PlaceNames]
  /// The user's language, where the data have it.
  let language: NameLanguage?
  private let homes: CityHomes

  init(geocoder: Geocoder, stored: [PlaceNames], language: NameLanguage? = nil) {
    (self.geocoder, self.stored, self.language) = (geocoder, stored, language)
    homes = CityHomes(geocoder: geocoder)
  }

  func place(
    country: CountryIndex?, region: String?, city: String?
  ) throws(PlaceNameError) -> NamedPlace {
    var place = NamedPlace()
    var area = Area(country: country)
    var words: [String] = []
    var known: [String] = []
    var (regions, cities): ([KnownPlace], [KnownPlace]) = ([], [])
    if let region {
      let found = try find(region, .region, in: area)
      (place.regions, known) = (found.spellings, countryNames(found.known))
      place.regionCode = found.code
      words.append(found.name)
      place.names.region = found.name
      regions = found.known
      area.region = found
      area.country = area.country ?? found.home
    }
    if let city {
      let found = try find(city, .city, in: area)
      (place.cities, known) = (found.spellings, countryNames(found.known))
      words.insert(found.name, at: 0)
      place.names.city = found.name
      area.country = area.country ?? found.home
      cities = found.known
    }
    place.country = area.country
    let countryName = area.country.map { geocoder.name(of: $0) ?? $0.code }
    let matching = places(in: area, level: place.level).filter { names in
      place.cities == nil || names.city.map { place.cities?.contains($0) } == true
    }.filter { place.cities == nil || isHome($0, in: area.region) }
    if place.cities != nil, let region = area.region {
      place.neighborRegions = Set(
        matching.filter { !isIn(region, $0) }.compactMap(\.region))
    }
    place.isInStore = !matching.isEmpty
    let countries = Set(matching.compactMap(\.countryCode)).sorted().map { code in
      CountryIndex(code: code).flatMap { geocoder.name(of: $0) } ?? code
    }
    if area.country == nil, countries.count > 1 { place.namesakes = countries }
    if place.regions == nil, countries.count == 1 {
      // A city may extend into a region in which no city of its name lies.
      let home = CountryIndex(code: matching.first?.countryCode ?? "")
      let stored = Set(matching.compactMap(\.region))
      let known = Set(cities.filter { $0.country == home }.compactMap(\.region))
      let names = Set(known.compactMap { geocoder.name(of: $0) }).intersection(stored)
      if names.count > 1 { place.namesakeRegions = names.sorted() }
    }
    if let countryName {
      words.append(countryName)
      place.names.country = countryName
      place.names.countryCode = area.country?.code
    } else if countries.count == 1 || (countries.isEmpty && known.count == 1) {
      words += countries.isEmpty ? known : countries
      place.names.country = words.last
      place.names.countryCode =
        matching.lazy.compactMap(\.countryCode).first
        ?? (cities.isEmpty ? regions : cities).lazy.compactMap(\.country).first?.code
    }
    // Other countries may have a region of that name, too.
    place.names.regionCode = (regions.isEmpty ? cities : regions).first {
      $0.country?.code == place.names.countryCode
    }?.region.flatMap { geocoder.code(of: $0) }
    place.label = words.joined(separator: ", ")
    if countryName == nil, countries.isEmpty, known.count > 1 {
      place.label += " (\(PlaceNameError.list(known, "and")))"
    }
    return place
  }

  /// Where a name is looked for: in the country and the region that were named; each nil for any.
  private struct Area {
    var country: CountryIndex?
    var region: Found?
  }

  /// A region or a city of the data.
  private struct KnownPlace {
    let name: String
    let country: CountryIndex?
    let region: RegionIndex?
    var city: CityIndex?
  }

  /// The places of one name.
  private struct Found {
    /// For people.
    let name: String
    /// Its spellings in the store and in the data.
    let spellings: Set<String>
    /// Those of the data.
    let known: [KnownPlace]
    /// The country of all places that have the name, if the name is not English: the English
    /// spelling may be that of another place in another country. Of a region that was named by its
    /// code, its country.
    let home: CountryIndex?
    /// The ISO 3166-2 code by which it was named.
    var code: String?

    var regions: Set<RegionIndex> { Set(known.compactMap(\.region)) }
  }

  private func find(
    _ name: String, _ level: PlaceLevel, in area: Area
  ) throws(PlaceNameError) -> Found {
    if level == .region, let found = try find(code: name, in: area) { return found }
    let query = NameQuery(name.precomposedStringWithCanonicalMapping)
    let known = self.known(query, level, in: area)
    let others = level == .city ? otherNames(query, known, in: area) : []
    var inStore: [String] = []
    for place in places(in: area, level: level) {
      guard let spelling = level == .city ? place.city : place.region else { continue }
      let isOther = others.contains { other in
        other.country.code == place.countryCode && other.name.matches(spelling)
      }
      guard isOther || query.matches(spelling) else { continue }
      if level == .region || isHome(place, in: area.region) { inStore.append(spelling) }
    }
    let spellings = Set(inStore + known.map(\.name))
    if let shown = known.first?.name ?? inStore.first {
      let homes = Set(others.map(\.country) + known.compactMap(\.country))
      let isNamedSo = spellings.contains(where: query.matches)
      return Found(
        name: shown, spellings: spellings, known: known,
        home: isNamedSo || homes.count != 1 ? nil : homes.first)
    }
    let guesses = self.guesses(query.text, level, in: area)
    let outside = elsewhere(self.known(query, level, in: Area()), outside: area)
    if let place = area.region?.name ?? area.country.map({ geocoder.name(of: $0) ?? $0.code }),
      !outside.isEmpty
    {
      throw .elsewhere(level, name: name, place: place, elsewhere: outside, guesses: guesses)
    }
    if let other = geocoder.otherLevel(of: query, than: level) {
      throw .otherLevel(
        level, name: name, actual: other, guesses: other == .city ? guesses : [])
    }
    throw .unknown(level, name: name, guesses: guesses)
  }

  /// The region of an ISO 3166-2 code; nil if no region has it.
  private func find(code: String, in area: Area) throws(PlaceNameError) -> Found? {
    let code = code.trimmingCharacters(in: .whitespaces)
    let regions = geocoder.regions(code: code)
    guard let region = regions.first, let country = geocoder.country(of: region) else { return nil }
    if let named = area.country, named != country {
      throw .elsewhere(
        .region, name: code, place: geocoder.name(of: named) ?? named.code,
        elsewhere: [geocoder.name(of: country) ?? country.code], guesses: [])
    }
    let known = regions.map {
      KnownPlace(name: geocoder.name(of: $0) ?? code, country: country, region: $0)
    }
    return Found(
      name: known[0].name, spellings: Set(known.map(\.name)), known: known, home: country,
      code: code.uppercased())
  }

  /// The places of the store in an area. For cities, those of the whole country: a city of a region
  /// may extend into others (``isHome(_:in:)``).
  private func places(in area: Area, level: PlaceLevel) -> [PlaceNames] {
    stored.filter { names in
      if let country = area.country, names.countryCode != country.code { return false }
      guard level != .city, let region = area.region else { return true }
      return isIn(region, names)
    }
  }

  /// Whether a place of the store lies in a region.
  private func isIn(_ region: Found, _ names: PlaceNames) -> Bool {
    if let code = region.code { return names.regionCode == code }
    return names.region.map(region.spellings.contains) == true
  }

  /// Whether the city of a place of the store has its home in a region. That of a city that the
  /// data do not know by the name is the region of the place.
  private func isHome(_ names: PlaceNames, in region: Found?) -> Bool {
    guard let region else { return true }
    let homes = self.homes.homes(of: names)
    if homes.isEmpty || region.regions.isEmpty { return isIn(region, names) }
    return !region.regions.isDisjoint(with: homes)
  }

  /// The English names of the countries of some places, each once.
  private func countryNames(_ places: [KnownPlace]) -> [String] {
    var seen: Set<CountryIndex> = []
    return places.compactMap(\.country).filter { seen.insert($0).inserted }
      .map { geocoder.name(of: $0) ?? $0.code }
  }

  /// Where else places of a name are, each once: their countries, and their regions in the country
  /// of the region that was named.
  private func elsewhere(_ places: [KnownPlace], outside area: Area) -> [String] {
    let countries = Set(area.region?.known.compactMap(\.country) ?? [])
    var seen: Set<String> = []
    return places.compactMap { place -> String? in
      guard let country = place.country else { return nil }
      if countries.contains(country), let region = place.region {
        return geocoder.name(of: region)
      }
      return geocoder.name(of: country) ?? country.code
    }.filter { seen.insert($0).inserted }
  }

  /// Other spellings that the store may have for the cities of a name, each in its country: those
  /// of
  /// ``CityAliases``, and those of the data's cities in other languages.
  private func otherNames(
    _ query: NameQuery, _ known: [KnownPlace], in area: Area
  ) -> [(name: NameQuery, country: CountryIndex)] {
    var others = CityAliases.others(than: query, in: area.country)
    for place in known {
      guard let city = place.city, let country = place.country else { continue }
      others += geocoder.otherNames(of: city).map { ($0, country) }
    }
    return others
  }

  /// The places of the data that have a name, the largest city first.
  private func known(_ query: NameQuery, _ level: PlaceLevel, in area: Area) -> [KnownPlace] {
    guard level == .city else {
      let english = geocoder.regions(named: query, in: area.country)
      let regions =
        english.isEmpty
        ? geocoder.regions(namedElsewhere: query, in: area.country, language: language) : english
      return regions.map { region in
        KnownPlace(
          name: geocoder.name(of: region) ?? "", country: geocoder.country(of: region),
          region: region)
      }
    }
    var cities = geocoder.cities(named: query, in: area.country)
    for other in CityAliases.others(than: query, in: area.country) {
      cities += geocoder.cities(named: other.name, in: other.country)
    }
    if cities.isEmpty {
      cities = geocoder.cities(namedElsewhere: query, in: area.country, language: language)
    }
    let regions = area.region?.regions
    return cities.sorted { geocoder.population(of: $0) > geocoder.population(of: $1) }
      .map { city in
        KnownPlace(
          name: geocoder.name(of: city) ?? "", country: geocoder.country(of: city),
          region: geocoder.region(of: city), city: city)
      }
      .filter { place in
        guard let regions else { return true }
        return place.region.map(regions.contains) == true
      }
  }

  /// The names most like one; what the store has goes before what it has not.
  private func guesses(_ name: String, _ level: PlaceLevel, in area: Area) -> [String] {
    var guesses = NameGuesses(for: name)
    let query = NameQuery(name)
    for place in places(in: area, level: .region) {
      guard let known = level == .city ? place.city : place.region else { continue }
      // A city of another region that extends into this one.
      if level == .city, query.matches(known) { continue }
      guesses.consider(known, rank: .max) { place.country.map { "\(known) (\($0))" } ?? known }
    }
    if level == .city {
      geocoder.suggestCities(
        to: &guesses, in: area.country, regions: area.region?.regions, language: language)
    } else {
      geocoder.suggestRegions(to: &guesses, in: area.country, language: language)
      geocoder.suggestRegionCodes(to: &guesses, for: name)
    }
    return guesses.best
  }
}

extension Geocoder {
  /// Every country of the data, by code.
  package var countries: [CountryIndex] {
    let places = gazetteer.places
    return (0..<places.countryCount).compactMap {
      CountryIndex(rawValue: places.country(inRow: $0))
    }
  }

  /// The countries of this name: an ISO 3166-1 code of two letters that is in use, the English name
  /// or another one that is common in English, in any case, with or without accents, dots and
  /// `the`.
  ///
  /// Usually one; none where nothing has the name. Names in other languages are those of the
  /// system: see `Explorer.country(named:)` in `Roqua`.
  ///
  /// - Complexity: O(countries), about 0.1 ms.
  package func countries(named query: NameQuery) -> [CountryIndex] {
    let queries = [query] + query.withoutDotsAndArticle
    for query in queries {
      if let code = CountryIndex(code: query.code), name(of: code) != nil { return [code] }
    }
    func isMeant(_ name: String) -> Bool { queries.contains { $0.matches(name) } }
    let aliases = Set(CountryAliases.names.filter { $0.names.contains(where: isMeant) }.map(\.code))
    return countries.filter { country in
      name(of: country).map(isMeant) == true || aliases.contains(country.code)
    }
  }

  /// The countries whose English name has these words: both Congos have `Congo`.
  package func countries(withWords query: NameQuery) -> [CountryIndex] {
    countries.filter { name(of: $0).map(query.isPart(of:)) == true }
  }

  /// Adds the countries to guesses, by their codes and names.
  package func suggestCountries(to guesses: inout NameGuesses, for text: String) {
    let letters = CountryIndex(code: NameQuery(text).code)?.code
    for country in countries {
      let name = name(of: country) ?? country.code
      let shown = { "\(name) (\(country.code))" }
      guesses.consider(name, shown: shown)
      // Only codes with the same first letter: all others are equally near.
      if let letters, country.code.first == letters.first {
        guesses.consider(country.code, shown: shown)
      }
    }
    for entry in CountryAliases.names {
      guard let name = CountryIndex(code: entry.code).flatMap(self.name(of:)) else { continue }
      for alias in entry.names { guesses.consider(alias) { "\(name) (\(entry.code))" } }
    }
  }

  /// The first divisions of this name, in a country or in all.
  ///
  /// - Complexity: O(divisions), about a millisecond.
  package func regions(named query: NameQuery, in country: CountryIndex? = nil) -> [RegionIndex] {
    regions(in: country).filter { name(of: $0).map(query.matches) == true }
  }

  /// Adds the first divisions of a country, or of all, to guesses: their English names, those in
  /// the user's language and the local ones.
  package func suggestRegions(
    to guesses: inout NameGuesses, in country: CountryIndex?, language: NameLanguage? = nil
  ) {
    for region in regions(in: country) {
      guard let name = name(of: region) else { continue }
      let others = [language.flatMap { self.name(of: region, in: $0) }, localName(of: region)]
      for name in [name] + others.compactMap(\.self) {
        guesses.consider(name) { shown(name, in: self.country(of: region)) }
      }
    }
  }

  /// Adds the ISO 3166-2 codes of a country's first divisions to guesses for a text that has the
  /// form of one.
  package func suggestRegionCodes(to guesses: inout NameGuesses, for text: String) {
    guard Self.isRegionCode(text), let country = CountryIndex(code: String(text.prefix(2))) else {
      return
    }
    for region in regions(in: country) {
      guard let code = code(of: region), let name = name(of: region) else { continue }
      guesses.consider(code) { "\(name) (\(code))" }
    }
  }

  private func regions(in country: CountryIndex?) -> [RegionIndex] {
    (0..<gazetteer.places.admin1Count).map { RegionIndex(rawValue: UInt16($0)) }.filter {
      country == nil || self.country(of: $0) == country
    }
  }

  /// The cities of this name, in a country or in all, the largest first; parts of cities are not
  /// among them.
  ///
  /// - Complexity: O(cities), some milliseconds.
  package func cities(named query: NameQuery, in country: CountryIndex? = nil) -> [CityIndex] {
    var found: [CityIndex] = []
    forEachCity(in: country) { city, name in
      if query.matches(name) { found.append(city) }
    }
    return found.sorted { population(of: $0) > population(of: $1) }
  }

  /// Adds the cities of a country, of some divisions or of all, to guesses; a larger one is the
  /// better guess.
  ///
  /// - Complexity: O(cities), a tenth of a second.
  package func suggestCities(
    to guesses: inout NameGuesses, in country: CountryIndex?, regions: Set<RegionIndex>? = nil,
    language: NameLanguage? = nil
  ) {
    func consider(_ city: CityIndex, _ bytes: Slice<UnsafeRawBufferPointer>) {
      if let regions, region(of: city).map(regions.contains) != true { return }
      let name = String(decoding: bytes, as: UTF8.self)
      guesses.consider(name, rank: population(of: city)) {
        shown(name, in: self.country(of: city))
      }
    }
    forEachCity(in: country, consider)
    guard let names = gazetteer.otherNames else { return }
    for row in [language?.row, names.localRow].compactMap(\.self) {
      forEachCity(in: country, language: row, names, consider)
    }
  }

  /// Calls `body` with each city and its name, which is valid during the call only.
  func forEachCity(
    in country: CountryIndex?, _ body: (CityIndex, Slice<UnsafeRawBufferPointer>) -> Void
  ) {
    let places = gazetteer.places
    var offset = 0
    for place in 0..<places.count {
      let length = Int(places.placeNames[offset])
      let name = places.placeNames[offset + 1..<offset + 1 + length]
      offset += 1 + length
      if let country, places.country(place) != country.rawValue { continue }
      guard places.flaggedPopulation(place) & PlacesFile.partOfCity == 0 else { continue }
      body(CityIndex(rawValue: Int32(place)), name)
    }
  }

  /// `Munich (Germany)`.
  private func shown(_ name: String, in country: CountryIndex?) -> String {
    country.flatMap(self.name(of:)).map { "\(name) (\($0))" } ?? name
  }
}

/// Searches for names in other languages than English.
///
/// A language has some thousand names; all of them have 120,000. A search in all takes some tens of
/// milliseconds, once a command.
extension Geocoder {
  /// The first divisions of this name in another language: in the user's, else in any, local names
  /// among them.
  ///
  /// - Parameters:
  ///   - country: the country in which they lie; nil for any.
  ///   - language: the user's language, which goes first.
  package func regions(
    namedElsewhere query: NameQuery, in country: CountryIndex?, language: NameLanguage?
  ) -> [RegionIndex] {
    guard let names = gazetteer.otherNames else { return [] }
    for rows in [[language?.row].compactMap(\.self), Array(0..<names.languageCount)] {
      var keys: Set<UInt32> = []
      for row in rows {
        names.forEachRegion(language: row) { home, suffix, name in
          guard country.map({ $0.rawValue == home }) != false, query.matches(name) else { return }
          keys.insert(UInt32(home) << 16 | UInt32(suffix))
        }
      }
      if keys.isEmpty { continue }
      let places = gazetteer.places
      return (0..<UInt16(places.admin1Count)).filter { row in
        let (home, suffix) = (places.admin1Country(row), places.admin1Suffix(row).packed)
        return suffix != 0 && keys.contains(UInt32(home) << 16 | UInt32(suffix))
      }.map(RegionIndex.init(rawValue:))
    }
    return []
  }

  /// The cities of this name in another language, the largest first: in the user's language, else
  /// in any, local names among them.
  ///
  /// - Parameters:
  ///   - country: the country in which they lie; nil for any.
  ///   - language: the user's language, which goes first.
  package func cities(
    namedElsewhere query: NameQuery, in country: CountryIndex?, language: NameLanguage?
  ) -> [CityIndex] {
    guard let names = gazetteer.otherNames else { return [] }
    for rows in [[language?.row].compactMap(\.self), Array(0..<names.languageCount)] {
      var identifiers: Set<UInt32> = []
      for row in rows {
        names.forEachCity(language: row) { identifier, name in
          if query.matches(name) { identifiers.insert(identifier) }
        }
      }
      let found = identifiers.isEmpty ? [] : cities(identifiers, in: country)
      if !found.isEmpty { return found.sorted { population(of: $0) > population(of: $1) } }
    }
    return []
  }

  /// All names of a city in other languages, each once, without those that differ from another one
  /// in case and accents only.
  package func otherNames(of city: CityIndex) -> [NameQuery] {
    guard let names = gazetteer.otherNames,
      (0..<cityCount).contains(Int(city.rawValue))
    else { return [] }
    let identifier = gazetteer.places.identifier(of: Int(city.rawValue))
    var seen: Set<[[UInt8]]> = []
    return (0..<names.languageCount).compactMap { row in
      guard identifier != 0, let name = names.city(identifier, language: row) else { return nil }
      let query = NameQuery(name)
      return seen.insert(query.spellings).inserted ? query : nil
    }
  }

  /// The cities of a language that have a name in it, with that name.
  ///
  /// - Complexity: O(cities), some ten milliseconds.
  package func cities(namedIn language: NameLanguage) -> [(city: CityIndex, name: String)] {
    guard let names = gazetteer.otherNames else { return [] }
    var found: [(city: CityIndex, name: String)] = []
    for place in 0..<gazetteer.places.count {
      let identifier = gazetteer.places.identifier(of: place)
      guard identifier != 0, let name = names.city(identifier, language: language.row) else {
        continue
      }
      found.append((CityIndex(rawValue: Int32(place)), name))
    }
    return found
  }

  /// Calls `body` with the cities of a country that have a name in a language, and that name.
  func forEachCity(
    in country: CountryIndex?, language row: Int, _ names: NamesFile,
    _ body: (CityIndex, NamesFile.NameBytes) -> Void
  ) {
    var listed: [UInt32: NamesFile.NameBytes] = [:]
    names.forEachCity(language: row) { listed[$0] = $1 }
    for place in 0..<gazetteer.places.count {
      guard country.map({ $0.rawValue == gazetteer.places.country(place) }) != false,
        let name = listed[gazetteer.places.identifier(of: place)]
      else { continue }
      body(CityIndex(rawValue: Int32(place)), name)
    }
  }

  private func cities(_ identifiers: Set<UInt32>, in country: CountryIndex?) -> [CityIndex] {
    let places = gazetteer.places
    return (0..<places.count).filter { place in
      identifiers.contains(places.identifier(of: place))
        && country.map { $0.rawValue == places.country(place) } != false
        && places.flaggedPopulation(place) & PlacesFile.partOfCity == 0
    }.map { CityIndex(rawValue: Int32($0)) }
  }
}

import Foundation
import GeoStore
import Geocode

extension Geocoder {
  /// The country of this name: its ISO 3166-1 code of two or three letters, or its name in English,
  /// in the language of `locale` or in another one, in any case, with or without accents.
  ///
  /// English and the user's language take precedence over codes of three letters and over other
  /// languages, so that a name never means another country's code or its name in a third language.
  /// Such a name is ambiguous if another country has it in its English name: `Congo`, which some
  /// languages call one of the two.
  ///
  /// ```swift
  /// for name in ["de", "Germany", "ALLEMAGNE", "Almanya"] {
  ///   print(try geocoder.country(named: name).code)  // DE
  /// }
  /// ```
  ///
  /// - Throws: ``PlaceNameError`` where no country has the name, with the nearest guesses, or
  ///   several have it.
  /// - Complexity: O(countries); for a name in a third language about a tenth of a second.
  package func country(
    named name: String, locale: Locale? = nil
  ) throws(PlaceNameError) -> CountryIndex {
    // Composed, like the data: text from macOS is often decomposed.
    let query = NameQuery(name.precomposedStringWithCanonicalMapping)
    var found = countries(named: query)
    if found.isEmpty, let locale {
      found = countries.filter { CountryLanguages.has(query, $0, in: locale) }
    }
    // After the user's language: "Nga" is Russia in Vietnamese, and NGA is Nigeria.
    if found.isEmpty, let country = country(alpha3Code: query.code) { found = [country] }
    if found.isEmpty, query.code.utf8.count != 2 {
      found = CountryLanguages.countries(named: query, among: countries)
      // "Island" is Iceland in several languages, and no name in English.
      if !found.isEmpty, !query.matches("Island") {
        let alike = countries(withWords: query)
        found = alike + found.filter { !alike.contains($0) }
      }
    }
    if found.count == 1 { return found[0] }
    guard found.isEmpty else {
      throw .ambiguous(name: name, candidates: found.map { "\(self.name(of: $0) ?? "") (\($0))" })
    }
    var guesses = NameGuesses(for: query.text)
    suggestCountries(to: &guesses, for: query.text)
    if let locale {
      for country in countries {
        guard let local = self.name(of: country, locale: locale) else { continue }
        guesses.consider(local) { "\(self.name(of: country) ?? local) (\(country))" }
      }
    }
    if let other = otherLevel(of: query, than: .country) {
      throw .otherLevel(
        .country, name: name, actual: other, guesses: other == .city ? guesses.best : [])
    }
    if guesses.best.isEmpty { CountryLanguages.suggest(countries, to: &guesses, self) }
    throw .unknown(.country, name: name, guesses: guesses.best)
  }

  /// Another level at which a place of the bundled data has a name; nil if none has it.
  ///
  /// - Complexity: O(cities), some milliseconds.
  func otherLevel(of query: NameQuery, than level: PlaceLevel) -> PlaceLevel? {
    if level != .country, !countries(named: query).isEmpty { return .country }
    if level != .region, !regions(named: query).isEmpty { return .region }
    if level != .city, !cities(named: query).isEmpty { return .city }
    return nil
  }
}

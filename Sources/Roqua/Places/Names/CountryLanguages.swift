import Foundation
import Geocode

/// The names of countries in the languages of the system's locale data.
enum CountryLanguages {
  /// Languages in which a country is looked for when neither English nor the user's language has
  /// the name: those of the countries and those that are read most. The rest of the locale data are
  /// mostly copies of English.
  private static let identifiers = [
    "af", "am", "ar", "az", "be", "bg", "bn", "bs", "ca", "cs", "cy", "da", "de", "el", "es", "et",
    "eu", "fa", "fi", "fil", "fr", "ga", "gl", "he", "hi", "hr", "hu", "hy", "id", "is", "it",
    "ja", "ka", "kk", "km", "ko", "ky", "lo", "lt", "lv", "mk", "mn", "ms", "mt", "my", "ne", "nl",
    "nb", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sr_Latn", "sv", "sw", "ta", "th", "tk",
    "tr", "uk", "ur", "uz", "vi", "zh", "zh_Hant",
  ]

  /// The countries that have a name in some language.
  ///
  /// - Complexity: O(languages × countries), about a tenth of a second.
  static func countries(named query: NameQuery, among countries: [CountryIndex]) -> [CountryIndex] {
    let locales = identifiers.map(Locale.init(identifier:))
    return countries.filter { country in
      locales.contains { has(query, country, in: $0) }
    }
  }

  /// Adds the countries' names in all languages to guesses, with their English names.
  ///
  /// - Complexity: O(languages × countries), about a tenth of a second.
  static func suggest(
    _ countries: [CountryIndex], to guesses: inout NameGuesses, _ geocoder: Geocoder
  ) {
    for locale in identifiers.map(Locale.init(identifier:)) {
      for country in countries {
        guard let name = locale.name(of: country) else { continue }
        guesses.consider(name) { "\(geocoder.name(of: country) ?? name) (\(country.code))" }
      }
    }
  }

  /// Whether a country has a name in one language.
  static func has(_ query: NameQuery, _ country: CountryIndex, in locale: Locale) -> Bool {
    locale.name(of: country).map(query.matches) == true
  }
}

import Foundation
import GeoStore
import Geocode

/// The names of places in a language as far as they are known, else in English.
package struct PlaceTranslator: Sendable {
  private let geocoder: Geocoder
  /// Nil for English.
  private let locale: Locale?
  private let language: NameLanguage?
  private let translations: NameTranslations?

  /// Prepares for the language of a locale; nil is English.
  ///
  /// - Complexity: O(cities), some ten milliseconds; O(1) in English.
  package init(_ geocoder: Geocoder, locale: Locale?) {
    let isEnglish = locale?.language.languageCode?.identifier == "en"
    self.geocoder = geocoder
    self.locale = isEnglish ? nil : locale
    language = geocoder.language(of: self.locale)
    translations = language.map { NameTranslations(geocoder, $0) }
  }

  /// The name of a country; nil if the code is not in use.
  package func name(of country: CountryIndex) -> String? {
    locale.flatMap { $0.name(of: country) } ?? geocoder.name(of: country)
  }

  /// The name of a first-level division; nil if the data have none.
  func name(of region: RegionIndex) -> String? {
    language.flatMap { geocoder.name(of: region, in: $0) } ?? geocoder.name(of: region)
  }

  /// The name of a city; nil if the number is none of the data.
  func name(of city: CityIndex) -> String? {
    language.flatMap { geocoder.name(of: city, in: $0) } ?? geocoder.name(of: city)
  }

  /// The names of a place of the store. A name that the store did not get from the data, such as
  /// one that the Roqua app wrote, stays as it is.
  package func translated(_ place: PlaceNames) -> PlaceNames {
    var translated = translations?.translated(place) ?? place
    if let locale, let country = place.countryCode.flatMap(CountryIndex.init(code:)) {
      translated.country = locale.name(of: country) ?? place.country
    }
    return translated
  }

  /// A place that somebody named, in words: `München, Deutschland`.
  package func label(_ place: NamedPlace) -> String {
    guard locale != nil, place.names.country != nil else { return place.label }
    let names = translated(place.names)
    return [names.city, names.region, names.country].compactMap(\.self).joined(separator: ", ")
  }
}

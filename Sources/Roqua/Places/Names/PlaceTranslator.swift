import Foundation
import GeoStore
import Geocode

/// The names of places in a language as far as they are known, else in English.
///
/// A store has English names. A region of it is known by its ISO 3166-2 code, a city by its name,
/// its country and its region.
package struct PlaceTranslator: Sendable {
  private struct Key: Hashable {
    var country: String?
    var region: String?
    var name: String
  }

  private let geocoder: Geocoder
  /// Nil for English.
  private let locale: Locale?
  /// Nil for English, and for a language in which the data name countries only.
  private let language: NameLanguage?
  /// The names of the cities that have one in the language.
  private let cities: [Key: String]

  /// Prepares for the language of a locale; nil is English.
  ///
  /// - Complexity: O(cities), some ten milliseconds; O(1) in English.
  package init(_ geocoder: Geocoder, locale: Locale?) {
    let isEnglish = locale?.language.languageCode?.identifier == "en"
    self.geocoder = geocoder
    self.locale = isEnglish ? nil : locale
    language = geocoder.language(of: self.locale)
    var cities: [Key: String] = [:]
    let named = language.map { geocoder.cities(namedIn: $0) } ?? []
    for (city, name) in named {
      guard let english = geocoder.name(of: city) else { continue }
      let key = Key(
        country: geocoder.country(of: city)?.code,
        region: geocoder.region(of: city).flatMap(geocoder.code(of:)), name: english)
      cities[key] = name
    }
    self.cities = cities
  }

  /// The name of a country; nil if the code is not in use.
  package func name(of country: CountryIndex) -> String? {
    locale.flatMap { $0.name(of: country) } ?? geocoder.name(of: country)
  }

  /// The name of a first-level division; nil if the data have none.
  func name(of region: RegionIndex) -> String? {
    language.flatMap { geocoder.name(of: region, in: $0) } ?? geocoder.name(of: region)
  }

  /// The name of a city; nil if the data have no city of this number.
  func name(of city: CityIndex) -> String? {
    language.flatMap { geocoder.name(of: city, in: $0) } ?? geocoder.name(of: city)
  }

  /// The names of a place of the store. A name that the store did not get from the data, such as
  /// one that the Roqua app wrote, stays as it is.
  package func translated(_ place: PlaceNames) -> PlaceNames {
    guard let locale else { return place }
    var translated = place
    if let region = place.regionCode.flatMap(geocoder.regions(code:))?.first,
      geocoder.name(of: region) == place.region
    {
      translated.region = name(of: region)
    }
    if let city = place.city {
      let key = Key(country: place.countryCode, region: place.regionCode, name: city)
      translated.city = cities[key] ?? city
    }
    if let country = place.countryCode.flatMap(CountryIndex.init(code:)) {
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

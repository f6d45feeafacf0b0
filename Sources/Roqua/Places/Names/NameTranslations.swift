import GeoStore
import Geocode
import Geodesy

/// Translates the names of regions and cities that a store has, which are English, into a language.
///
/// A region is known by its ISO 3166-2 code. A city is known by its English name, its country and
/// its region; a name that the store did not get from the data, such as one that the Roqua app
/// wrote, stays as it is.
package struct NameTranslations: Sendable {
  private struct Key: Hashable {
    var country: String?
    var region: String?
    var name: String
  }

  private let geocoder: Geocoder
  private let language: NameLanguage
  private let cities: [Key: String]

  /// Prepares for a language.
  ///
  /// - Complexity: O(cities), some ten milliseconds.
  package init(_ geocoder: Geocoder, _ language: NameLanguage) {
    (self.geocoder, self.language) = (geocoder, language)
    var cities: [Key: String] = [:]
    for (city, name) in geocoder.cities(namedIn: language) {
      guard let english = geocoder.name(of: city) else { continue }
      let key = Key(
        country: geocoder.country(of: city)?.code,
        region: geocoder.region(of: city).flatMap(geocoder.code(of:)), name: english)
      cities[key] = name
    }
    self.cities = cities
  }

  /// The names of a place of the store, as far as they are known in the language. The country is
  /// left to `Geocoder.name(of:locale:)`.
  package func translated(_ place: PlaceNames) -> PlaceNames {
    var translated = place
    if let region = place.regionCode.flatMap(geocoder.regions(code:))?.first,
      geocoder.name(of: region) == place.region
    {
      translated.region = geocoder.name(of: region, in: language) ?? place.region
    }
    if let city = place.city {
      let key = Key(country: place.countryCode, region: place.regionCode, name: city)
      translated.city = cities[key] ?? city
    }
    return translated
  }
}

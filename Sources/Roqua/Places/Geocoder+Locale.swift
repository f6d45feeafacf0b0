import Foundation
import Geocode

extension Geocoder {
  /// The name of a country in a language: from the system's locale data, or else the English name
  /// from the packed data.
  ///
  /// This is not part of `Geocode`, so that a program that uses only that module needs neither
  /// Foundation nor its memory.
  ///
  /// The first call loads the system's locale data (some milliseconds on Linux); `name(of:)` never
  /// does.
  public func name(of country: CountryIndex, locale: Locale) -> String? {
    locale.localizedString(forRegionCode: country.code) ?? name(of: country)
  }

  /// The names for these codes, with the country in the language of `locale`.
  package func names(of codes: PlaceCodes, locale: Locale) -> Place {
    var place = names(of: codes)
    place.country = codes.country.flatMap { name(of: $0, locale: locale) }
    return place
  }
}

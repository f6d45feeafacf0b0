import Foundation
import Geocode

extension Geocoder {
  /// The name of a country in a language: that of the system's locale data, else the English name
  /// of the packed data.
  ///
  /// Here and not in `Geocode`, so that a program of that room alone needs no Foundation and its
  /// memory.
  ///
  /// The first call loads the system's locale data (some milliseconds on Linux); `name(of:)`
  /// never does.
  public func name(of country: CountryIndex, locale: Locale) -> String? {
    locale.localizedString(forRegionCode: country.code) ?? name(of: country)
  }

  /// The words for these codes, the country in the language of `locale`.
  package func names(of codes: PlaceCodes, locale: Locale) -> Place {
    var place = names(of: codes)
    place.country = codes.country.flatMap { name(of: $0, locale: locale) }
    return place
  }
}

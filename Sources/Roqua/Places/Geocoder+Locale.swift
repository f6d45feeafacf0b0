import Foundation
import Geocode
import Geodesy

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
    locale.name(of: country) ?? name(of: country)
  }

  /// The place at a position, with the names of country, region and city in the language of
  /// `locale` as far as they are known, else in English.
  ///
  /// ```swift
  /// let place = geocoder.place(at: here, locale: Locale(identifier: "de"))
  /// print(place.city ?? "no city", place.country ?? "no country")  // München Deutschland
  /// ```
  public func place(at coordinate: Coordinate, locale: Locale) -> Place {
    let codes = codes(at: coordinate)
    var place = names(of: codes, at: coordinate)
    translate(&place, codes, locale: locale)
    return place
  }

  /// The names for these codes, in the language of `locale` as far as they are known.
  package func names(of codes: PlaceCodes, locale: Locale) -> Place {
    var place = names(of: codes)
    translate(&place, codes, locale: locale)
    return place
  }

  /// The language of a locale, in which the data name regions and large cities; nil for English and
  /// a language that the data do not have.
  package func language(of locale: Locale?) -> NameLanguage? {
    locale.flatMap { $0.language.languageCode?.identifier }.flatMap(language)
  }

  private func translate(_ place: inout Place, _ codes: PlaceCodes, locale: Locale) {
    place.country = codes.country.flatMap { name(of: $0, locale: locale) }
    if let language = language(of: locale) { translate(&place, codes, to: language) }
  }
}

import Foundation
import Geocode

extension Locale {
  /// The name of a country in the language of the locale, from the system's locale data; nil if
  /// they have none.
  ///
  /// In 28 languages, these data call China "China mainland", to distinguish it from Hong Kong and
  /// Macao. Both have codes of their own here, so the name is the one that Unicode CLDR has.
  package func name(of country: CountryIndex) -> String? {
    if country == Self.china, let name = chineseName { return name }
    return localizedString(forRegionCode: country.code)
  }

  private static let china = CountryIndex(code: "CN")

  private var chineseName: String? {
    guard let tag = language.languageCode?.identifier else { return nil }
    if tag == "zh", language.script == .hanTraditional { return "中國" }
    return Self.namesOfChina[tag]
  }

  /// The names of China in the languages whose system data have another one.
  ///
  /// - Source: Unicode CLDR 47, as in Babel 2.19.
  private static let namesOfChina = [
    "ar": "الصين", "ca": "Xina", "cs": "Čína", "da": "Kina", "de": "China", "el": "Κίνα",
    "en": "China", "es": "China", "fi": "Kiina", "fr": "Chine", "he": "סין", "hi": "चीन",
    "hr": "Kina", "hu": "Kína", "id": "Tiongkok", "it": "Cina", "ja": "中国", "ko": "중국",
    "ms": "China", "nb": "Kina", "nl": "China", "nn": "Kina", "no": "Kina", "pl": "Chiny",
    "pt": "China", "ro": "China", "ru": "Китай", "sk": "Čína", "sv": "Kina", "th": "จีน",
    "tr": "Çin", "uk": "Китай", "vi": "Trung Quốc", "zh": "中国",
  ]
}

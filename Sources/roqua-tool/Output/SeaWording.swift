import Geocode

/// How a place at sea is written for people: the sea and, within territorial waters, their country.
enum SeaWording {
  /// Such as "Territorial waters of Greece, Aegean Sea"; on the open sea, and around Antarctica,
  /// whose waters are no country's, only the sea. Nil on land.
  static func text(_ place: Place, _ wording: PlaceWording) -> String? {
    guard let sea = place.sea, let code = place.countryCode, code != "AQ",
      let country = wording.textWithoutFlag(code: code, name: place.country)
    else { return place.sea }
    let article = wording.locale == nil && takingArticle.contains(code) ? "the " : ""
    return "Territorial waters of \(article)\(country), \(sea)"
  }

  /// The codes of countries whose English names take an article in a sentence.
  private static let takingArticle: Set<String> = [
    "AE", "AX", "BS", "CC", "CD", "CG", "CK", "DO", "FK", "FO", "GB", "GM", "IM", "IO", "KM", "KY",
    "MH", "MP", "MV", "NL", "PH", "PN", "PS", "SB", "TC", "TF", "UM", "US", "VG", "VI",
  ]
}

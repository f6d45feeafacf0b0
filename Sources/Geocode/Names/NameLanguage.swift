import Geodesy

/// A language in which the data name regions and large cities.
///
/// ```swift
/// if let german = geocoder.language("de-AT") {
///   print(geocoder.place(at: here, in: german).city ?? "")  // München
/// }
/// ```
public struct NameLanguage: Hashable, Sendable {
  /// The BCP 47 tag of the language, such as "de".
  package let tag: String
  /// Its row in the table of languages.
  let row: Int
}

extension Geocoder {
  /// The BCP 47 tags of the languages in which the data name regions and large cities, besides
  /// English, sorted.
  public var languages: [String] {
    guard let names = gazetteer.otherNames else { return [] }
    return (0..<names.languageCount).map(names.tag).filter { $0 != NamesFile.local }
  }

  /// The language of a BCP 47 tag or a locale's identifier: "de", "de-AT" and "de_AT" are all
  /// German. Nil for English, whose names ``place(at:)`` returns, and for a language that the data
  /// do not have.
  ///
  /// Chinese is one language, in the characters that the sources have; so is Norwegian (`no`, `nb`,
  /// `nn`).
  public func language(_ tag: String) -> NameLanguage? {
    guard let names = gazetteer.otherNames else { return nil }
    let first = tag.prefix { $0 != "-" && $0 != "_" }.lowercased()
    let known = Self.otherTags[first] ?? first
    guard known != NamesFile.local, let row = names.row(ofTag: known) else { return nil }
    return NameLanguage(tag: known, row: row)
  }

  /// Other tags of the same languages: those of written Norwegian, and those of before 1989.
  private static let otherTags = ["nb": "no", "nn": "no", "iw": "he", "in": "id"]

  /// The city's name in a language; nil where the data have none or it is the same as in English.
  ///
  /// - Complexity: O(log cities).
  package func name(of city: CityIndex, in language: NameLanguage) -> String? {
    gazetteer.otherName(ofCity: city, language: language.row)
  }

  /// The region's name in a language; nil where the data have none or it is the same as in English.
  ///
  /// - Complexity: O(log regions).
  package func name(of region: RegionIndex, in language: NameLanguage) -> String? {
    otherName(of: region, row: language.row)
  }

  /// The city's name in the language that most people speak there, in its own script: `Köln`,
  /// `東京`. Nil where the data have none or it is the same as in English.
  ///
  /// - Complexity: O(log cities).
  package func localName(of city: CityIndex) -> String? {
    gazetteer.localName(ofCity: city)
  }

  /// The region's name in the language that most people speak there: `Bayern`. Nil where the data
  /// have none or it is the same as in English.
  ///
  /// - Complexity: O(log regions).
  package func localName(of region: RegionIndex) -> String? {
    gazetteer.otherNames?.localRow.flatMap { otherName(of: region, row: $0) }
  }

  /// The place at a position, with region and city in a language as far as the data know them, else
  /// in English. The country's name is English: `Geocoder.place(at:locale:)` of `Roqua`
  /// translates it too.
  public func place(at coordinate: Coordinate, in language: NameLanguage) -> Place {
    let codes = codes(at: coordinate)
    var place = names(of: codes, at: coordinate)
    translate(&place, codes, to: language)
    return place
  }

  /// Replaces the names of the region and the city of these codes.
  package func translate(_ place: inout Place, _ codes: PlaceCodes, to language: NameLanguage) {
    if let name = codes.region.flatMap({ self.name(of: $0, in: language) }) { place.region = name }
    if let name = codes.city.flatMap({ self.name(of: $0, in: language) }) { place.city = name }
  }

  private func otherName(of region: RegionIndex, row: Int) -> String? {
    Int(region.rawValue) < gazetteer.places.admin1Count
      ? gazetteer.otherName(ofRegion: region.rawValue, language: row) : nil
  }
}

extension Geocoder {
  /// The ISO 3166-1 alpha-3 code of a country, such as "TUR"; Kosovo is "XKX", which is not ISO's.
  /// Nil if the code is not in use.
  package func alpha3Code(of country: CountryIndex) -> String? {
    let places = gazetteer.places
    return places.countryRow(country.rawValue).flatMap(places.countryAlpha3(inRow:))
  }

  /// The continent of a country: AF, AN (Antarctica), AS, EU, NA, OC or SA. A country on two
  /// continents is on one of them: Russia on EU, Türkiye on AS. Nil if the code is not in use.
  package func continent(of country: CountryIndex) -> String? {
    let places = gazetteer.places
    return places.countryRow(country.rawValue).flatMap(places.continent(inRow:))
  }

  /// The country of an ISO 3166-1 alpha-3 code in any case; nil if no country has it.
  ///
  /// - Complexity: O(countries).
  package func country(alpha3Code code: String) -> CountryIndex? {
    let places = gazetteer.places
    let wanted = code.uppercased()
    guard wanted.utf8.count == 3 else { return nil }
    let row = (0..<places.countryCount).first { places.countryAlpha3(inRow: $0) == wanted }
    return row.flatMap { CountryIndex(rawValue: places.country(inRow: $0)) }
  }

  /// The ISO 3166-2 code of the first-level division of these codes, such as "DE-BY"; nil if ISO
  /// has none for it.
  ///
  /// ```swift
  /// print(geocoder.regionCode(of: geocoder.codes(at: here)) ?? "no code")
  /// ```
  package func regionCode(of codes: PlaceCodes) -> String? { codes.region.flatMap(code(of:)) }

  /// The ISO 3166-2 code of a first-level division; nil if ISO has none for it.
  package func code(of region: RegionIndex) -> String? {
    guard Int(region.rawValue) < gazetteer.places.admin1Count, let country = country(of: region)
    else { return nil }
    let suffix = gazetteer.places.admin1Suffix(region.rawValue)
    return suffix.packed == 0 ? nil : "\(country.code)-\(suffix.text)"
  }

  /// The first-level divisions of an ISO 3166-2 code in any case: one, or none if no division has
  /// it. Two if the data has a part of a division under a name of its own.
  ///
  /// - Complexity: O(divisions).
  package func regions(code: String) -> [RegionIndex] {
    guard let (country, suffix) = Self.parts(ofRegionCode: code) else { return [] }
    let places = gazetteer.places
    return (0..<UInt16(places.admin1Count)).filter {
      places.admin1Suffix($0) == suffix && places.admin1Country($0) == country.rawValue
    }.map(RegionIndex.init(rawValue:))
  }

  /// Returns whether a text has the form of an ISO 3166-2 code: two letters, a hyphen, and one to
  /// three letters and digits.
  package static func isRegionCode(_ text: String) -> Bool { parts(ofRegionCode: text) != nil }

  private static func parts(
    ofRegionCode text: String
  ) -> (country: CountryIndex, suffix: SubdivisionSuffix)? {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let country = CountryIndex(code: String(parts[0])),
      let suffix = SubdivisionSuffix(parts[1])
    else { return nil }
    return (country, suffix)
  }
}

/// A continent, by the code of the geodata.
package enum Continent: String, CaseIterable, Sendable {
  case africa = "AF"
  case antarctica = "AN"
  case asia = "AS"
  case europe = "EU"
  case northAmerica = "NA"
  case oceania = "OC"
  case southAmerica = "SA"

  /// Its number, from 1.
  package var number: UInt8 { UInt8((Self.allCases.firstIndex(of: self) ?? 0) + 1) }
}

/// The number of a country: 1 for `AA`, 2 for `AB`, and so on.
package enum CountryNumber {
  /// Returns the number of an ISO 3166-1 code of two capital letters; nil for any other text.
  package static func of(_ code: String) -> UInt16? {
    let letters = Array(code.utf8)
    guard letters.count == 2, letters.allSatisfy({ (0x41...0x5A).contains($0) }) else { return nil }
    return UInt16(letters[0] - 0x41) * 26 + UInt16(letters[1] - 0x41) + 1
  }
}

import Foundation
import SeededRandom
import TestSupport
import Testing

@testable import Geocode

/// Names as users type them.
@Suite struct NameSearchTests {
  let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  private func folded(_ name: String) -> String {
    String(decoding: NameFolding.fold(name), as: UTF8.self)
  }

  @Test(arguments: [
    ("İstanbul", "istanbul"), ("ISTANBUL", "istanbul"), ("ıstanbul", "istanbul"),
    ("Łódź", "lodz"), ("Tromsø", "tromso"), ("Đà Nẵng", "da nang"), ("Großräschen", "grossraschen"),
    ("Þingeyri", "thingeyri"), ("Århus", "arhus"), ("Æbeltoft", "aebeltoft"), ("Œuilly", "oeuilly"),
    ("Clermont-Ferrand", "clermont ferrand"), ("  St.  Gallen ", "st gallen"), ("Xi'an", "xian"),
    ("Xi’an", "xian"), ("Frankfurt (Oder)", "frankfurt oder"), ("Ｔｏｋｙｏ", "tokyo"),
    ("Αθήνα", "αθηνα"), ("ΑΘΗΝΑ", "αθηνα"), ("Йошкар-Ола", "иошкар ола"), ("東京", "東京"),
    ("e\u{301}t\u{65}\u{301}", "ete"), ("Gəncə", "gence"), ("Hawaiʻi", "hawaii"), ("", ""),
    ("--", ""),
  ])
  func `case, accents and punctuation are ignored`(name: String, expected: String) {
    #expect(folded(name) == expected)
    #expect(folded(expected) == expected, "folding twice is folding once")
  }

  @Test func `an umlaut can be spelled out in the query or in the name`() {
    for name in ["München", "munchen", "Muenchen", "MÜNCHEN", "Mu\u{308}nchen"] {
      #expect(NameQuery(name).matches("München"), "\(name)")
    }
    #expect(NameQuery("München").matches("Muenchen"))
    #expect(NameQuery("Aarhus").matches("Århus"))
    #expect(!NameQuery("Muenchen").matches("Munchen"), "plain letters do not match an umlaut")
    #expect(!NameQuery("").matches(""))
  }

  /// The expected result from Foundation's Unicode tables, for letters with an accent.
  private static func oracle(_ name: String) -> String {
    var text = name.lowercased()
    for (letter, plain) in [
      ("ß", "ss"), ("æ", "ae"), ("œ", "oe"), ("ø", "o"), ("ł", "l"), ("đ", "d"), ("ð", "d"),
      ("þ", "th"), ("ı", "i"), ("ħ", "h"), ("ə", "e"), ("ŋ", "n"), ("ŧ", "t"),
    ] { text = text.replacingOccurrences(of: letter, with: plain) }
    let bare = text.decomposedStringWithCanonicalMapping.unicodeScalars.filter {
      !(0x300...0x36F).contains($0.value)
    }
    let apostrophes = Set("'’‘`ʻʼʿʾ′´ʹ".unicodeScalars)
    let words = String(String.UnicodeScalarView(bare.filter { !apostrophes.contains($0) }))
    return words.split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
  }

  @Test func `every city name in the data is folded as Unicode's tables define`() {
    var different: [String] = []
    for number in 0..<geocoder.cityCount {
      guard let name = geocoder.city(number).flatMap(geocoder.name(of:)) else { continue }
      if folded(name) != Self.oracle(name) { different.append(name) }
    }
    // Modifier letters and letters with hooks and bars that Unicode does not decompose.
    #expect(different.count < 60, "\(different.count): \(different.prefix(40))")
  }

  @Test(arguments: Seeds.sample(3))
  func `a city search equals a scan of all names`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let all = (0..<geocoder.cityCount).compactMap { geocoder.city($0) }
      .filter { !geocoder.isPartOfCity($0) }
    let names = all.map { city in
      let name = geocoder.name(of: city) ?? ""
      let spelledOut = String(decoding: NameFolding.fold(name, spellingOut: true), as: UTF8.self)
      return (city: city, folded: folded(name), spelledOut: spelledOut)
    }
    for _ in 0..<6 {
      let wanted = try #require(all.randomElement(using: &random))
      let name = try #require(geocoder.name(of: wanted))
      for typed in [name, name.uppercased(), name.lowercased(), folded(name)] {
        let query = NameQuery(typed)
        let spellings = Set(query.spellings.map { String(decoding: $0, as: UTF8.self) })
        let found = geocoder.cities(named: query)
        #expect(found.contains(wanted), "\(typed)")
        #expect(
          found.map { geocoder.population(of: $0) }
            == found.map { geocoder.population(of: $0) }.sorted(by: >))
        let expected = names.filter { entry in
          spellings.contains(entry.folded) || spellings.contains(entry.spelledOut)
        }
        #expect(Set(found) == Set(expected.map(\.city)), "\(typed)")
        let country = try #require(geocoder.country(of: wanted))
        #expect(
          Set(geocoder.cities(named: query, in: country))
            == Set(found.filter { geocoder.country(of: $0) == country }))
      }
    }
  }

  @Test func `every country is found by its code and by its name, and nothing else is`() {
    for country in geocoder.countries {
      let name = geocoder.name(of: country) ?? ""
      for typed in [country.code, country.code.lowercased(), name, name.uppercased(), folded(name)]
      {
        #expect(geocoder.countries(named: NameQuery(typed)) == [country], "\(typed)")
      }
    }
    for (typed, code) in [
      ("USA", "US"), ("uk", "GB"), ("Turkey", "TR"), ("Holland", "NL"),
      ("cote d'ivoire", "CI"), ("burma", "MM"), ("Viet Nam", "VN"),
      ("U.S.", "US"), ("U.S.A.", "US"), ("The United States", "US"), ("the U.K.", "GB"),
      (" fr ", "FR"), (" france ", "FR"), ("the Åland Islands", "AX"), ("St. Lucia", "LC"),
      ("Hong Kong SAR China", "HK"), ("Republic of Congo", "CG"),
      ("Democratic Republic of Congo", "CD"),
    ] {
      #expect(geocoder.countries(named: NameQuery(typed)).map(\.code) == [code], "\(typed)")
    }
    #expect(geocoder.countries(named: NameQuery("XX")).isEmpty)
    #expect(geocoder.countries(named: NameQuery("")).isEmpty)
  }

  @Test func `every alternative country name belongs to exactly one country`() throws {
    var seen: [String: String] = [:]
    for entry in CountryAliases.names {
      let country = try #require(CountryIndex(code: entry.code))
      #expect(geocoder.name(of: country) != nil, "\(entry.code)")
      for name in entry.names {
        if name.utf8.count == 2 { continue }
        #expect(geocoder.countries(named: NameQuery(name)) == [country], "\(name)")
        #expect(seen.updateValue(entry.code, forKey: folded(name)) == nil, "\(name)")
      }
    }
  }

  @Test func `countries are found by words of their English names`() {
    func codes(_ words: String) -> [String] {
      geocoder.countries(withWords: NameQuery(words)).map(\.code)
    }
    #expect(codes("congo") == ["CD", "CG"])
    #expect(codes("KOREA") == ["KP", "KR"])
    #expect(codes("oman") == ["OM"], "not Romania")
    #expect(codes("Guiana") == ["GF"])
    #expect(codes("").isEmpty)
  }

  @Test func `each city in the alias table is one large city in the data`() throws {
    for entry in CityAliases.names {
      let country = try #require(CountryIndex(code: entry.code))
      let found = entry.names.flatMap { geocoder.cities(named: NameQuery($0), in: country) }
      let large = Set(found.filter { geocoder.population(of: $0) > 30_000 })
      #expect(large.count == 1, "\(entry.names)")
      for name in entry.names {
        let query = NameQuery(name)
        let others = CityAliases.others(than: query, in: country)
        #expect(others.allSatisfy { $0.country == country })
        #expect(others.map(\.name.text) == entry.names.filter { !query.matches($0) }, "\(name)")
      }
    }
    let fiji = try #require(CountryIndex(code: "FJ"))
    #expect(CityAliases.others(than: NameQuery("Roma"), in: fiji).isEmpty)
    #expect(CityAliases.others(than: NameQuery("roma")).map(\.name.text) == ["Rome", "Rom"])
  }

  @Test func `the suggestions for a misspelled name are the most similar names`() {
    func guesses(_ text: String) -> [String] {
      var guesses = NameGuesses(for: text)
      geocoder.suggestCountries(to: &guesses, for: text)
      return guesses.best
    }
    #expect(guesses("Germny").first == "Germany (DE)")
    #expect(guesses("Farnce").first == "France (FR)")
    #expect(guesses("korea") == ["North Korea (KP)", "South Korea (KR)"])
    #expect(Set(guesses("congo")).isSuperset(of: ["Republic of the Congo (CG)"]))
    #expect(guesses("XX").contains("Kosovo (XK)"))
    #expect(guesses("zzzzzzzz").isEmpty)
    var cities = NameGuesses(for: "Instanbul")
    geocoder.suggestCities(to: &cities, in: nil)
    #expect(cities.best.first == "Istanbul (Türkiye)")
    cities = NameGuesses(for: "Nizhny")
    geocoder.suggestCities(to: &cities, in: nil)
    #expect(cities.best.first == "Nizhny Novgorod (Russia)")
  }
}

/// The edit distance between words.
@Suite struct EditDistanceTests {
  /// The definition, by recursion.
  private static func oracle(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Int {
    if first.isEmpty || second.isEmpty { return max(first.count, second.count) }
    let (a, b) = (Array(first), Array(second))
    var best = oracle(first.dropLast(), second.dropLast()) + (a.last == b.last ? 0 : 1)
    best = min(best, oracle(first.dropLast(), second) + 1, oracle(first, second.dropLast()) + 1)
    if a.count > 1, b.count > 1, a[a.count - 1] == b[b.count - 2], a[a.count - 2] == b[b.count - 1]
    {
      best = min(best, oracle(first.dropLast(2), second.dropLast(2)) + 1)
    }
    return best
  }

  @Test(arguments: Seeds.sample(4))
  func `the distance is the smallest number of changes, up to the limit`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<300 {
      func word() -> [UInt8] {
        (0..<Int.random(in: 0...6, using: &random)).map { _ in
          UInt8.random(in: 97...99, using: &random)
        }
      }
      let (first, second) = (word(), word())
      let expected = Self.oracle(first[...], second[...])
      for limit in 0...4 {
        #expect(
          EditDistance.between(first, second, atMost: limit)
            == (expected <= limit ? expected : nil),
          "\(first) \(second) \(limit)")
      }
    }
  }
}

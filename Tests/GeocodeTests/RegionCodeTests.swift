import Geodesy
import TestSupport
import Testing

@testable import Geocode

/// ISO codes of regions and countries.
@Suite struct RegionCodeTests {
  let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  /// Seats and well-known towns with the code that ISO 3166-2 gives their first-level division, as
  /// gazetteers and atlases have it; nothing here was looked up in the data.
  ///
  /// Levels where there are several: the states of federations; ENG, SCT, WLS and NIR in the United
  /// Kingdom; regions in France, Italy, Belgium, Finland, Denmark, Czechia and the Philippines;
  /// autonomous communities in Spain; provinces in Ireland.
  static let known: [(latitude: Double, longitude: Double, code: String)] = [
    (37.7749, -122.4194, "US-CA"), (40.7128, -74.0060, "US-NY"), (38.9072, -77.0369, "US-DC"),
    (47.6062, -122.3321, "US-WA"), (21.3069, -157.8583, "US-HI"), (43.6532, -79.3832, "CA-ON"),
    (46.8139, -71.2080, "CA-QC"), (19.4326, -99.1332, "MX-CMX"), (19.2826, -99.6557, "MX-MEX"),
    (-23.5505, -46.6333, "BR-SP"), (-22.9068, -43.1729, "BR-RJ"), (-34.6037, -58.3816, "AR-C"),
    (-34.9215, -57.9545, "AR-B"), (-33.4489, -70.6693, "CL-RM"), (4.7110, -74.0721, "CO-DC"),
    (-13.5320, -71.9675, "PE-CUS"), (48.1372, 11.5755, "DE-BY"), (52.5200, 13.4050, "DE-BE"),
    (53.5511, 9.9937, "DE-HH"), (50.9375, 6.9603, "DE-NW"), (48.8566, 2.3522, "FR-IDF"),
    (48.5734, 7.7521, "FR-GES"), (41.9192, 8.7386, "FR-20R"), (51.5074, -0.1278, "GB-ENG"),
    (55.9533, -3.1883, "GB-SCT"), (51.4816, -3.1791, "GB-WLS"), (54.5973, -5.9301, "GB-NIR"),
    (53.3498, -6.2603, "IE-L"), (41.0082, 28.9784, "TR-34"), (39.9334, 32.8597, "TR-06"),
    (40.4168, -3.7038, "ES-MD"), (41.3874, 2.1686, "ES-CT"), (41.9028, 12.4964, "IT-62"),
    (45.4642, 9.1900, "IT-25"), (38.7223, -9.1393, "PT-11"), (52.3676, 4.9041, "NL-NH"),
    (50.8503, 4.3517, "BE-BRU"), (51.2194, 4.4025, "BE-VLG"), (48.2082, 16.3738, "AT-9"),
    (47.3769, 8.5417, "CH-ZH"), (46.2044, 6.1432, "CH-GE"), (59.9139, 10.7522, "NO-03"),
    (69.6492, 18.9553, "NO-55"), (69.9689, 23.2716, "NO-56"), (59.2181, 10.9298, "NO-31"),
    (59.2096, 9.6090, "NO-40"), (60.3913, 5.3221, "NO-46"), (59.3293, 18.0686, "SE-AB"),
    (55.6761, 12.5683, "DK-84"), (60.1699, 24.9384, "FI-18"), (52.2297, 21.0122, "PL-14"),
    (50.0755, 14.4378, "CZ-10"), (47.4979, 19.0402, "HU-BU"), (42.6977, 23.3219, "BG-22"),
    (50.4501, 30.5234, "UA-30"), (55.7558, 37.6173, "RU-MOW"), (59.9311, 30.3609, "RU-SPE"),
    (43.2220, 76.8512, "KZ-75"), (45.0177, 78.3804, "KZ-33"), (51.1694, 71.4491, "KZ-71"),
    (35.6762, 139.6503, "JP-13"), (43.0618, 141.3545, "JP-01"), (39.9042, 116.4074, "CN-BJ"),
    (31.2304, 121.4737, "CN-SH"), (37.5665, 126.9780, "KR-11"), (25.0330, 121.5654, "TW-TPE"),
    (21.0278, 105.8342, "VN-HN"), (10.7769, 106.7009, "VN-SG"), (16.4637, 107.5909, "VN-26"),
    (13.7563, 100.5018, "TH-10"), (-6.2088, 106.8456, "ID-JK"), (-8.4960, 140.4043, "ID-PS"),
    (14.5995, 120.9842, "PH-00"), (28.6139, 77.2090, "IN-DL"), (19.0760, 72.8777, "IN-MH"),
    (20.2961, 85.8245, "IN-OD"), (17.3850, 78.4867, "IN-TS"), (34.1526, 77.5771, "IN-LA"),
    (27.7172, 85.3240, "NP-P3"), (35.6892, 51.3890, "IR-23"), (29.5918, 52.5837, "IR-07"),
    (24.7136, 46.6753, "SA-01"), (25.2048, 55.2708, "AE-DU"), (30.0444, 31.2357, "EG-C"),
    (33.5731, -7.5898, "MA-06"), (36.7538, 3.0588, "DZ-16"), (6.5244, 3.3792, "NG-LA"),
    (-1.2921, 36.8219, "KE-30"), (-33.9249, 18.4241, "ZA-WC"), (-26.2041, 28.0473, "ZA-GP"),
    (9.0300, 38.7400, "ET-AA"), (-33.8688, 151.2093, "AU-NSW"), (-37.8136, 144.9631, "AU-VIC"),
    (-36.8485, 174.7633, "NZ-AUK"), (64.1466, -21.9426, "IS-1"), (-18.1416, 178.4419, "FJ-C"),
  ]

  @Test(arguments: known)
  func `a well-known town has the code of its division`(
    latitude: Double, longitude: Double, code: String
  ) {
    let place = geocoder.place(at: Coordinate(latitude, longitude))
    #expect(place.regionCode == code, "\(place.region ?? "no region")")
  }

  @Test func `every code has the prefix of its country, and at most two divisions have it`() {
    var counts: [String: Int] = [:]
    var countries: Set<String> = []
    for row in 0..<UInt16(geocoder.gazetteer.places.admin1Count) {
      let region = RegionIndex(rawValue: row)
      guard let code = geocoder.code(of: region) else { continue }
      let country = geocoder.country(of: region)?.code
      #expect(code.hasPrefix("\(country ?? "none")-"))
      #expect(code.utf8.count >= 4 && code.utf8.count <= 6)
      #expect(geocoder.regions(code: code.lowercased()).contains(region))
      counts[code, default: 0] += 1
      countries.insert(String(code.prefix(2)))
    }
    #expect(counts.values.allSatisfy { $0 <= 2 })
    #expect(counts.values.reduce(0, +) >= 3_500)
    #expect(counts.values.filter { $0 == 2 }.count <= 6)
    #expect(countries.count >= 190)
  }

  @Test func `a division that ISO does not list has no code`() {
    // Antananarivo: ISO has Madagascar's former provinces. Ramallah: ISO has the governorates.
    // San Juan: ISO has the municipalities of Puerto Rico nowhere. Pristina: ISO has no Kosovo.
    for (latitude, longitude) in [
      (-18.8792, 47.5079), (31.9038, 35.2034), (18.4655, -66.1057), (42.6629, 21.1655),
    ] {
      let place = geocoder.place(at: Coordinate(latitude, longitude))
      #expect(place.region != nil)
      #expect(place.regionCode == nil)
    }
  }

  @Test func `codes that no division has, or that are no codes, find nothing`() {
    for text in [
      "DE-XX", "DE", "DE-", "-BY", "DE-BAYE", "DE-BY-1", "D-BY", "DE BY", "DE-B Y", "",
      "DE-É", "XX-01", "\u{FF24}E-BY",
    ] {
      #expect(geocoder.regions(code: text).isEmpty, "\(text)")
    }
    #expect(geocoder.regions(code: "de-by").compactMap(geocoder.name(of:)) == ["Bavaria"])
    #expect(Geocoder.isRegionCode("xx-9") && !Geocoder.isRegionCode("Ad-Dakhla"))
  }

  @Test func `a suffix is the number that sorts like its text, and nothing else is valid`() {
    let characters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ").map(String.init)
    var texts = characters
    for first in characters {
      for second in characters {
        texts.append(first + second)
        if first < "5" { texts += characters.map { first + second + $0 } }
      }
    }
    texts += ["ZZZ", "ENG", "20R"]
    var valid: Set<UInt16> = [0]
    var numbers: [(String, UInt16)] = []
    for text in Set(texts) {
      guard let suffix = SubdivisionSuffix(text) else {
        Issue.record("\(text) makes no suffix")
        continue
      }
      #expect(suffix.isValid && suffix.text == text)
      #expect(SubdivisionSuffix(text.lowercased()) == suffix)
      valid.insert(suffix.packed)
      numbers.append((text, suffix.packed))
    }
    numbers.sort { $0.1 < $1.1 }
    #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $0.0 < $1.0 && $0.1 < $1.1 })
    for packed in UInt16.min...UInt16.max {
      let suffix = SubdivisionSuffix(packed: packed)
      guard suffix.isValid, packed != 0 else { continue }
      #expect(SubdivisionSuffix(suffix.text) == suffix)
    }
    #expect(valid.allSatisfy { SubdivisionSuffix(packed: $0).isValid })
    for wrong in ["", "ABCD", "A-", "Ä", " A"] { #expect(SubdivisionSuffix(wrong) == nil) }
  }

  @Test func `every country has an alpha-3 code of its own and a continent`() throws {
    var codes: Set<String> = []
    for country in geocoder.countries {
      let code = try #require(geocoder.alpha3Code(of: country))
      #expect(code.utf8.count == 3 && codes.insert(code).inserted)
      #expect(geocoder.country(alpha3Code: code.lowercased()) == country)
      let continent = try #require(geocoder.continent(of: country))
      #expect(["AF", "AN", "AS", "EU", "NA", "OC", "SA"].contains(continent))
    }
    for (code, alpha3, continent) in [
      ("DE", "DEU", "EU"), ("TR", "TUR", "AS"), ("RU", "RUS", "EU"), ("US", "USA", "NA"),
      ("BR", "BRA", "SA"), ("ZA", "ZAF", "AF"), ("AU", "AUS", "OC"), ("AQ", "ATA", "AN"),
      ("XK", "XKX", "EU"), ("CH", "CHE", "EU"), ("GB", "GBR", "EU"), ("AE", "ARE", "AS"),
    ] {
      let country = try #require(CountryIndex(code: code))
      #expect(geocoder.alpha3Code(of: country) == alpha3)
      #expect(geocoder.continent(of: country) == continent)
    }
    #expect(geocoder.country(alpha3Code: "ZZZ") == nil)
    #expect(geocoder.alpha3Code(of: try #require(CountryIndex(code: "ZZ"))) == nil)
    #expect(geocoder.continent(of: try #require(CountryIndex(code: "ZZ"))) == nil)
  }

  @Test func `the codes of an answer are those of its country and division`() throws {
    let munich = Coordinate(48.1372, 11.5755)
    let place = geocoder.place(at: munich)
    #expect(place.countryCode == "DE" && place.countryCodeAlpha3 == "DEU")
    #expect(place.continent == "EU" && place.regionCode == "DE-BY")
    #expect(geocoder.regionCode(of: geocoder.codes(at: munich)) == "DE-BY")
    #expect(geocoder.regionCode(of: .none) == nil)
  }
}

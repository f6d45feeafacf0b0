import Geocode
import Geodesy
import TestSupport
import Testing

@Suite struct KnownPlacesTests {
  let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  /// Positions from public issue threads at which other geocoders returned the wrong country.
  static let countries: [(latitude: Double, longitude: Double, code: String?)] = [
    (48.8596589, -113.4360082, "US"), (46.601255, 10.422899, "CH"), (42.2084833, -83.0980528, "CA"),
    (49.4787, 5.9640, "FR"), (49.4698, 5.9305, "FR"), (49.5197, 5.7636, "FR"),
    (49.6837, 5.8166, "BE"), (49.5636, 5.8308, "BE"), (50.8514, 5.6910, "NL"),
    (49.711950, 18.641700, "CZ"), (26.279, 73.047, "IN"), (27.036, 88.263, "IN"),
    (26.882, 88.291, "IN"),
    (59.934, 30.331, "RU"), (-25.3, 27.1, "ZA"), (47.6973, 8.6910, "DE"),
    (58.9696274, 5.7324723, "NO"),
    (40, -73, nil),
  ]

  @Test(arguments: countries)
  func `the country is right where other geocoders were wrong`(
    latitude: Double, longitude: Double, code: String?
  ) throws {
    let coordinate = try Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    #expect(geocoder.countryIndex(at: coordinate)?.code == code)
    #expect(geocoder.place(at: coordinate).countryCode == code)
  }

  @Test func `on the open sea a place has only a sea and a time zone`() {
    #expect(
      geocoder.place(at: Coordinate(40, -73))
        == Place(timeZone: "Etc/GMT+5", sea: "North Atlantic Ocean"))
    #expect(geocoder.codes(at: Coordinate(40, -73)) == .none)
  }

  @Test func `a village between larger towns is the city`() {
    #expect(geocoder.place(at: Coordinate(48.48703078, 13.43796479)).city == "Vornbach")
  }

  /// The published table: docs/decisions/disputed-areas.md.
  static let disputed: [(String, Double, Double, String?)] = [
    ("Crimea", 45.2, 34.3, "UA"), ("Western Sahara", 24.5, -13.5, "EH"),
    ("Northern Cyprus", 35.25, 33.5, "CY"),
    ("Hargeisa", 9.56, 44.06, "SO"), ("Golan", 33.0, 35.75, "IL"), ("Hebron", 31.53, 35.09, "PS"),
    ("Ariel", 32.105, 35.18, "PS"), ("Hala'ib", 22.4, 36.2, "EG"), ("Bir Tawil", 21.87, 33.75, nil),
    ("Sukhumi", 43.0, 41.02, "GE"), ("Tskhinvali", 42.225, 43.97, "GE"),
    ("Tiraspol", 46.84, 29.63, "MD"),
    ("Donetsk", 48.0, 37.8, "UA"), ("Arunachal", 28.0, 95.0, "IN"),
    ("Aksai Chin", 35.2, 79.3, "CN"),
    ("Gilgit", 35.92, 74.31, "PK"), ("Kunashir", 44.1, 145.85, "RU"), ("Abyei", 9.6, 28.43, "SS"),
    ("Guantanamo Bay", 19.92, -75.14, "CU"), ("Baikonur", 45.62, 63.32, "KZ"),
    ("Taipei", 25.04, 121.56, "TW"),
    ("Hong Kong", 22.3, 114.17, "HK"), ("Pristina", 42.66, 21.16, "XK"),
    ("Mitrovica", 42.89, 20.87, "XK"),
    ("Niš", 43.32, 21.9, "RS"), ("Hanoi", 21.03, 105.85, "VN"), ("Vinh", 18.67, 105.69, "VN"),
    ("Bangkok", 13.75, 100.5, "TH"), ("Ürümqi", 43.8, 87.6, "CN"), ("Cayenne", 4.93, -52.33, "GF"),
    ("South Pole", -90, 0, "AQ"), ("McMurdo", -77.85, 166.7, "AQ"), ("Weddell Sea", -68, -40, nil),
    ("Ross Sea", -70, -170, nil), ("Antarctic Peninsula", -63.5, -58, "AQ"),
    ("South Shetland", -62.6, -60.3, "AQ"),
    ("Jan Mayen", 71, -8.4, "SJ"), ("Johnston Atoll", 16.73, -169.53, "UM"),
    ("Bouvet", -54.42, 3.36, "BV"),
    ("Heard", -53.1, 73.5, "HM"), ("Clipperton", 10.3, -109.22, "FR"),
    ("Ashmore", -12.433, 123.586, "AU"),
    ("Senkaku", 25.745, 123.48, nil), ("Navassa", 18.4, -75.01, "UM"),
    ("Itu Aba", 10.377, 114.366, nil), ("Thitu", 11.054, 114.285, nil),
    ("Scarborough", 15.13, 117.76, nil),
  ]

  @Test(arguments: disputed)
  func `disputed areas follow the published table`(
    name: String, latitude: Double, longitude: Double, code: String?
  ) throws {
    let coordinate = try Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    #expect(geocoder.countryIndex(at: coordinate)?.code == code, "\(name)")
  }

  @Test func `a lookup returns all parts of a place`() throws {
    let place = geocoder.place(at: Coordinate(41.0082, 28.9784))
    #expect(place.countryCode == "TR")
    #expect(place.country == "Türkiye")
    #expect(place.region == "Istanbul")
    #expect(place.city == "Istanbul")
    #expect(place.timeZone == "Europe/Istanbul")
    #expect(try #require(place.cityDistanceMeters) < 25_000)
  }

  /// Divisions without a name, a code or a place in the lists of GeoNames.
  @Test(arguments: [
    ("Tbilisi", 41.7151, 44.8271, "Tbilisi"), ("Minsk", 53.9, 27.5667, "Minsk"),
    ("Singapore", 1.2903, 103.8519, "Central Singapore"), ("Monaco", 43.7384, 7.4246, "Monaco"),
    ("Maseru", -29.32, 27.48, "Maseru"),
    ("Greenland's ice", 72.5, -40, "Nationalparken"),
    ("Lord Howe", -31.55, 159.08, "Lord Howe Island"), ("Bartica", 6.4, -58.62, "Cuyuni-Mazaruni"),
    ("the south of Monaco", 43.729, 7.419, "Monaco"),
    ("Rumelange", 49.46, 6.03, "Esch-sur-Alzette"),
    ("Western Sahara, far from all", 24.5, -13.5, "Western Sahara"),
    ("Svalbard's waters", 76.45, 16, "Svalbard"),
    ("Dakhla", 23.7, -15.94, "Western Sahara"), ("Tata, beside it", 29.75, -7.97, "Souss-Massa"),
  ])
  func `a region has a name even if GeoNames has none`(
    name: String, latitude: Double, longitude: Double, region: String
  ) throws {
    let codes = geocoder.codes(at: Coordinate(latitude, longitude))
    let found = try #require(codes.region, "\(name)")
    #expect(geocoder.name(of: found) == region)
    if let city = codes.city { #expect(geocoder.region(of: city) == found, "\(name)") }
  }

  /// Bands next to a border along the edge of a cell; they had the neighbor's label.
  @Test func `both sides of a border along the edge of a cell have their own label`() throws {
    for longitude in stride(from: 25.01, to: 25.25, by: 0.01) {
      #expect(geocoder.countryIndex(at: Coordinate(20.73, longitude))?.code == "SD")
    }
    for longitude in stride(from: 141.01, to: 141.25, by: 0.01) {
      let place = geocoder.place(at: Coordinate(-28.9, longitude))
      #expect(place.timeZone == "Australia/Brisbane")
    }
    // The border with Ouadaï crosses 20.3° E at 14.44° N.
    for latitude in stride(from: 14.45, to: 15.0, by: 0.05) {
      #expect(geocoder.place(at: Coordinate(latitude, 20.3)).region == "Wadi Fira")
    }
    #expect(geocoder.place(at: Coordinate(14.35, 20.3)).region == "Ouadaï")
  }

  /// Divisions newer than the polygons: docs/geocode-accuracy.md.
  @Test(arguments: [
    ("Haiphong", 20.86, 106.68, "Haiphong"), ("Da Nang", 16.05, 108.2, "Da Nang"),
    ("Gitega", -3.43, 29.93, "Gitega"), ("Shymkent", 42.31, 69.6, "Shymkent"),
    ("desert of Anbar", 33.08, 39.21, "Al Anbar"), ("Boende", -0.28, 20.88, "Tshuapa"),
    ("Kenge", -4.8, 17.03, "Kwango"), ("Ménaka", 15.92, 2.4, "Ménaka"),
    ("Banqiao", 25.01, 121.46, "New Taipei"), ("Leh", 34.16, 77.58, "Ladakh"),
    ("Mymensingh", 24.75, 90.4, "Mymensingh"), ("Kasane", -17.8, 25.15, "Chobe"),
    ("Busan", 35.1, 129.04, "Busan"), ("Rundu", -17.93, 19.77, "Kavango East"),
    ("Socotra", 12.5, 53.9, "Socotra"), ("Dambai", 8.07, 0.18, "Oti"),
    ("Nakhchivan", 39.2, 45.4, "Nakhchivan"), ("Kaohsiung", 22.63, 120.3, "Kaohsiung"),
    ("Amami", 28.37, 129.49, "Kagoshima"), ("Caracas", 10.5, -66.9, "Capital District"),
    ("Port Loko", 8.77, -12.79, "North West Province"),
    ("Mombasa, off the coast of 1:10 million", -4.0547, 39.6636, "Mombasa County"),
    ("Altay, coded wrong", 47.84, 88.13, "Xinjiang"),
    ("Tampines", 1.349, 103.95, "North East"), ("Fahud", 22.35, 56.49, "Ad Dhahirah"),
    ("Kaashidhoo", 4.957, 73.462, "Kaafu Atoll"), ("Lolua", -5.669, 176.119, "Nanumea"),
    ("Bbaale", 0.96, 32.87, "Central Region"), ("Ga-Rankuwa", -25.617, 27.995, "Gauteng"),
    ("Budapest's east", 47.473, 19.262, "Budapest"), ("Xudun", 9.15, 47.48, "Sool"),
    ("Cocuq Mərcanlı", 39.381, 47.305, "Cəbrayıl"),
    ("Birgunj", 27.017, 84.88, "Madhesh"), ("Kalaiya", 27.033, 84.998, "Madhesh"),
    ("Salyan", 28.375, 82.16, "Karnali"), ("Tuzla", 40.816, 29.303, "Istanbul"),
    ("Leerdam", 51.893, 5.092, "Utrecht"), ("Habo", 57.91, 14.07, "Jönköping"),
    ("Lanco", -39.45, -72.78, "Los Ríos"), ("Zliten", 32.467, 14.569, "Misrata"),
    ("Fernando de Noronha", -3.85, -32.41, "Pernambuco"),
  ])
  func `a region follows today's administrative divisions`(
    name: String, latitude: Double, longitude: Double, region: String
  ) {
    #expect(geocoder.place(at: Coordinate(latitude, longitude)).region == region, "\(name)")
  }

  /// Towns that the list has in another division than where they are, and towns away from the rest
  /// of their division.
  @Test(arguments: [
    ("Thika", -1.0333, 37.0693, "Kiambu County"), ("Zvishavane", -20.327, 30.066, "Midlands"),
    ("Esna", 25.2934, 32.554, "Luxor"), ("Midelt", 32.6852, -4.7451, "Drâa-Tafilalet"),
    ("Krestovsky Island", 59.971, 30.258, "Saint Petersburg"),
    ("Rómaifürdő", 47.577, 19.065, "Budapest"), ("Quezon City", 14.642, 121.018, "Metro Manila"),
    ("Pai", 19.362, 98.44, "Mae Hong Son"), ("Hangzhou", 30.27, 120.15, "Zhejiang"),
    ("Zelenograd", 55.983, 37.181, "Moscow"), ("Masfout", 24.811, 56.107, "Ajman"),
    ("Kotsiubynske", 50.488, 30.33, "Kyiv Oblast"), ("Than Uyên", 21.959, 103.88, "Lai Châu"),
  ])
  func `a town is where it is, whatever a list says`(
    name: String, latitude: Double, longitude: Double, region: String
  ) {
    #expect(geocoder.place(at: Coordinate(latitude, longitude)).region == region, "\(name)")
  }

  /// The word for the kind of a division is left out where other regions of the country have none.
  @Test(arguments: [
    ("Bursa", 40.19, 29.06, "Bursa"), ("Edirne", 41.677, 26.556, "Edirne"),
    ("Iași", 47.16, 27.59, "Iași"), ("Lublin", 51.25, 22.57, "Lublin"),
    ("Kano", 12.0, 8.52, "Kano"), ("Kigali", -1.95, 30.06, "Kigali"),
    ("Rwamagana", -1.95, 30.43, "Eastern Province"), ("Zagreb", 45.81, 15.98, "Zagreb"),
    ("Mainz", 49.99, 8.25, "Rhineland-Palatinate"), ("Berlin", 52.52, 13.405, "Berlin"),
    ("Kehl", 48.576, 7.815, "Baden-Württemberg"), ("Kobe", 34.69, 135.19, "Hyogo"),
    ("České Budějovice", 48.975, 14.475, "South Bohemia"), ("Brno", 49.2, 16.61, "South Moravia"),
    ("Jeonju", 35.82, 127.15, "North Jeolla"), ("Toledo", 39.86, -4.02, "Castilla-La Mancha"),
    ("Hsinchu", 24.804, 120.969, "Hsinchu City"), ("Zhudong", 24.73, 121.09, "Hsinchu County"),
    ("Borisov", 54.23, 28.5, "Minsk Region"), ("Banja Luka", 44.77, 17.19, "Republika Srpska"),
    ("Narva", 59.377, 28.19, "Ida-Viru"), ("Matadi", -5.82, 13.46, "Kongo Central"),
    ("Córdoba", -31.42, -64.18, "Córdoba"), ("Raqqa", 35.95, 39.01, "Raqqa"),
  ])
  func `regions of a country have names in one style`(
    name: String, latitude: Double, longitude: Double, region: String
  ) {
    #expect(geocoder.place(at: Coordinate(latitude, longitude)).region == region, "\(name)")
  }

  @Test func `nearly every point of a country has a region`() {
    var random = SplitMix64(seed: 5)
    var (inCountry, without) = (0, 0)
    for _ in 0..<40_000 {
      let codes = geocoder.codes(at: .random(using: &random))
      guard let country = codes.country else { continue }
      inCountry += 1
      if codes.region.flatMap(geocoder.name(of:)) == nil {
        without += 1
        // The rest is far from every place, or in a country without divisions.
        #expect(codes.city == nil || ["CC", "CX"].contains(country.code), "\(country)")
      }
    }
    #expect(inCountry > 5_000)
    #expect(without * 400 < inCountry, "\(without) of \(inCountry): less than 0.25 %")
  }

  @Test func `nearly every place is on land, and its region has a name`() {
    var (atSea, nameless) = (0, 0)
    for number in 0..<geocoder.cityCount {
      guard let city = geocoder.city(number), let center = geocoder.coordinate(of: city) else {
        continue
      }
      if !geocoder.isLand(at: center) { atSea += 1 }
      if geocoder.region(of: city).flatMap(geocoder.name(of:)) == nil { nameless += 1 }
    }
    // A coast through a place's center may be rounded to its other side, by up to 14 m.
    #expect(atSea < 10)
    #expect(nameless == 2, "the Cocos Islands and Christmas Island, a place each, have no division")
  }

  /// Far out at sea there is no country, even if one claims waters beyond 12 nautical miles; islets
  /// have theirs.
  static let ocean: [(String, Double, Double, String?)] = [
    ("Hudson Bay", 59.0, -86.0, nil), ("off Peru", -17.6, -76.5, nil),
    ("off Easter Island", -28.4, -108.0, nil),
    ("Java Sea", -4.9, 110.8, nil), ("Gulf of Sidra", 31.8, 18.5, nil), ("Atlantic", 30, -45, nil),
    ("Easter Island", -27.15, -109.43, "CL"), ("Pitcairn", -25.07, -130.1, "PN"),
    ("Wake", 19.28, 166.64, "UM"),
    ("Tristan da Cunha", -37.07, -12.31, "SH"), ("Kerguelen", -49.35, 70.2, "TF"),
    ("Malé", 4.175, 73.51, "MV"),
    ("Maldives, between atolls", 3.6, 72.2, nil), ("Bahamas, Great Bank", 23.2, -77.0, nil),
    ("Philippines, Sulu Sea", 8.5, 120.3, nil), ("Fiji, Bligh Water", -18.2, 179.7, nil),
    ("Cocos Island", 5.54, -87.06, "CR"), ("Caspian Sea", 42, 51, nil),
    ("Fakarava", -16.06, -145.62, "PF"),
    ("Bosporus", 41.1, 29.06, "TR"), ("Lake Michigan", 43.5, -87.0, "US"),
    ("Oslofjord", 59.6, 10.6, "NO"),
  ]

  /// Natural Earth excludes large lakes from its land; the land mask includes them.
  @Test(arguments: [
    ("Superior", 47.7, -87.5, true), ("Victoria", -1, 33, true), ("Baikal", 53.5, 108, true),
    ("Geneva", 46.45, 6.6, true), ("Ladoga", 60.8, 31.5, true), ("Titicaca", -15.8, -69.4, true),
    ("Tanganyika", -6.5, 29.5, true), ("an island in Victoria", -0.35, 32.3, true),
    ("Caspian", 42, 51, false), ("Black Sea", 43, 34, false), ("Baltic", 58, 20, false),
    ("Marmara", 40.75, 28.3, false), ("Maracaibo's gulf", 11.6, -71.1, false),
  ])
  func `lakes are land and seas are not`(
    name: String, latitude: Double, longitude: Double, isLand: Bool
  ) {
    #expect(geocoder.isLand(at: Coordinate(latitude, longitude)) == isLand, "\(name)")
  }

  @Test(arguments: ocean)
  func `the open ocean has no country, and islets have theirs`(
    name: String, latitude: Double, longitude: Double, code: String?
  ) throws {
    let coordinate = try Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    #expect(geocoder.countryIndex(at: coordinate)?.code == code, "\(name)")
  }
}

/// Other names of well-known cities, such as former ones and other English ones: Bombay, Danzig,
/// Cracow. Names in other languages are in the data: see ``Geocoder/localName(of:)``.
package enum CityAliases {
  /// The names of each city, by the ISO 3166-1 code of its country.
  static let names: [(code: String, names: [String])] = [
    ("AT", ["Vienna", "Wien"]),
    ("BE", ["Antwerp", "Antwerpen", "Anvers"]), ("BE", ["Bruges", "Brugge"]),
    ("BE", ["Brussels", "Bruxelles", "Brussel", "Brüssel"]), ("BE", ["Ghent", "Gent", "Gand"]),
    ("BE", ["Leuven", "Louvain"]), ("BE", ["Liège", "Luik", "Lüttich"]),
    ("BG", ["Sofia", "София"]),
    ("CH", ["Basel", "Basle", "Bâle"]), ("CH", ["Bern", "Berne"]),
    ("CH", ["Geneva", "Genève", "Genf", "Ginevra"]), ("CH", ["Lucerne", "Luzern"]),
    ("CN", ["Beijing", "Peking", "北京"]), ("CN", ["Guangzhou", "Canton", "广州"]),
    ("CN", ["Shanghai", "上海"]),
    ("CU", ["Havana", "La Habana"]), ("CY", ["Nicosia", "Lefkosia", "Λευκωσία"]),
    ("CZ", ["Pilsen", "Plzeň"]), ("CZ", ["Prague", "Praha", "Prag"]),
    ("DE", ["Braunschweig", "Brunswick"]), ("DE", ["Cologne", "Köln"]),
    ("DE", ["Frankfurt", "Frankfurt am Main"]), ("DE", ["Hanover", "Hannover"]),
    ("DE", ["Munich", "München"]),
    ("DE", ["Nuremberg", "Nürnberg"]),
    ("DK", ["Copenhagen", "København", "Kopenhagen"]), ("DZ", ["Algiers", "Alger"]),
    ("EG", ["Alexandria", "الإسكندرية"]), ("EG", ["Cairo", "القاهرة"]),
    ("ES", ["A Coruña", "La Coruña", "Corunna"]), ("ES", ["Seville", "Sevilla"]),
    ("ES", ["Zaragoza", "Saragossa"]),
    ("FI", ["Helsinki", "Helsingfors"]), ("FI", ["Turku", "Åbo"]),
    ("FR", ["Lyon", "Lyons"]), ("FR", ["Marseille", "Marseilles"]),
    ("FR", ["Strasbourg", "Straßburg"]),
    ("GE", ["Tbilisi", "თბილისი"]),
    ("GR", ["Athens", "Αθήνα", "Athína", "Athen"]), ("GR", ["Corfu", "Kérkyra", "Κέρκυρα"]),
    ("GR", ["Piraeus", "Πειραιάς"]), ("GR", ["Thessaloniki", "Salonica", "Θεσσαλονίκη"]),
    ("IN", ["Bengaluru", "Bangalore"]), ("IN", ["Chennai", "Madras"]),
    ("IN", ["Kolkata", "Calcutta"]), ("IN", ["Mumbai", "Bombay"]),
    ("IR", ["Tehran", "Teheran"]),
    ("IT", ["Florence", "Firenze", "Florenz"]), ("IT", ["Genoa", "Genova", "Genua"]),
    ("IT", ["Mantua", "Mantova"]), ("IT", ["Milan", "Milano", "Mailand"]),
    ("IT", ["Naples", "Napoli", "Neapel"]), ("IT", ["Padua", "Padova"]),
    ("IT", ["Rome", "Roma", "Rom"]), ("IT", ["Syracuse", "Siracusa"]),
    ("IT", ["Turin", "Torino"]), ("IT", ["Venice", "Venezia", "Venedig"]),
    ("JP", ["Kyoto", "京都"]), ("JP", ["Osaka", "大阪"]), ("JP", ["Tokyo", "東京"]),
    ("KR", ["Busan", "Pusan"]), ("KR", ["Seoul", "서울"]),
    ("LU", ["Luxembourg", "Luxemburg", "Lëtzebuerg"]),
    ("MA", ["Fes", "Fez"]), ("MA", ["Marrakesh", "Marrakech"]),
    ("MA", ["Tangier", "Tanger", "Tangiers"]),
    ("MM", ["Yangon", "Rangoon"]), ("MX", ["Mexico City", "Ciudad de México"]),
    ("MN", ["Ulaanbaatar", "Ulan Bator"]),
    ("NL", ["The Hague", "Den Haag", "'s-Gravenhage"]),
    ("PL", ["Gdańsk", "Danzig"]), ("PL", ["Kraków", "Cracow", "Krakau"]),
    ("PL", ["Warsaw", "Warszawa", "Warschau"]), ("PL", ["Wrocław", "Breslau"]),
    ("PT", ["Lisbon", "Lisboa", "Lissabon"]), ("PT", ["Porto", "Oporto"]),
    ("RO", ["Bucharest", "București", "Bukarest"]),
    ("RS", ["Belgrade", "Beograd", "Београд", "Belgrad"]),
    ("RU", ["Moscow", "Москва", "Moskva", "Moskau"]),
    ("RU", ["Saint Petersburg", "St Petersburg", "Санкт-Петербург", "Sankt-Peterburg"]),
    ("SA", ["Jeddah", "Jiddah"]), ("SA", ["Mecca", "Makkah", "مكة"]),
    ("SA", ["Medina", "Madinah", "المدينة"]),
    ("SA", ["Riyadh", "الرياض"]),
    ("SE", ["Gothenburg", "Göteborg"]), ("SY", ["Damascus", "دمشق"]),
    ("TH", ["Bangkok", "Krung Thep", "กรุงเทพ"]), ("TR", ["Istanbul", "Constantinople"]),
    ("TW", ["Taipei", "臺北", "台北"]),
    ("UA", ["Kharkiv", "Kharkov", "Харків"]), ("UA", ["Kyiv", "Kiev", "Київ"]),
    ("UA", ["Lviv", "Lvov", "Львів", "Lemberg"]), ("UA", ["Odesa", "Odessa", "Одеса"]),
    ("US", ["New York", "New York City"]),
    ("VN", ["Ho Chi Minh City", "Saigon", "Thành phố Hồ Chí Minh"]),
  ]

  /// The other names of the cities that have this one, in a country or in all, each with the
  /// country in which the city lies.
  package static func others(
    than query: NameQuery, in country: CountryIndex? = nil
  ) -> [(name: NameQuery, country: CountryIndex)] {
    var others: [(name: NameQuery, country: CountryIndex)] = []
    for entry in names where entry.names.contains(where: query.matches) {
      guard let home = CountryIndex(code: entry.code), country == nil || country == home else {
        continue
      }
      for name in entry.names where !query.matches(name) { others.append((NameQuery(name), home)) }
    }
    return others
  }
}

import Synchronization

/// The names and codes of all countries, regions and time zones as strings, so that answers in
/// words do not decode them again and again: some 5,000 strings, 0.5 MB.
final class NameTable: Sendable {
  /// What an answer says of a country.
  struct Country {
    var alpha2: String
    var alpha3: String?
    var name: String?
    var continent: String?
  }

  /// What an answer says of a first-level division.
  struct Region {
    var name: String?
    /// The ISO 3166-2 code.
    var code: String?
    /// The name in the language that most people speak there.
    var localName: String?
  }

  /// By ``CountryIndex/rawValue``; nil for a code that is not in use.
  let countries: [Country?]
  /// By row in the table of first-level divisions.
  let regions: [Region]
  /// By label of the boundaries, from 0, which has none.
  let zones: [String?]
  private let localNames: CityNameIndex?

  /// Decodes all names of a gazetteer.
  init(_ gazetteer: Gazetteer) {
    let places = gazetteer.places
    var countries = [Country?](repeating: nil, count: CountryIndex.count)
    for row in 0..<places.countryCount {
      let index = places.country(inRow: row)
      guard let country = CountryIndex(rawValue: index) else { continue }
      countries[Int(index)] = Country(country, inRow: row, of: gazetteer)
    }
    self.countries = countries
    regions = (0..<UInt16(places.admin1Count)).map { Region(inRow: $0, of: gazetteer) }
    localNames = gazetteer.otherNames.flatMap { names in
      names.localRow.map { CityNameIndex(names, language: $0) }
    }
    zones = [nil] + (0..<gazetteer.zoneCount).map { gazetteer.zoneName(UInt16($0 + 1)) }
  }

  /// The name of the zone of a label of the boundaries; nil for 0 and beyond the last.
  @inline(__always)
  func zone(_ label: UInt16) -> String? { Int(label) < zones.count ? zones[Int(label)] : nil }

  /// Sets the names of the country, region and time zone of these codes.
  @inline(__always)
  func name(_ codes: PlaceCodes, in place: inout Place) {
    if let country = codes.country { countries[Int(country.rawValue)].set(country, in: &place) }
    if let region = codes.region, Int(region.rawValue) < regions.count {
      regions[Int(region.rawValue)].set(in: &place)
    }
    place.timeZone = zone(codes.zone)
  }

  /// The local name of a city by its GeoNames number; nil if the data have none.
  @inline(__always)
  func localName(ofCity identifier: UInt32) -> String? {
    identifier == 0 ? nil : localNames?.name(of: identifier)
  }
}

extension NameTable.Country {
  /// Decodes what the data say of a country.
  fileprivate init(_ country: CountryIndex, inRow row: Int, of gazetteer: Gazetteer) {
    let places = gazetteer.places
    self.init(
      alpha2: country.code, alpha3: places.countryAlpha3(inRow: row),
      name: places.countryName(inRow: row), continent: places.continent(inRow: row))
  }
}

extension NameTable.Country? {
  /// Sets what a place says of a country; only the code if it is not in use.
  @inline(__always)
  fileprivate func set(_ country: CountryIndex, in place: inout Place) {
    guard let self else {
      place.countryCode = country.code
      return
    }
    place.countryCode = self.alpha2
    place.countryCodeAlpha3 = self.alpha3
    place.country = self.name
    place.continent = self.continent
  }
}

extension NameTable.Region {
  /// Decodes what the data say of a first-level division.
  fileprivate init(inRow row: UInt16, of gazetteer: Gazetteer) {
    let places = gazetteer.places
    let suffix = places.admin1Suffix(row)
    let country = CountryIndex(rawValue: places.admin1Country(row))
    self.init(
      name: places.admin1Name(row),
      code: suffix.packed == 0 ? nil : country.map { "\($0.code)-\(suffix.text)" },
      localName: gazetteer.localName(ofRegion: row))
  }

  /// Sets what a place says of the division.
  @inline(__always)
  fileprivate func set(in place: inout Place) {
    place.regionCode = code
    place.region = name
    place.regionLocalName = localName
  }
}

/// A ``NameTable`` that is made when names are asked for the 65th time. Before, they are decoded
/// one by one: a process that asks for a single place would decode 5,000 names for it.
final class LazyNameTable: Sendable {
  /// The number of answers that are decoded one by one. The table has 5,000 names, and an answer at
  /// most eight of them, so making it takes as long as at least 600 answers.
  static let requestsWithoutTable = 64

  private let owner = AtomicLazyReference<NameTable>()
  /// The address of the table of `owner`, once it is complete; before, 0.
  private let address = Atomic<UInt>(0)
  private let requests = Atomic<Int>(0)

  /// Sets the names of the country, region and time zone of these codes, and the local name of the
  /// city.
  ///
  /// - Complexity: O(1), but O(names) once, and O(log countries + log cities) before.
  @inline(__always)
  func name(_ codes: PlaceCodes, in place: inout Place, _ gazetteer: Gazetteer) {
    let city = codes.cityPlace < gazetteer.places.count ? Int(codes.cityPlace) : -1
    let isDone: ()? = withTable(gazetteer) { table in
      table.name(codes, in: &place)
      if city >= 0 {
        place.localName = table.localName(ofCity: gazetteer.places.identifier(of: city))
      }
    }
    if isDone == nil { Self.decode(codes, in: &place, gazetteer) }
  }

  /// The name of the zone of a label of the boundaries; nil for 0 and beyond the last.
  ///
  /// - Complexity: O(1), but O(names) once.
  @inline(__always)
  func zone(_ label: UInt16, _ gazetteer: Gazetteer) -> String? {
    let name: String?? = withTable(gazetteer) { $0.zone(label) }
    return name ?? Self.zone(label, gazetteer)
  }

  @inline(never)
  private static func zone(_ label: UInt16, _ gazetteer: Gazetteer) -> String? {
    label > 0 && Int(label) <= gazetteer.zoneCount ? gazetteer.zoneName(label) : nil
  }

  @inline(never)
  private static func decode(
    _ codes: PlaceCodes, in place: inout Place, _ gazetteer: Gazetteer
  ) {
    let places = gazetteer.places
    if let country = codes.country {
      let row = places.countryRow(country.rawValue)
      row.map { NameTable.Country(country, inRow: $0, of: gazetteer) }.set(country, in: &place)
    }
    if let region = codes.region, Int(region.rawValue) < places.admin1Count {
      NameTable.Region(inRow: region.rawValue, of: gazetteer).set(in: &place)
    }
    place.timeZone = zone(codes.zone, gazetteer)
    if let city = codes.city { place.localName = gazetteer.localName(ofCity: city) }
  }

  /// Calls `body` with the table, without counting a reference to it, which would take longer than
  /// the lookup; returns nil while there is no table.
  ///
  /// Sound: the address is that of the object that `owner` keeps alive as long as this object, and
  /// it is published after the object is complete.
  @inline(__always)
  private func withTable<Result>(
    _ gazetteer: Gazetteer, _ body: (NameTable) -> Result
  ) -> Result? {
    guard let pointer = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else {
      return make(gazetteer).map(body)
    }
    return Unmanaged<NameTable>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
  }

  /// Counts a request, and makes the table if there were enough.
  ///
  /// Sound: `owner` keeps the object alive whose address is published.
  @inline(never)
  private func make(_ gazetteer: Gazetteer) -> NameTable? {
    let before = requests.wrappingAdd(1, ordering: .relaxed).oldValue
    guard before >= Self.requestsWithoutTable else { return nil }
    let made = owner.storeIfNil(NameTable(gazetteer))
    let pointer = Unmanaged.passUnretained(made).toOpaque()
    address.store(UInt(bitPattern: pointer), ordering: .releasing)
    return made
  }
}

import Synchronization

/// The names and codes of all countries, regions and time zones as strings, so that answers in
/// words do not decode them again and again: some 5,000 strings, 0.5 MB, made when the first answer
/// in words is asked for.
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

  /// Decodes all names of a gazetteer.
  init(_ gazetteer: Gazetteer) {
    let places = gazetteer.places
    var countries = [Country?](repeating: nil, count: CountryIndex.count)
    for row in 0..<places.countryCount {
      let index = places.country(inRow: row)
      guard let country = CountryIndex(rawValue: index) else { continue }
      countries[Int(index)] = Country(
        alpha2: country.code, alpha3: places.countryAlpha3(inRow: row),
        name: places.countryName(inRow: row), continent: places.continent(inRow: row))
    }
    self.countries = countries
    regions = (0..<UInt16(places.admin1Count)).map { row in
      let suffix = places.admin1Suffix(row)
      let country = CountryIndex(rawValue: places.admin1Country(row))
      return Region(
        name: places.admin1Name(row),
        code: suffix.packed == 0 ? nil : country.map { "\($0.code)-\(suffix.text)" },
        localName: gazetteer.localName(ofRegion: row))
    }
    zones = [nil] + (0..<gazetteer.zoneCount).map { gazetteer.zoneName(UInt16($0 + 1)) }
  }

  /// The name of the zone of a label of the boundaries; nil for 0 and beyond the last.
  @inline(__always)
  func zone(_ label: UInt16) -> String? { Int(label) < zones.count ? zones[Int(label)] : nil }

  /// Sets the names of the country, region and time zone of these codes.
  @inline(__always)
  func name(_ codes: PlaceCodes, in place: inout Place) {
    if let index = codes.country {
      if let country = countries[Int(index.rawValue)] {
        place.countryCode = country.alpha2
        place.countryCodeAlpha3 = country.alpha3
        place.country = country.name
        place.continent = country.continent
      } else {
        place.countryCode = index.code
      }
    }
    if let region = codes.region, Int(region.rawValue) < regions.count {
      place.regionCode = regions[Int(region.rawValue)].code
      place.region = regions[Int(region.rawValue)].name
      place.regionLocalName = regions[Int(region.rawValue)].localName
    }
    place.timeZone = zone(codes.zone)
  }
}

/// A ``NameTable`` that is made when it is first used.
final class LazyNameTable: Sendable {
  private let owner = AtomicLazyReference<NameTable>()
  /// The address of the table of `owner`, once it is complete; before, 0.
  private let address = Atomic<UInt>(0)

  /// Calls `body` with the table, without counting a reference to it, which would take longer than
  /// the lookup.
  ///
  /// Sound: the address is that of the object that `owner` keeps alive as long as this object, and
  /// it is published after the object is complete.
  ///
  /// - Complexity: O(names) the first time, then one atomic load.
  @inline(__always)
  func callAsFunction<Result>(_ gazetteer: Gazetteer, _ body: (NameTable) -> Result) -> Result {
    guard let pointer = UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)) else {
      return body(make(gazetteer))
    }
    return Unmanaged<NameTable>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
  }

  /// Sound: `owner` keeps the object alive whose address is published.
  @inline(never)
  private func make(_ gazetteer: Gazetteer) -> NameTable {
    let made = owner.storeIfNil(NameTable(gazetteer))
    let pointer = Unmanaged.passUnretained(made).toOpaque()
    address.store(UInt(bitPattern: pointer), ordering: .releasing)
    return made
  }
}

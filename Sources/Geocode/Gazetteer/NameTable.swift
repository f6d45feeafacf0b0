/// The names and codes of all countries, regions and time zones as strings, so that answers in
/// words do not decode them again and again: some 5,000 strings, 0.5 MB.
///
/// `@unchecked Sendable`: the tables are filled by `init` and never change. They are not arrays,
/// whose references a lookup would count.
final class NameTable: @unchecked Sendable {
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

  /// By ``CountryIndex/rawValue``; for a code that is not in use, only the code.
  private let countries: Rows<Country>
  /// By row in the table of first-level divisions.
  private let regions: Rows<Region>
  /// By label of the boundaries, from 0, which has none.
  private let zones: Rows<String?>
  private let localNames: CityNameIndex?

  /// Decodes all names of a gazetteer.
  init(_ gazetteer: Gazetteer) {
    let places = gazetteer.places
    var countries = (0..<UInt16(CountryIndex.count)).map {
      Country(alpha2: CountryIndex(unchecked: $0).code)
    }
    for row in 0..<places.countryCount {
      guard let country = CountryIndex(rawValue: places.country(inRow: row)) else { continue }
      countries[Int(country.rawValue)] = Country(country, inRow: row, of: gazetteer)
    }
    self.countries = Rows(countries)
    regions = Rows((0..<UInt16(places.admin1Count)).map { Region(inRow: $0, of: gazetteer) })
    zones = Rows([nil] + (0..<gazetteer.zoneCount).map { gazetteer.zoneName(UInt16($0 + 1)) })
    localNames = gazetteer.otherNames.flatMap { names in
      names.localRow.map { CityNameIndex(names, language: $0) }
    }
  }

  deinit {
    countries.deallocate()
    regions.deallocate()
    zones.deallocate()
  }

  /// The name of the zone of a label of the boundaries; nil for 0 and beyond the last.
  @inline(__always)
  func zone(_ label: UInt16) -> String? { zones.row(Int(label))?.pointee ?? nil }

  /// The names of these codes; nothing for those that are not in the data.
  ///
  /// Made in one step, because each copy of a place counts a reference to each of its strings.
  @inline(__always)
  func place(of codes: PlaceCodes, _ position: PlacePosition, _ places: PlacesFile) -> Place {
    let city = places.index(codes.city)
    let country = codes.country.flatMap { countries.row(Int($0.rawValue)) }
    let region = codes.region.flatMap { regions.row(Int($0.rawValue)) }
    return Place(
      Place.Fields(
        countryCode: country?.pointee.alpha2, countryCodeAlpha3: country?.pointee.alpha3,
        country: country?.pointee.name, continent: country?.pointee.continent,
        regionCode: region?.pointee.code, region: region?.pointee.name,
        regionLocalName: region?.pointee.localName, district: places.name(of: codes.district),
        city: city.map(places.name(of:)),
        localName: city.flatMap { localName(ofCity: places.identifier(of: $0)) },
        cityDistanceMeters: position.cityDistanceMeters,
        quarter: places.index(codes.quarter).map(places.name(of:)),
        timeZone: zone(codes.zone) ?? position.nauticalZone?.identifier, sea: position.sea))
  }

  /// The local name of a city by its GeoNames number; nil if the data have none.
  @inline(__always)
  func localName(ofCity identifier: UInt32) -> String? {
    identifier == 0 ? nil : localNames?.name(of: identifier)
  }
}

extension NameTable.Country {
  /// Decodes what the data say of a country.
  init(_ country: CountryIndex, inRow row: Int, of gazetteer: Gazetteer) {
    let places = gazetteer.places
    self.init(
      alpha2: country.code, alpha3: places.countryAlpha3(inRow: row),
      name: places.countryName(inRow: row), continent: places.continent(inRow: row))
  }
}

extension NameTable.Region {
  /// Decodes what the data say of a first-level division.
  init(inRow row: UInt16, of gazetteer: Gazetteer) {
    let places = gazetteer.places
    let suffix = places.admin1Suffix(row)
    let country = CountryIndex(rawValue: places.admin1Country(row))
    self.init(
      name: places.admin1Name(row),
      code: suffix.packed == 0 ? nil : country.map { "\($0.code)-\(suffix.text)" },
      localName: gazetteer.localName(ofRegion: row))
  }
}

/// Rows that never change. Unlike an array, reading one counts no reference.
///
/// Sound: `init` makes all rows, and their owner frees them when nobody can read them any more.
private struct Rows<Row> {
  private let start: UnsafeMutablePointer<Row>
  private let count: Int

  /// Copies rows; ``deallocate()`` frees the copy.
  init(_ rows: [Row]) {
    count = rows.count
    start = .allocate(capacity: count)
    _ = UnsafeMutableBufferPointer(start: start, count: count).initialize(fromContentsOf: rows)
  }

  /// The address of a row; nil beyond the last. It must not outlive the rows.
  ///
  /// Sound: the row is one of the `count` that `init` has made.
  @inline(__always)
  func row(_ number: Int) -> UnsafePointer<Row>? {
    UInt(bitPattern: number) < UInt(bitPattern: count) ? UnsafePointer(start + number) : nil
  }

  /// Frees the rows, which must not be read any more.
  func deallocate() {
    start.deinitialize(count: count)
    start.deallocate()
  }
}

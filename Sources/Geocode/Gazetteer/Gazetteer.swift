/// All packed data, opened. Shared by all copies of a ``Geocoder``.
///
/// `@unchecked Sendable`: every property is a `let`, and the bytes they point into never change.
final class Gazetteer: @unchecked Sendable {
  let boundaries: Partition
  let regions: Partition
  let land: Partition
  let places: PlacesFile
  private let openedSeas: SeasFile?
  private let openedNames: NamesFile?

  /// The countries and zones of the labels of ``boundaries``: four bytes for the country, four for
  /// the name of the zone.
  ///
  /// Sound: it has ``zoneCount`` entries of eight bytes, which ``owners`` keeps alive.
  let zoneTable: UnsafeRawPointer
  let zoneCount: Int
  let zoneNames: UnsafeRawBufferPointer
  /// The land area by ``CountryIndex/rawValue``, in square kilometers; NaN if a country is not in
  /// the data.
  let landAreas: [Double]
  let worldLandArea: Double
  /// For each label of ``regions``, from 1: the row of its first-level division, and whether it is
  /// a guess.
  let regionRows: [RegionRow]
  let vintage: UInt32

  struct RegionRow {
    /// The row in the table of first-level divisions, or `none`.
    let admin1: UInt16
    let country: UInt16
    /// True if the division is uncertain, in which case the nearest place decides first.
    let isGuess: Bool
    static let none: UInt16 = 0xFFFF
  }

  /// The names of all countries, regions and time zones.
  let names = LazyNameTable()

  /// The bytes of the first four files, in the order of ``GeodataKind``.
  let owners: [ByteOwner]

  /// The oceans and seas.
  var seas: SeasFile? { openedSeas ?? SeasFile.linkedIn }

  /// The names in other languages than English.
  var otherNames: NamesFile? { openedNames ?? NamesFile.linkedIn }

  /// The name of the first-level division in a row, in the language `language` of ``otherNames``.
  func otherName(ofRegion row: UInt16, language: Int) -> String? {
    let suffix = places.admin1Suffix(row).packed
    guard suffix != 0 else { return nil }
    return otherNames?.region(
      country: places.admin1Country(row), suffix: suffix, language: language)
  }

  /// The local name of the first-level division in a row.
  func localName(ofRegion row: UInt16) -> String? {
    otherNames?.localRow.flatMap { otherName(ofRegion: row, language: $0) }
  }

  /// The name of a city in the language `language` of ``otherNames``; nil if it has none, or
  /// is not in the data.
  func otherName(ofCity city: CityIndex, language: Int) -> String? {
    guard let place = places.index(city) else { return nil }
    let identifier = places.identifier(of: place)
    return identifier == 0 ? nil : otherNames?.city(identifier, language: language)
  }

  /// The local name of a city.
  func localName(ofCity city: CityIndex) -> String? {
    otherNames?.localRow.flatMap { otherName(ofCity: city, language: $0) }
  }

  /// - Parameters:
  ///   - names: nil for those linked into the program.
  ///   - seas: nil for those linked into the program.
  init(
    boundaries: ByteOwner, regions: ByteOwner, land: ByteOwner, places: ByteOwner,
    names: ByteOwner?, seas: ByteOwner?, trust: Trust
  ) throws(GeocodeError) {
    owners = [boundaries, regions, land, places]
    openedNames = if let names { try NamesFile(names, trust: trust) } else { nil }
    openedSeas = if let seas { try SeasFile(seas, trust: trust) } else { nil }

    let boundariesFile = try PackedFile(boundaries.bytes, kind: .boundaries, trust: trust)
    let zones = try boundariesFile.section("LABL").sized(8)
    guard let zoneTable = zones.bytes.baseAddress else { throw zones.damaged }
    self.zoneTable = zoneTable
    zoneCount = zones.count
    zoneNames = try boundariesFile.section("NAME").sized(1).bytes
    if trust != .linkedIn {
      for zone in 0..<zones.count {
        let name = Int(zones.bytes.u32(8 * zone + 4))
        guard zones.bytes.u16(8 * zone) < CountryIndex.count, name < zoneNames.count,
          name + 1 + Int(zoneNames[name]) <= zoneNames.count
        else { throw zones.damaged }
      }
    }
    let areas = try boundariesFile.section("CTRY").sized(16)
    var landAreas = [Double](repeating: .nan, count: CountryIndex.count)
    for entry in 0..<areas.count {
      let country = Int(areas.bytes.u16(16 * entry))
      guard country < landAreas.count else { throw areas.damaged }
      landAreas[country] = areas.bytes.f64(16 * entry + 8)
    }
    self.landAreas = landAreas
    self.boundaries = try Partition(boundariesFile, labelCount: zones.count, trust: trust)
    vintage = boundariesFile.vintage

    let landFile = try PackedFile(land.bytes, kind: .land, trust: trust)
    self.land = try Partition(landFile, labelCount: 1, trust: trust)
    worldLandArea = try landFile.section("AREA").sized(8, count: 1).bytes.f64(0)

    self.places = try PlacesFile(
      PackedFile(places.bytes, kind: .places, trust: trust), trust: trust)

    let regionsFile = try PackedFile(regions.bytes, kind: .regions, trust: trust)
    let table = try regionsFile.section("REGN").sized(16)
    self.regions = try Partition(regionsFile, labelCount: table.count, trust: trust)
    regionRows = try Self.match(table, with: self.places)
  }

  /// Finds the row of each region in the table of first-level divisions. Both are sorted by country
  /// and code.
  private static func match(_ table: PackedFile.Section, with places: PlacesFile)
    throws(GeocodeError)
    -> [RegionRow]
  {
    func isBefore(_ row: Int, _ country: UInt16, _ code: UInt64) -> Bool {
      let rowCountry = places.admin1Country(UInt16(row))
      return (rowCountry, places.admin1Code(UInt16(row))) < (country, code)
    }
    var rows: [RegionRow] = []
    rows.reserveCapacity(table.count)
    var row = 0
    for entry in 0..<table.count {
      let country = table.bytes.u16(16 * entry + 8)
      guard country < CountryIndex.count else { throw table.damaged }
      // Sound: the section has `count` entries of 16 bytes.
      let code = UInt64(
        bigEndian: table.bytes.loadUnaligned(fromByteOffset: 16 * entry, as: UInt64.self))
      while row < places.admin1Count, isBefore(row, country, code) { row += 1 }
      let isFound =
        row < places.admin1Count && places.admin1Country(UInt16(row)) == country
        && places.admin1Code(UInt16(row)) == code
      rows.append(
        RegionRow(
          admin1: isFound ? UInt16(row) : RegionRow.none, country: country,
          isGuess: table.bytes.u16(16 * entry + 10) & 1 == 1))
    }
    return rows
  }

  /// The country of a label of ``boundaries``.
  ///
  /// Sound: `label` is 1...``zoneCount``, as is every label of ``boundaries`` but 0.
  @inline(__always) func country(ofZone label: UInt16) -> UInt16 {
    zoneTable.u16(8 * (Int(label) - 1))
  }

  /// The IANA time zone of a label of ``boundaries``; nil if it has none.
  ///
  /// Sound: callers check that `label` is 1...``zoneCount``. `init` has checked the names in files
  /// from outside; tests check those in linked files.
  func zoneName(_ label: UInt16) -> String? {
    let offset = Int(zoneTable.u32(8 * (Int(label) - 1) + 4))
    let length = Int(zoneNames[offset])
    if length == 0 { return nil }
    return String(decoding: zoneNames[offset + 1..<offset + 1 + length], as: UTF8.self)
  }
}

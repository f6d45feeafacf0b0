import CGazetteer
import Geodesy

/// The places: positions, populations and names, in rows of 0.25° of latitude, each sorted by
/// longitude.
///
/// `docs/formats/geodata.md` describes the byte layout. The file is read in place.
///
/// `@unchecked Sendable`: it points into bytes that never change and that ``Gazetteer`` keeps
/// alive.
///
/// Sound: reads are unchecked, and so is the arithmetic of their offsets. Either `validate` has
/// checked every number in the file before the first lookup, or the file is linked in and checked
/// by tests. Callers compare numbers from elsewhere with the counts.
struct PlacesFile: @unchecked Sendable {
  static let rowCount = 720
  static let columnCount = 90
  /// Units of 1e-5 degree per degree.
  static let unitsPerDegree = 100_000
  static let rowUnits = 25_000
  static let columnUnits = 400_000
  static let recordSize = 16
  /// The size of an entry of the list of large discs.
  static let bigSize = 20
  /// The size of a row in the table of second-level divisions.
  static let admin2Size = 4
  /// The size of a row in the table of countries.
  static let countrySize = 16
  /// The flag in a population for a part of a city, which is never the city itself.
  static let partOfCity: UInt32 = 0x8000_0000
  /// The bits of a place's country. Those above contain the reach of its second-level division.
  static let countryBits: UInt16 = 0x3FF
  static let nameStride = 16
  static let bigCellDegrees = 2
  /// The maximum distance of a place from the western edge of a cell that lists its large disc: 18°
  /// of longitude.
  static let largeDiscReach = 18 * unitsPerDegree
  static let bigColumns = 180
  static let bigRows = 90

  let count: Int
  let rowStarts: UnsafeRawPointer
  let columnStarts: UnsafeRawPointer
  let records: UnsafeRawPointer
  let bigStarts: UnsafeRawPointer
  let bigPlaces: UnsafeRawPointer
  let bigCount: Int
  let identifiers: UnsafeRawPointer
  let nameOffsets: UnsafeRawPointer
  let placeNames: UnsafeRawBufferPointer
  let admin1: UnsafeRawPointer
  let admin1Count: Int
  let admin2: UnsafeRawPointer
  let admin2Count: Int
  let countries: UnsafeRawPointer
  let countryCount: Int
  let names: UnsafeRawBufferPointer

  /// Opens the places of a file.
  ///
  /// - Throws: ``GeocodeError/damaged(_:section:)``.
  init(_ file: PackedFile, trust: Trust) throws(GeocodeError) {
    let records = try file.section("PLCE").sized(Self.recordSize)
    let count = records.count
    func start(_ tag: String, _ size: Int, _ expected: Int?) throws(GeocodeError)
      -> UnsafeRawPointer
    {
      let section = try file.section(tag).sized(size, count: expected)
      guard let start = section.bytes.baseAddress else { throw section.damaged }
      return start
    }
    guard let recordsStart = records.bytes.baseAddress, count < 1 << 24 else {
      throw records.damaged
    }
    self.count = count
    self.records = recordsStart
    rowStarts = try start("PROW", 4, Self.rowCount + 1)
    columnStarts = try start("PCOL", 2, Self.rowCount * (Self.columnCount + 1))
    bigStarts = try start("BIGC", 2, Self.bigColumns * Self.bigRows + 1)
    bigPlaces = try start("BIGP", Self.bigSize, nil)
    bigCount = try file.section("BIGP").count
    identifiers = try start("PGID", 3, count)
    nameOffsets = try start("PNMO", 4, (count + Self.nameStride - 1) / Self.nameStride)
    placeNames = try file.section("PNAM").sized(1).bytes
    admin1 = try start("ADM1", 16, nil)
    admin1Count = try file.section("ADM1").count
    admin2 = try start("ADM2", Self.admin2Size, nil)
    admin2Count = try file.section("ADM2").count
    countries = try start("CNTR", Self.countrySize, nil)
    countryCount = try file.section("CNTR").count
    names = try file.section("NAME").sized(1).bytes
    if trust != .linkedIn { try validate() }
  }

  // MARK: One place

  /// The longitude in units of 1e-5 degree.
  @inline(__always) func x(_ place: Int) -> Int { Int(records.i32(place &* Self.recordSize)) }
  /// The population, with the flag ``partOfCity``.
  @inline(__always) func flaggedPopulation(_ place: Int) -> UInt32 {
    records.u32(place &* Self.recordSize &+ 4)
  }
  /// The latitude from the southern edge of the row, in units of 1e-5 degree.
  @inline(__always) func yInRow(_ place: Int) -> Int {
    Int(records.u16(place &* Self.recordSize &+ 8))
  }
  /// The ``CountryIndex/rawValue`` of the place's country.
  @inline(__always) func country(_ place: Int) -> UInt16 {
    records.u16(place &* Self.recordSize &+ 10) & Self.countryBits
  }
  /// The square of the distance in m² from a place up to which ground that is nearest to it lies in
  /// its second-level division: (8 m × step²)².
  @inline(__always) func districtReachSquared(_ place: Int) -> Double {
    let step = Double(records.u16(place &* Self.recordSize &+ 10) >> 10)
    let meters = 8 * step * step
    return meters * meters
  }
  /// The row of the place's first-level division in the table of these.
  @inline(__always) func admin1Row(_ place: Int) -> UInt16 {
    records.u16(place &* Self.recordSize &+ 12)
  }
  /// The row of the place's second-level division in the table of these; 0 if none.
  @inline(__always) func admin2Row(_ place: Int) -> UInt16 {
    records.u16(place &* Self.recordSize &+ 14)
  }

  /// The index of the first place of a row.
  @inline(__always) func rowStart(_ row: Int) -> Int { Int(rowStarts.u32(4 &* row)) }
  /// The index, from the start of the row, of the first place of a column of 4°.
  @inline(__always) func columnStart(_ row: Int, _ column: Int) -> Int {
    Int(columnStarts.u16(2 &* (row &* (Self.columnCount + 1) &+ column)))
  }

  /// A place of a row near a longitude, as if the places of each column were evenly spread: between
  /// the row's first place and the one after its last.
  ///
  /// Sound: the column is one of the 90.
  ///
  /// - Parameter share: how far east in its column the longitude is, from 0 to 65,535.
  @inline(__always) func guess(inRow row: Int, column: Int, share: Int) -> Int {
    let first = columnStart(row, column)
    let count = columnStart(row, column &+ 1) &- first
    return rowStart(row) &+ first &+ (count &* share) &>> 16
  }

  /// The entries of the list of large discs for a cell.
  ///
  /// Sound: the cell is in the table.
  @inline(__always) func largeDiscs(inCell cell: Int) -> (start: Int, end: Int) {
    (Int(bigStarts.u16(2 &* cell)), Int(bigStarts.u16(2 &* cell &+ 2)))
  }

  /// An entry of the list of large discs.
  @inline(__always) func largeDisc(_ entry: Int) -> LargeDisc {
    let start = bigPlaces + entry &* Self.bigSize
    return LargeDisc(
      place: Int(start.u32(0)), x: Int(start.i32(4)), y: Int(start.u32(8)),
      population: start.u32(12), country: start.u16(16))
  }

  /// A place whose disc is large, with what the search needs of it: the entries of a cell lie side
  /// by side, the places far apart.
  struct LargeDisc {
    let place: Int
    /// Units of 1e-5 degree: longitude, and latitude from the South Pole.
    let x: Int
    let y: Int
    let population: UInt32
    let country: UInt16
  }

  /// The row of a place.
  ///
  /// - Complexity: O(log rows).
  func row(of place: Int) -> Int {
    var low = 0
    var count = Self.rowCount
    // Without a branch on what is compared, which nobody could predict.
    while count > 1 {
      let half = count / 2
      low += rowStart(low + half) <= place ? half : 0
      count -= half
    }
    return low
  }

  /// The latitude of a place from the South Pole, in units of 1e-5 degree.
  ///
  /// Sound: the first row starts at 0 and the last ends at ``count``, so no row is beyond them.
  ///
  /// - Complexity: O(rows between the place and `row`).
  func y(of place: Int, nearRow row: Int) -> Int {
    var row = row
    while rowStart(row) > place { row -= 1 }
    while rowStart(row + 1) <= place { row += 1 }
    return row * Self.rowUnits + yInRow(place)
  }

  /// The position of a place; nil if the file's numbers are not a valid position.
  func coordinate(of place: Int) -> Coordinate? {
    let latitude = row(of: place) * Self.rowUnits + yInRow(place) - 90 * Self.unitsPerDegree
    return Coordinate(latitudeE7: Int32(latitude * 100), longitudeE7: Int32(x(place) * 100))
  }

  /// The position of a place; nil if the file's numbers are not a valid position.
  ///
  /// - Complexity: O(rows between the place and `row`).
  func coordinate(of place: Int, nearRow row: Int) -> Coordinate? {
    let latitude = y(of: place, nearRow: row) - 90 * Self.unitsPerDegree
    return Coordinate(latitudeE7: Int32(latitude * 100), longitudeE7: Int32(x(place) * 100))
  }

  /// The place of a city; nil if it is not in the data.
  @inline(__always)
  func index(_ city: CityIndex?) -> Int? {
    guard let city, city.rawValue >= 0, Int(city.rawValue) < count else { return nil }
    return Int(city.rawValue)
  }

  /// Asks the processor to load what says where a place's name is, and its GeoNames number.
  @inline(__always)
  func prefetchName(of place: Int) {
    roqua_prefetch(nameOffsets + 4 &* (place / Self.nameStride))
    roqua_prefetch(identifiers + 3 &* place)
  }

  /// The GeoNames number of a place, or 0.
  func identifier(of place: Int) -> UInt32 {
    UInt32((identifiers + 3 * place).u16(0)) | UInt32(
      identifiers.load(fromByteOffset: 3 * place + 2, as: UInt8.self)) << 16
  }

  /// The name of a place.
  func name(of place: Int) -> String {
    var offset = Int(nameOffsets.u32(4 * (place / Self.nameStride)))
    for _ in 0..<place % Self.nameStride { offset += 1 + Int(placeNames[offset]) }
    return Self.string(in: placeNames, at: offset)
  }

  // MARK: Tables of names

  /// The name of a first-level division; nil if it has none.
  func admin1Name(_ row: UInt16) -> String? { pooled(admin1.u32(16 * Int(row) + 12)) }
  /// The country of a first-level division.
  func admin1Country(_ row: UInt16) -> UInt16 { admin1.u16(16 * Int(row) + 8) }
  /// What follows the hyphen in the ISO 3166-2 code of a first-level division; 0 for none.
  func admin1Suffix(_ row: UInt16) -> SubdivisionSuffix {
    SubdivisionSuffix(packed: admin1.u16(16 * Int(row) + 10))
  }
  /// The GeoNames code of a first-level division in eight bytes, padded with zeros, as a number
  /// that sorts like the text.
  func admin1Code(_ row: UInt16) -> UInt64 {
    UInt64(bigEndian: (admin1 + 16 * Int(row)).loadUnaligned(as: UInt64.self))
  }
  /// The name of a second-level division; nil for row 0.
  func admin2Name(_ row: UInt16) -> String? { pooled(admin2.u32(Self.admin2Size * Int(row))) }

  /// The name of a second-level division; nil if it is not in the data.
  @inline(__always)
  func name(of district: DistrictIndex?) -> String? {
    guard let district, Int(district.rawValue) < admin2Count else { return nil }
    return admin2Name(district.rawValue)
  }

  /// The row of a country in the table of countries.
  ///
  /// - Complexity: O(log countries).
  func countryRow(_ country: UInt16) -> Int? {
    var low = 0
    var high = countryCount
    while low < high {
      let middle = (low + high) / 2
      if countries.u16(Self.countrySize * middle) < country {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low < countryCount, countries.u16(Self.countrySize * low) == country else { return nil }
    return low
  }

  /// The country in a row of the table of countries.
  func country(inRow row: Int) -> UInt16 { countries.u16(Self.countrySize * row) }
  /// The English name of the country in a row.
  func countryName(inRow row: Int) -> String? { pooled(countries.u32(Self.countrySize * row + 4)) }
  /// The ISO 3166-1 alpha-3 code of the country in a row.
  func countryAlpha3(inRow row: Int) -> String? { letters(inRow: row, at: 8, count: 3) }
  /// The two letters of the continent of the country in a row.
  func continent(inRow row: Int) -> String? { letters(inRow: row, at: 11, count: 2) }

  private func letters(inRow row: Int, at offset: Int, count: Int) -> String? {
    let bytes = UnsafeRawBufferPointer(
      start: countries + Self.countrySize * row + offset, count: count)
    return bytes[0] == 0 ? nil : String(decoding: bytes, as: UTF8.self)
  }

  private func pooled(_ offset: UInt32) -> String? {
    offset == 0 ? nil : Self.string(in: names, at: Int(offset))
  }

  private static func string(in pool: UnsafeRawBufferPointer, at offset: Int) -> String {
    let length = Int(pool[offset])
    let bytes = UnsafeRawBufferPointer(rebasing: pool[offset + 1..<offset + 1 + length])
    return String(decoding: bytes, as: UTF8.self)
  }
}

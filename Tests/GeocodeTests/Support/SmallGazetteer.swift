import Geodesy

@testable import Geocode

/// The bundled data reduced to a small part of Europe: small files with everything that the
/// large ones have.
///
/// Blocks outside the part have label 0; the places are those of a few rows.
struct SmallGazetteer {
  var boundaries: [UInt8]
  var regions: [UInt8]
  var land: [UInt8]
  var places: [UInt8]
  var names: [UInt8]
  var seas: [UInt8]

  /// Around Luxembourg, where Belgium, France, Germany and the Netherlands are near, and Baarle is
  /// inside.
  static let south = 49.0
  static let north = 52.0
  static let west = 4.0
  static let east = 8.0

  init(_ geocoder: Geocoder) throws {
    let gazetteer = geocoder.gazetteer
    var boundaries = Self.partition(gazetteer.boundaries, kind: .boundaries)
    boundaries.add(
      "LABL", count: gazetteer.zoneCount, Self.bytes(gazetteer.zoneTable, 8 * gazetteer.zoneCount))
    boundaries.add("CTRY", count: 0, [])
    boundaries.add("NAME", count: gazetteer.zoneNames.count, Array(gazetteer.zoneNames))
    self.boundaries = boundaries.written()

    var land = Self.partition(gazetteer.land, kind: .land)
    land.add("AREA", count: 1, [UInt8](repeating: 0, count: 8))
    self.land = land.written()

    var regions = Self.partition(gazetteer.regions, kind: .regions)
    var table: [UInt8] = []
    for row in gazetteer.regionRows {
      let code =
        row.admin1 == Gazetteer.RegionRow.none ? 0 : gazetteer.places.admin1Code(row.admin1)
      table += (0..<8).map { UInt8(truncatingIfNeeded: code >> (56 - 8 * $0)) }
      table += PackedFileWriter.u16(Int(row.country)) + PackedFileWriter.u16(row.isGuess ? 1 : 0)
      table += PackedFileWriter.u32(0)
    }
    regions.add("REGN", count: gazetteer.regionRows.count, table)
    self.regions = regions.written()
    places = Self.places(gazetteer.places)
    guard let otherNames = gazetteer.otherNames else { throw GeocodeError.notGeodata(.names) }
    names = SmallNames.bytes(otherNames)
    seas = try Self.seas(gazetteer)
  }

  /// The bytes of the file of this kind.
  subscript(kind: GeodataKind) -> [UInt8] {
    get {
      switch kind {
      case .boundaries: boundaries
      case .regions: regions
      case .land: land
      case .places: places
      case .names: names
      case .seas: seas
      }
    }
    set {
      switch kind {
      case .boundaries: boundaries = newValue
      case .regions: regions = newValue
      case .land: land = newValue
      case .places: places = newValue
      case .names: names = newValue
      case .seas: seas = newValue
      }
    }
  }

  /// Opens a geocoder on these bytes.
  func opened(_ trust: Trust = .outside) throws -> Geocoder {
    try Geocoder(
      boundaries: boundaries, regions: regions, land: land, places: places, names: names,
      seas: seas, trust: trust)
  }

  private static func seas(_ gazetteer: Gazetteer) throws -> [UInt8] {
    guard let whole = gazetteer.seas else { throw GeocodeError.notGeodata(.seas) }
    let file = try PackedFile(whole.owner.bytes, kind: .seas, trust: .linkedIn)
    var seas = partition(whole.partition, kind: .seas)
    for tag in ["SEAS", "NAME"] {
      let section = try file.section(tag)
      seas.add(tag, count: section.count, Array(section.bytes))
    }
    return seas.written()
  }

  /// Copies bytes. Sound: each caller passes a section of a gazetteer, which keeps it alive, and
  /// its own count.
  private static func bytes(_ start: UnsafeRawPointer, _ count: Int) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: start, count: count))
  }

  private static func partition(_ whole: Partition, kind: GeodataKind) -> PackedFileWriter {
    let degrees = 2 << whole.level  // in a block
    var blocks: [UInt8] = []
    var subBlocks: [UInt8] = []
    var offsets = PackedFileWriter.u32(0)
    var lines: [UInt8] = []
    var subBlockCount = 0
    for block in 0..<whole.blockRows * whole.blockColumns {
      let latitude = Double(block / whole.blockColumns * degrees - 90)
      let longitude = Double(block % whole.blockColumns * degrees - 180)
      let isInside =
        latitude < north && latitude + Double(degrees) > south
        && longitude < east && longitude + Double(degrees) > west
      let value = isInside ? whole.blocks.u16(2 * block) : 0
      guard value & Partition.isMixed != 0 else {
        blocks += PackedFileWriter.u16(Int(value))
        continue
      }
      blocks += PackedFileWriter.u16(Int(Partition.isMixed) | subBlockCount)
      subBlockCount += 1
      let sub = whole.subBlocks + Int(value & ~Partition.isMixed) * Partition.subBlockSize
      subBlocks += PackedFileWriter.u32(offsets.count / 4 - 1)
      subBlocks += bytes(sub + 4, Partition.subBlockSize - 4)
      for entry in 0..<64 where sub.u16(4 + 2 * entry) & Partition.isMixed != 0 {
        let cell = Int(sub.u32(0)) + Int(sub.u16(4 + 2 * entry) & ~Partition.isMixed)
        let start = Int(whole.cellOffsets.u32(4 * cell))
        let end = Int(whole.cellOffsets.u32(4 * cell + 4))
        lines += bytes(whole.lines + start, end - start)
        offsets += PackedFileWriter.u32(lines.count)
      }
    }
    lines.append(0)
    var writer = PackedFileWriter(kind: kind)
    writer.add("GRID", count: 1, PackedFileWriter.u32(Int(CellPoint.cellE7) << whole.level))
    writer.add("BLKS", count: blocks.count / 2, blocks)
    writer.add("SUBS", count: subBlockCount, subBlocks)
    writer.add("CELL", count: offsets.count / 4, offsets)
    writer.add("EDGE", count: lines.count, lines)
    return writer
  }

  private static func places(_ whole: PlacesFile) -> [UInt8] {
    let rows = Int((south + 90) * 4)..<Int((north + 90) * 4)
    let first = whole.rowStart(rows.lowerBound)
    let end = whole.rowStart(rows.upperBound)
    var chosen = (first..<end).filter { (400_000..<800_000).contains(whole.x($0)) }
    chosen = chosen.filter {
      $0 % 4 == 0 || whole.flaggedPopulation($0) & ~PlacesFile.partOfCity > 20_000
    }
    var rowStarts: [UInt8] = []
    var columnStarts: [UInt8] = []
    for row in 0...PlacesFile.rowCount {
      let inRow = chosen.filter { whole.row(of: $0) == row }
      rowStarts += PackedFileWriter.u32(chosen.prefix { whole.row(of: $0) < row }.count)
      if row == PlacesFile.rowCount { break }
      for column in 0...PlacesFile.columnCount {
        let limit = column * PlacesFile.columnUnits - 180 * PlacesFile.unitsPerDegree
        columnStarts += PackedFileWriter.u16(inRow.prefix { whole.x($0) < limit }.count)
      }
    }
    var bigStarts = PackedFileWriter.u16(0)
    var bigPlaces: [UInt8] = []
    let renumbered = Dictionary(uniqueKeysWithValues: zip(chosen, 0...))
    for cell in 0..<PlacesFile.bigColumns * PlacesFile.bigRows {
      for entry in Int(whole.bigStarts.u16(2 * cell))..<Int(whole.bigStarts.u16(2 * cell + 2)) {
        let disc = whole.bigPlaces + PlacesFile.bigSize * entry
        if let place = renumbered[Int(disc.u32(0))] {
          bigPlaces += PackedFileWriter.u32(place) + bytes(disc + 4, PlacesFile.bigSize - 4)
        }
      }
      bigStarts += PackedFileWriter.u16(bigPlaces.count / PlacesFile.bigSize)
    }
    var nameOffsets: [UInt8] = []
    var names: [UInt8] = []
    for (place, old) in chosen.enumerated() {
      if place % PlacesFile.nameStride == 0 { nameOffsets += PackedFileWriter.u32(names.count) }
      let name = Array(whole.name(of: old).utf8)
      names += [UInt8(name.count)] + name
    }
    var writer = PackedFileWriter(kind: .places)
    writer.add("PROW", count: rowStarts.count / 4, rowStarts)
    writer.add("PCOL", count: columnStarts.count / 2, columnStarts)
    writer.add(
      "PLCE", count: chosen.count,
      chosen.flatMap { bytes(whole.records + PlacesFile.recordSize * $0, PlacesFile.recordSize) })
    writer.add("BIGC", count: bigStarts.count / 2, bigStarts)
    writer.add("BIGP", count: bigPlaces.count / PlacesFile.bigSize, bigPlaces)
    writer.add("PGID", count: chosen.count, chosen.flatMap { bytes(whole.identifiers + 3 * $0, 3) })
    writer.add("PNMO", count: nameOffsets.count / 4, nameOffsets)
    writer.add("PNAM", count: names.count, names)
    writer.add("ADM1", count: whole.admin1Count, bytes(whole.admin1, 16 * whole.admin1Count))
    writer.add(
      "ADM2", count: whole.admin2Count,
      bytes(whole.admin2, PlacesFile.admin2Size * whole.admin2Count))
    writer.add(
      "CNTR", count: whole.countryCount,
      bytes(whole.countries, PlacesFile.countrySize * whole.countryCount))
    writer.add("NAME", count: whole.names.count, Array(whole.names))
    return writer.written()
  }
}

import FuzzSupport
@testable import Geodesy

@testable import Geocode

/// Packed geodata with changed bytes, a correct length and a correct checksum: the files are
/// refused, or every lookup stays within them.
///
/// Bits 0 and 1 of the choice select the file, bits 2 and 3 the number of changes. With bit 4 a
/// change writes four bytes instead of one; with bit 5 the file is truncated; with bit 6 it is the
/// file of the seas, or with bit 0 of the names. With bit 7 the body itself is the file. Each
/// number is three bytes of the body: a section, an offset in it, a value; the rest are the points
/// to look up.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGeodata(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  let kind =
    input.choice & 64 != 0
    ? (input.choice & 1 != 0 ? .names : .seas) : GeodataKind.allCases[Int(input.choice & 3)]
  if input.choice & 128 != 0 {
    _ = opens(kind, input.body, .outsideIgnoringChecksum)
    return 0
  }
  var rest = input.body[...]
  func pick(_ count: Int) -> Int {
    let number = rest.prefix(3).reduce(0) { $0 << 8 | Int($1) }
    rest = rest.dropFirst(3)
    return number % max(1, count)
  }

  var bytes = FuzzedGeodata.small[kind]
  let parts = FuzzedGeodata.parts(of: bytes)
  for _ in 0...Int(input.choice >> 2 & 3) {
    let part = parts[pick(parts.count)]
    let place = part.lowerBound + pick(part.count)
    if input.choice & 16 == 0 {
      bytes[place] = UInt8(pick(256))
    } else if place + 4 <= bytes.count {
      let number = FuzzedGeodata.numbers[pick(FuzzedGeodata.numbers.count)]
      bytes.replaceSubrange(place..<place + 4, with: PackedFileWriter.u32(number))
    }
  }
  if input.choice & 32 != 0 { bytes.removeLast(pick(bytes.count)) }
  let sealed = PackedFileWriter.sealed(bytes)
  guard opens(kind, sealed, .outside) else { return 0 }
  var files = FuzzedGeodata.small
  files[kind] = sealed
  guard let geocoder = try? files.opened() else { return 0 }
  ask(geocoder, pick)
  return 0
}

/// Whether the file is accepted; opening all takes much longer.
private func opens(_ kind: GeodataKind, _ bytes: [UInt8], _ trust: Trust) -> Bool {
  do throws(GeocodeError) {
    let owner = ByteOwner(copying: bytes)
    defer { withExtendedLifetime(owner) {} }
    let file = try PackedFile(owner.bytes, kind: kind, trust: trust)
    switch kind {
    case .places: _ = try PlacesFile(file, trust: trust)
    case .boundaries:
      _ = try Partition(file, labelCount: file.section("LABL").count, trust: trust)
    case .regions: _ = try Partition(file, labelCount: file.section("REGN").count, trust: trust)
    case .land: _ = try Partition(file, labelCount: 1, trust: trust)
    case .names: _ = try NamesFile(owner, trust: trust)
    case .seas: _ = try SeasFile(owner, trust: trust)
    }
    return true
  } catch {
    return false
  }
}

private func ask(_ geocoder: Geocoder, _ pick: (Int) -> Int) {
  var track = TrackGeocoder(geocoder)
  for _ in 0..<12 {
    // The small files contain the places and borders from 49° N 4° E to 52° N 8° E.
    let latitude = 48.5 + Double(pick(4_001)) / 1_000
    let longitude = 3.5 + Double(pick(5_001)) / 1_000
    guard let point = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
    else { continue }
    _ = geocoder.place(at: point)
    _ = (geocoder.isLand(at: point), geocoder.sea(at: point))
    let codes = geocoder.codes(at: point)
    _ = (geocoder.regionCode(of: codes), codes.city.flatMap(geocoder.localName(of:)))
    if let language = geocoder.language("de") { _ = geocoder.place(at: point, in: language) }
    _ = geocoder.countryAndRegion(at: point)
    _ = geocoder.names(of: track.codes(at: point), at: point)
    _ = geocoder.uniformLabel(
      south: latitude, west: longitude, north: latitude + 0.3, east: longitude + 0.3)
  }
  for _ in 0..<4 {
    guard let city = geocoder.city(pick(geocoder.cityCount)) else { continue }
    _ = (geocoder.name(of: city), geocoder.coordinate(of: city), geocoder.population(of: city))
    _ = (geocoder.geonamesID(of: city), geocoder.country(of: city), geocoder.region(of: city))
  }
}

/// The files that are changed.
private enum FuzzedGeodata {
  /// A small part of the bundled data.
  static let small: SmallGazetteer = {
    do {
      return try SmallGazetteer(Geocoder.bundled)
    } catch {
      fatalError("\(error)")
    }
  }()

  /// Limits of ranges, and numbers next to them.
  static let numbers = [
    0, 1, 2, 7, 0xFF, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF, 0x10000, 0xFF_FFFF, 0x7FFF_FFFF, 0x8000_0000,
    0xFFFF_FFFF, 2_500_000, 5_000_000, 1_800_000_000,
  ]

  /// The header with its table of sections, and each section that is not empty.
  static func parts(of bytes: [UInt8]) -> [Range<Int>] {
    bytes.withUnsafeBytes { file in
      let count = Int(file.u32(12))
      let tableEnd = PackedFile.headerSize + PackedFile.sectionEntrySize * count
      let sections = (0..<count).map { index in
        let entry = PackedFile.headerSize + PackedFile.sectionEntrySize * index
        let start = Int(file.u32(entry + 4))
        return start..<start + Int(file.u32(entry + 8))
      }
      return [0..<tableEnd] + sections.filter { !$0.isEmpty }
    }
  }
}

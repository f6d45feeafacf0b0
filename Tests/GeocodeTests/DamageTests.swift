import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Geocode

@Suite struct DamageTests {
  static let small: Result<SmallGazetteer, any Error> = Result {
    try SmallGazetteer(Geocoder.bundled)
  }
  let small: SmallGazetteer
  init() throws { small = try Self.small.get() }

  /// Runs many queries on a geocoder with damaged but accepted data; none of them may crash.
  private func exercise(_ geocoder: Geocoder, seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<40 {
      let point = Coordinate(
        Double.random(in: 48.5...52.5, using: &random), Double.random(in: 3.5...8.5, using: &random)
      )
      _ = geocoder.place(at: point)
      _ = (geocoder.isLand(at: point), geocoder.sea(at: point))
      for tag in ["de", "fr"] {
        if let language = geocoder.language(tag) { _ = geocoder.place(at: point, in: language) }
      }
      _ = geocoder.uniformLabel(
        south: point.latitudeDegrees, west: point.longitudeDegrees,
        north: point.latitudeDegrees + 0.3,
        east: point.longitudeDegrees + 0.3)
    }
    var track = TrackGeocoder(geocoder)
    _ = track.codes(at: Coordinate(50, 6))
  }

  @Test func `the small files give the same answers as the bundled ones`() throws {
    let whole = try Geocoder.bundled
    let part = try small.opened()
    var random = SplitMix64(seed: 1)
    for _ in 0..<500 {
      let point = Coordinate(
        Double.random(in: 49...52, using: &random), Double.random(in: 4...8, using: &random))
      #expect(part.countryIndex(at: point) == whole.countryIndex(at: point))
      #expect(part.isLand(at: point) == whole.isLand(at: point))
      #expect(part.sea(at: point) == whole.sea(at: point))
    }
    #expect(part.place(at: Coordinate(50.11, 8.68 - 0.7)).countryCode == "DE")
    exercise(part, seed: 2)
  }

  /// Validating all files takes too long for a thousand openings in a debug build, so this opens
  /// only the file in question, like ``Gazetteer`` does.
  private func open(_ kind: GeodataKind, _ bytes: [UInt8], _ trust: Trust) throws(GeocodeError) {
    let owner = ByteOwner(copying: bytes)
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
  }

  @Test(arguments: GeodataKind.allCases)
  func `a truncated file is an error at each of a thousand lengths`(kind: GeodataKind) throws {
    let bytes = small[kind]
    for cut in 0..<1000 {
      let length = cut < 200 ? cut : bytes.count * cut / 1000
      let short = Array(bytes.prefix(length))
      #expect(throws: GeocodeError.self) { try open(kind, short, .outside) }
      // Even with the correct length, and with the checksum ignored, a section does not fit.
      var sealed = short
      if sealed.count >= 20 {
        sealed.replaceSubrange(16..<20, with: PackedFileWriter.u32(sealed.count))
      }
      #expect(throws: GeocodeError.self) { try open(kind, sealed, .outsideIgnoringChecksum) }
    }
  }

  @Test(arguments: GeodataKind.allCases)
  func `a flipped bit is an error`(kind: GeodataKind) throws {
    var random = SplitMix64(seed: 7)
    for _ in 0..<60 {
      var bytes = small[kind]
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= UInt8(
        1 << Int.random(in: 0..<8, using: &random))
      #expect(throws: GeocodeError.self) { try open(kind, bytes, .outside) }
    }
  }

  @Test(arguments: Seeds.sample(12))
  func `flipped bits with the checksum ignored never cause a crash`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for kind in GeodataKind.allCases {
      for _ in 0..<3 {
        var damaged = small
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          // The start of a file contains the header and the section table: damage it as often as
          // the rest.
          let range = Bool.random(using: &random) ? 300 : damaged[kind].count
          let place = Int.random(in: 0..<range, using: &random)
          damaged[kind][place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
        }
        guard let geocoder = try? damaged.opened(.outsideIgnoringChecksum) else { continue }
        exercise(geocoder, seed: seed)
      }
    }
  }

  @Test func `errors describe what is wrong with the file`() throws {
    func error(_ kind: GeodataKind, _ bytes: [UInt8]) -> GeocodeError? {
      do throws(GeocodeError) {
        try open(kind, bytes, .outside)
        return nil
      } catch { return error }
    }
    let land = small.land
    #expect(error(.land, land) == nil)
    #expect(error(.land, []) == .notGeodata(.land))
    #expect(error(.land, Array("<html>".utf8)) == .notGeodata(.land))
    #expect(error(.places, land) == .wrongKind(expected: .places, found: 3))
    #expect(
      error(.land, land + [0]) == .wrongLength(.land, stated: land.count, found: land.count + 1))
    var other = land
    other[8] = 9
    #expect(error(.land, other) == .unsupportedVersion(.land, found: 9))
    other = land
    other[other.count / 2] ^= 1
    #expect(error(.land, other) == .checksumMismatch(.land))
    #expect(throws: GeocodeError.unreadable(path: "/nonexistent/boundaries.bin", code: ENOENT)) {
      try Geocoder(contentsOfFolder: "/nonexistent")
    }
  }
}

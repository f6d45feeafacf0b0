import Foundation
import GeoStore
import Geodesy
import TestSupport
import Testing

@testable import Roqua

/// The same hours recorded by two devices, or given in several formats, count once; the report says
/// which sources overlap.
@Suite struct SeveralDevicesTests {
  private typealias Point = (coordinate: Coordinate, time: Timestamp?)
  private static let start: Int64 = 1_714_557_600

  /// A trip of an hour and a half in one direction, with bends, one position every two seconds.
  private func trip(_ random: inout SplitMix64) -> [Point] {
    var (north, east) = (Double.random(in: -60...60, using: &random), 8.0)
    let direction = Double.random(in: 0...6, using: &random)
    var bend = 0.0
    return (0..<2_500).map { index in
      bend = min(0.8, max(-0.8, bend + Double.random(in: -0.05...0.05, using: &random)))
      // At most 9 m in two seconds.
      north += 0.000_08 * cos(direction + bend)
      east += 0.000_08 * sin(direction + bend)
      let second = Self.start + Int64(index) * 2
      return (Coordinate(north, east), Timestamp(millisecondsSince1970: second * 1_000))
    }
  }

  /// A recording of a trip: every few positions, some meters off.
  private func recording(
    of trip: [Point], every stride: ClosedRange<Int>, jitterMeters: Double,
    using random: inout SplitMix64
  ) -> [Point] {
    var points: [Point] = []
    var index = 0
    while index < trip.count {
      let (coordinate, time) = trip[index]
      points.append((coordinate.randomNeighbor(within: jitterMeters, using: &random), time))
      index += Int.random(in: stride, using: &random)
    }
    return points
  }

  @Test(arguments: Seeds.sample(12))
  func `two recordings of a trip add no visit to a region of the first`(seed: UInt64) throws {
    let fixture = try Fixture()
    var random = SplitMix64(seed: seed)
    let trip = trip(&random)
    let watch = recording(of: trip, every: 1...3, jitterMeters: 3, using: &random)
    let phone = recording(of: trip, every: 5...40, jitterMeters: 15, using: &random)
    let first = try fixture.folder.write(TrackText.gpx(watch), to: "watch.gpx")
    let second = try fixture.folder.write(TrackText.gpx(phone), to: "phone.gpx")
    _ = try fixture.explorer.importTracks([first])
    let before = try fixture.explorer.allRegions()
    let report = try fixture.explorer.importTracks([second])
    let after = try fixture.explorer.allRegions()
    #expect(before.count > 20)
    let counts = Dictionary(uniqueKeysWithValues: after.map { ($0.id, $0.visitCount) })
    #expect(before.allSatisfy { counts[$0.id] == $0.visitCount })
    // Jitter may put a fix beyond the clustering radius of every region: a new region, one visit.
    let known = Set(before.map(\.id))
    #expect(after.allSatisfy { known.contains($0.id) || $0.visitCount == 1 })
    #expect(report.changes.regionsAdded == after.count - before.count)
    let overlap = try #require(try fixture.explorer.overlaps().list.first)
    #expect(overlap.share > 0.95 && overlap.sharedPlace > 0.95)
    #expect(report.overlaps.list == [overlap])
    #expect(report.files[0].overlaps?.count == 1)
    #expect(report.files[0].overlaps?.longest.first?.other == overlap.first)
  }

  // MARK: One ride in three formats

  /// Whole seconds, and positions that every format gives exactly: multiples of 180 / 2^31 degrees
  /// rounded to 1e-7 degree.
  private func ride(_ random: inout SplitMix64) -> [(north: Int32, east: Int32, second: Int64)] {
    var (north, east) = (Int32(580_000_000), Int32(96_000_000))
    return (0..<400).map { index in
      north += Int32.random(in: 6_000...12_000, using: &random)
      east += Int32.random(in: -4_000...12_000, using: &random)
      return (north, east, Self.start + Int64(index) * 10)
    }
  }

  private func degrees(_ semicircles: Int32) -> String {
    let valueE7 = Int64((Double(semicircles) * 180 / 2_147_483_648 * 1e7).rounded())
    let digits = String(valueE7 % 10_000_000)
    return "\(valueE7 / 10_000_000)."
      + String(repeating: "0", count: 7 - digits.count) + digits
  }

  /// The ride as GPX, TCX and FIT.
  private func files(_ ride: [(north: Int32, east: Int32, second: Int64)]) -> [(String, [UInt8])] {
    func lines(_ body: (String, String, String) -> String) -> String {
      ride.map {
        body(
          degrees($0.north), degrees($0.east),
          Timestamp(millisecondsSince1970: $0.second * 1_000).iso8601)
      }.joined()
    }
    let gpx = lines { "<trkpt lat=\"\($0)\" lon=\"\($1)\"><time>\($2)</time></trkpt>" }
    let tcx = lines {
      "<Trackpoint><Time>\($2)</Time><Position><LatitudeDegrees>\($0)</LatitudeDegrees>"
        + "<LongitudeDegrees>\($1)</LongitudeDegrees></Position></Trackpoint>"
    }
    return [
      ("ride.gpx", Array("<gpx><trk><trkseg>\(gpx)</trkseg></trk></gpx>".utf8)),
      (
        "ride.tcx",
        Array(
          ("<TrainingCenterDatabase><Activities><Activity><Lap><Track>\(tcx)</Track></Lap>"
            + "</Activity></Activities></TrainingCenterDatabase>").utf8)
      ), ("ride.fit", Self.fit(ride)),
    ]
  }

  /// A FIT file of one definition, and a record of time and position for each point (the FIT
  /// protocol: little-endian, checksum left 0, which means absent).
  private static func fit(_ ride: [(north: Int32, east: Int32, second: Int64)]) -> [UInt8] {
    func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
      withUnsafeBytes(of: value.littleEndian) { Array($0) }
    }
    var data: [UInt8] = [0x40, 0, 0, 20, 0, 3, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85]
    for point in ride {
      data +=
        [0] + bytes(UInt32(point.second - 631_065_600)) + bytes(point.north)
        + bytes(point.east)
    }
    return [14, 0x20, 0x54, 0x08] + bytes(UInt32(data.count)) + Array(".FIT".utf8) + [0, 0] + data
      + [0, 0]
  }

  @Test(arguments: Seeds.sample(4))
  func `a ride in three formats counts once, in every order`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let files = files(ride(&random))
    let alone = try Fixture()
    _ = try alone.explorer.importTracks([alone.folder.write(files[0].1, to: files[0].0)])
    let expected = try alone.explorer.allRegions()
    let coverage = try alone.explorer.coverage()
    #expect(expected.count > 10)
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      let fixture = try Fixture()
      let paths = try order.map { try fixture.folder.write(files[$0].1, to: files[$0].0) }
      let report = try fixture.explorer.importTracks(paths)
      #expect(report.count(.imported) == 3)
      #expect(report.files.map(\.track.kept) == [400, 400, 400])
      let regions = try fixture.explorer.allRegions()
      #expect(regions.map(\.coordinate) == expected.map(\.coordinate))
      #expect(regions.map(\.visitCount) == expected.map(\.visitCount))
      #expect(regions.map(\.timestampStart) == expected.map(\.timestampStart))
      #expect(regions.map(\.timestampEnd) == expected.map(\.timestampEnd))
      #expect(try fixture.explorer.coverage() == coverage)
      #expect(report.overlaps.list.map(\.seconds) == [3_990, 3_990, 3_990])
      #expect(report.overlaps.list.allSatisfy { $0.share == 1 && $0.sharedPlace == 1 })
      #expect(report.files.map { $0.overlaps?.count } == [2, 2, 2])
    }
  }

  @Test func `a file that overlaps many lists the five longest, and their number`() throws {
    let fixture = try Fixture()
    let line = { (count: Int) in TrackText.gpx(from: Coordinate(48, 8), count: count) }
    let short = try (3...10).map { try fixture.folder.write(line($0), to: "\($0).gpx") }
    _ = try fixture.explorer.importTracks(short)
    let report = try fixture.explorer.importTracks([fixture.folder.write(line(20), to: "long.gpx")])
    let overlaps = try #require(report.files[0].overlaps)
    #expect(overlaps.count == 8)
    #expect(overlaps.longest.map(\.seconds) == [90, 80, 70, 60, 50])
    #expect(overlaps.longest.allSatisfy { $0.share == 1 })
    #expect(report.overlaps.list.count == 5)
    #expect(report.overlaps.seconds.count == 8)
    #expect(try fixture.explorer.overlaps().list.count == 8 * 9 / 2)
  }

  @Test func `a stored report contains no other source`() throws {
    let fixture = try Fixture()
    let text = TrackText.gpx(from: Coordinate(48, 8), count: 9)
    let paths = [
      try fixture.folder.write(text, to: "one.gpx"),
      try fixture.folder.write(text + " ", to: "two.gpx"),
    ]
    let report = try fixture.explorer.importTracks(paths)
    #expect(report.json.description.contains("\"overlaps\":[{\"path\":\"\(paths[1])\""))
    _ = try fixture.explorer.forget(sources: [paths[1]])
    let stored = try bytesOfStore(fixture)
    #expect(!stored.contains("two.gpx") && stored.contains("one.gpx"))
    #expect(!stored.contains("overlap"))
  }

  private func bytesOfStore(_ fixture: Fixture) throws -> String {
    try fixture.explorer.store.bringInLog()
    let file = URL(fileURLWithPath: fixture.folder.file("s.sqlite"))
    return String(decoding: try Data(contentsOf: file).filter { $0 < 0x80 }, as: UTF8.self)
  }

  @Test func `a dry run and a duplicate report no overlaps`() throws {
    let fixture = try Fixture()
    let path = try fixture.folder.write(
      TrackText.gpx(from: Coordinate(48, 8), count: 9), to: "one.gpx")
    var options = ImportOptions()
    options.isDryRun = true
    #expect(try fixture.explorer.importTracks([path], options: options).files[0].overlaps == nil)
    #expect(try fixture.explorer.importTracks([path]).files[0].overlaps == FileOverlaps())
    #expect(try fixture.explorer.importTracks([path]).files[0].overlaps == nil)
  }
}

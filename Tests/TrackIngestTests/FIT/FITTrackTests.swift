import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// Tracks, segments and courses, and whole files with every freedom of the format.
@Suite struct FITTrackTests {
  @Test func `a stop of the timer and its next start begin a segment`() {
    var writer = FITSamples.writer()
    for type in [0, 4, 0, 1, 0, 9, 8, 0, 0, 3] {
      writer.timer(type)
      writer.message(0, FITSamples.record(writer.data.count))
    }
    let read = FITSamples.decode(writer.file())
    let starts = read.events.indices.filter { read.events[$0] == .segment }
    // Positions while the timer is stopped belong to the segment before.
    #expect(
      starts.map { index in
        read.events[..<index].count { if case .fix = $0 { true } else { false } }
      } == [0, 2, 4, 7])
    #expect(read.tracks == 1)
  }

  @Test func `other events and a stop at the end begin no segment`() {
    var writer = FITSamples.writer()
    writer.define(2, global: 21, [.init(0, 1, 0), .init(1, 1, 0)])
    writer.message(0, FITSamples.record(0))
    for type in [4, 0] { writer.message(2, [9, type]) }  // a lap
    writer.message(0, FITSamples.record(1))
    writer.timer(4)
    #expect(FITSamples.decode(writer.file()).segments == 1)
  }

  @Test func `a course is a plan: its positions are route points`() {
    var writer = FITWriter()
    writer.fileType(6)
    writer.define(0, global: 20, [.timestamp, .latitude, .longitude])
    for index in 0..<3 { writer.message(0, FITSamples.record(index)) }
    writer.message(0, [FITSamples.start, 0x7FFF_FFFF, 0x7FFF_FFFF])
    let read = FITSamples.decode(writer.file())
    #expect((read.routes, read.routePoints) == (1, 3))
    #expect((read.tracks, read.fixes.count, read.skips.count) == (0, 0, 0))
    #expect(
      read.warnings.map(\.message) == [
        "The file contains no track points; it has 3 route points of a course."
      ])
    let chained = FITSamples.decode(writer.file() + FITSamples.activity().file())
    #expect((chained.routePoints, chained.fixes.count) == (3, 10))
    #expect(chained.warnings.isEmpty)
  }

  @Test func `a file without positions says what it is`() {
    var writer = FITWriter()
    writer.fileType(5)
    #expect(
      FITSamples.decode(writer.file()).warnings.map(\.message) == [
        "The file contains no positions (type of file: workout); nothing was read."
      ])
  }

  @Test(arguments: Seeds.sample(60))
  func `files with any layout give the positions that were written`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes: [UInt8] = []
    var expected: [Fix] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      bytes += file(using: &random, expected: &expected)
    }
    let read = expectSame(bytes, inAnyPiecesWith: FITDecoder(now: readingTime))
    #expect(zip(read.fixes, expected).first { $0 != $1 } == nil)
    #expect(read.fixes.count == expected.count)
    #expect(read.error == nil)
    #expect(!read.codes.contains(.malformed))
  }

  /// A file of random layouts and messages; appends the fixes that it gives.
  private func file(
    using random: inout SplitMix64, expected: inout [Fix]
  ) -> [UInt8] {
    var writer = FITWriter()
    var layouts: [Int: [FITWriter.Field]] = [:]
    let known: [FITWriter.Field] = [
      .timestamp, .latitude, .longitude, .accuracy, .enhancedAltitude, .enhancedSpeed,
    ]
    for _ in 0..<60 {
      let local = Int.random(in: 0...15, using: &random)
      guard let fields = layouts[local], Int.random(in: 0..<5, using: &random) > 0 else {
        let others = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          FITWriter.Field(
            UInt8.random(in: 100...200, using: &random), Int.random(in: 1...9, using: &random), 13)
        }
        let fields = (known + others).shuffled(using: &random)
        writer.define(
          local, global: 20, fields, isBigEndian: Bool.random(using: &random),
          developerSizes: Bool.random(using: &random) ? [3, 200] : [])
        layouts[local] = fields
        continue
      }
      let latitude = Int.random(in: -(1 << 30)...(1 << 30), using: &random)
      let longitude = Int.random(in: -(1 << 31)..<(1 << 31 - 1), using: &random)
      let seconds = Int.random(in: 0x1000_0000...FITSamples.start, using: &random)
      let meters = Int.random(in: 0...254, using: &random)
      writer.message(
        local,
        fields.map { field in
          switch field.number {
          case 253: seconds
          case 0: latitude
          case 1: longitude
          case 31: meters
          case 78: 2_500 + 5 * meters
          case 73: 1_000 * meters
          default: 0x33
          }
        })
      // Whole microdegrees, by floating point: exact for 32 bits.
      guard
        let place = Coordinate(
          latitudeE7: Int32((Double(latitude) * 3_515_625 / 4_194_304).rounded()),
          longitudeE7: Int32((Double(longitude) * 3_515_625 / 4_194_304).rounded()))
      else {
        Issue.record("a position out of range")
        continue
      }
      expected.append(
        Fix(
          coordinate: place,
          time: Timestamp(millisecondsSince1970: Int64(seconds + 631_065_600) * 1_000),
          horizontalAccuracyMeters: Double(meters), elevationMeters: Double(meters),
          speedMetersPerSecond: Double(meters)))
    }
    return writer.file(headerSize: Bool.random(using: &random) ? 12 : 14)
  }

  @Test(arguments: Seeds.sample(150))
  func `a damaged file gives the same result in pieces of any size`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes = FITSamples.activity(5).file() + FITSamples.activity(5).file()
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let length = min(Int.random(in: 1...30, using: &random), bytes.count - start)
      switch Int.random(in: 0...3, using: &random) {
      case 0: bytes.removeSubrange(start..<start + length)
      case 1: for index in start..<start + length { bytes[index] = 0 }
      case 2: bytes.insert(contentsOf: bytes[start..<start + length], at: start)
      default: bytes[start] = UInt8.random(in: 0...255, using: &random)
      }
    }
    expectSame(bytes, inAnyPiecesWith: FITDecoder(now: readingTime))
  }
}

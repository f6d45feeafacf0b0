import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// The values of records.
@Suite struct FITFieldTests {
  private func record(_ fields: [FITWriter.Field], _ values: [Int]) -> TrackRecorder {
    var writer = FITWriter()
    writer.define(0, global: 20, fields)
    writer.message(0, values)
    return FITSamples.decode(writer.file())
  }

  @Test(arguments: Seeds.sample(50))
  func `semicircles become the nearest unit of 1e-7 degree, halves away from zero`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      // Every second angle is a multiple of 2^k, so that halves occur.
      let shift = Int.random(in: 0...30, using: &random)
      let angle = Int64(Int32.random(in: .min ... .max, using: &random) >> shift) << shift
      let twice = Int128(abs(angle)) * 2 * 1_800_000_000
      let units = (twice + 1 << 31) >> 32
      #expect(Int128(FITTrackBuilder.unitsE7(angle)) == (angle < 0 ? -units : units))
    }
    // 2^21 semicircles are 1757812.5 units.
    #expect(FITTrackBuilder.unitsE7(1 << 21) == 1_757_813)
    #expect(FITTrackBuilder.unitsE7(-(1 << 21)) == -1_757_813)
    #expect(FITTrackBuilder.unitsE7(1 << 30) == 900_000_000)
    #expect(FITTrackBuilder.unitsE7(-(1 << 31)) == -1_800_000_000)
  }

  @Test func `a record has time, position, accuracy, height and speed`() {
    let read = record(
      [.timestamp, .latitude, .longitude, .accuracy, .altitude, .speed],
      [FITSamples.start, 1 << 29, -(1 << 29), 7, 2_612, 3_250])
    #expect(
      read.fixes == [
        Fix(
          coordinate: Coordinate(45, -45), time: Timestamp(iso8601: "2024-05-01T10:00:00Z"),
          horizontalAccuracyMeters: 7, elevationMeters: 22.4, speedMetersPerSecond: 3.25)
      ])
    #expect(read.warnings.isEmpty)
    #expect((read.tracks, read.segments) == (1, 1))
  }

  @Test func `enhanced height and speed take precedence where they are known`() {
    let fields: [FITWriter.Field] = [
      .latitude, .longitude, .enhancedAltitude, .altitude, .speed, .enhancedSpeed,
    ]
    let both = record(fields, [1, 1, 50_000, 2_500, 1_000, 70_000]).fixes.first
    #expect(both?.elevationMeters == 9_500 && both?.speedMetersPerSecond == 70)
    let unknown = 0xFFFF_FFFF
    let old = record(fields, [1, 1, unknown, 2_500, 1_000, unknown]).fixes.first
    #expect(old?.elevationMeters == 0 && old?.speedMetersPerSecond == 1)
    let none = record(fields, [1, 1, unknown, 0xFFFF, 0xFFFF, unknown]).fixes.first
    #expect(none?.elevationMeters == nil && none?.speedMetersPerSecond == nil)
  }

  @Test func `an unknown accuracy and an unknown time are nil`() {
    let read = record([.timestamp, .latitude, .longitude, .accuracy], [0xFFFF_FFFF, 1, 1, 0xFF])
    #expect(read.fixes.first?.horizontalAccuracyMeters == nil)
    #expect(read.times == ["-"])
    #expect(read.warnings.isEmpty)
  }

  @Test func `of an array the first element is read, and fields of another type are ignored`() {
    let array = record(
      [.latitude, .longitude, .init(78, 8, 0x86), .init(31, 3, 2)], [1, 1, 2_500, 9])
    #expect(array.fixes.first?.elevationMeters == 0)
    #expect(array.fixes.first?.horizontalAccuracyMeters == 9)
    // A float, a text, a 2-byte integer of 1 byte.
    let other = record(
      [.latitude, .longitude, .init(78, 4, 0x88), .init(73, 4, 7), .init(6, 1, 0x84)],
      [1, 1, 2_500, 9, 9])
    #expect(other.fixes.count == 1)
    #expect(other.fixes.first?.elevationMeters == nil)
    #expect(other.fixes.first?.speedMetersPerSecond == nil)
    // Two bytes are no semicircles.
    #expect(record([.init(0, 2, 0x83), .longitude], [1, 1]).fixes.isEmpty)
  }

  @Test func `0x7FFFFFFF marks a record without a position, which is no fix`() {
    let mark = 0x7FFF_FFFF
    let read = record([.latitude, .longitude], [mark, mark])
    #expect(read.fixes.isEmpty)
    #expect(read.skips == [.noFix])
    #expect(read.codes == [.leftOut])
    // As an unsigned field, all ones are unknown.
    let unsigned = record([.init(0, 4, 0x86), .init(1, 4, 0x86)], [0xFFFF_FFFF, 0xFFFF_FFFF])
    #expect(unsigned.skips == [.noFix])
    let negative = record([.init(0, 4, 0x86), .init(1, 4, 0x86)], [-(1 << 29), -(1 << 29)])
    #expect(negative.fixes.map(\.coordinate) == [Coordinate(-45, -45)])
  }

  @Test func `one coordinate alone, and a latitude beyond 90 degrees, are invalid`() {
    for (latitude, longitude) in [
      (0x7FFF_FFFF, 1), (1, 0x7FFF_FFFF), (1 << 30 + 1, 1), (-(1 << 30) - 1, 1),
    ] {
      let read = record([.latitude, .longitude], [latitude, longitude])
      #expect(read.skips == [.invalidCoordinate])
      #expect(read.codes == [.unreadable, .leftOut])
    }
    let alone = record([.latitude], [1])
    #expect(alone.skips == [.invalidCoordinate])
    #expect(record([.latitude, .longitude], [1 << 30, -(1 << 31)]).fixes.count == 1)
  }

  @Test func `a record without fields of a position says nothing about one`() {
    let read = record([.timestamp, .altitude], [FITSamples.start, 3])
    #expect(read.skips.isEmpty)
    #expect(read.tracks == 0)
    #expect(
      read.warnings.map(\.message) == [
        "The file contains no positions, only other measurements; nothing was read."
      ])
  }

  @Test func `the first of two fields with one number counts`() {
    let read = record([.latitude, .longitude, .latitude], [1 << 29, 1 << 29, 7])
    #expect(read.fixes.map(\.coordinate) == [Coordinate(45, 45)])
  }
}

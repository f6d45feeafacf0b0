import Geodesy
import TestSupport
import Testing

@testable import GeoStore

extension KeptFix {
  /// A random track in which each column may be full, empty or partly filled.
  static func randomTrack(count: Int, using random: inout SplitMix64) -> [KeptFix] {
    var coordinate = Coordinate.random(using: &random)
    let timeChance: Double = [0, 0.5, 1].randomElement(using: &random) ?? 1
    let accuracyChance: Double = [0, 0.5, 1].randomElement(using: &random) ?? 1
    let unit: Int64 = Bool.random(using: &random) ? 1_000 : 1
    let flightChance: Double = [0, 0, 0.5, 0.95].randomElement(using: &random) ?? 0
    func isFlown() -> Bool { Double.random(in: 0..<1, using: &random) < flightChance }
    var time = Int64.random(in: 0...2_000_000_000, using: &random) * 1_000
    return (0..<count).map { index in
      coordinate = coordinate.randomNeighbor(within: 200, using: &random)
      time += Int64.random(in: -5...60, using: &random) * unit
      let isDated = Double.random(in: 0..<1, using: &random) < timeChance
      let isRated = Double.random(in: 0..<1, using: &random) < accuracyChance
      let accuracy = Double(Int.random(in: 1...500, using: &random)) / (unit == 1 ? 100 : 10)
      return KeptFix(
        coordinate: coordinate, time: isDated ? Timestamp(millisecondsSince1970: time) : nil,
        accuracyMeters: isRated ? accuracy : nil,
        startsSegment: index == 0 || Int.random(in: 0..<20, using: &random) == 0,
        isInFlight: isFlown(), endsFlightLeg: isFlown())
    }
  }
}

@Suite struct FixChunkTests {
  private func decode(_ bytes: [UInt8]) throws -> [KeptFix] {
    try bytes.withUnsafeBytes { try FixChunk.decode($0) }
  }

  @Test(arguments: Seeds.sample(200))
  func `packed fixes are decoded unchanged`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let fixes = KeptFix.randomTrack(count: .random(in: 0...300, using: &random), using: &random)
    #expect(try decode(FixChunk.encode(fixes)) == fixes)
  }

  @Test(arguments: Seeds.sample(200))
  func `latitudes alone are those of the whole chunk, or both are refused`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let fixes = KeptFix.randomTrack(count: .random(in: 0...300, using: &random), using: &random)
    let latitudes = fixes.map(\.coordinate.latitudeE7)
    let bytes = FixChunk.encode(fixes)
    let found = try bytes.withUnsafeBytes { try FixChunk.decodeLatitudes($0) }
    #expect(found.count == fixes.count)
    #expect(found.latitudesE7?.lowerBound == latitudes.min())
    #expect(found.latitudesE7?.upperBound == latitudes.max())
    // What is decoded completely has latitudes, whichever bytes are wrong.
    for length in 0..<bytes.count {
      let part = Array(bytes.prefix(length))
      let hasLatitudes =
        (try? part.withUnsafeBytes { try FixChunk.decodeLatitudes($0) }) != nil
      #expect(hasLatitudes || (try? decode(part)) == nil)
    }
    guard !bytes.isEmpty else { return }
    for _ in 0..<20 {
      var wrong = bytes
      wrong[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      guard let all = try? decode(wrong) else { continue }
      let found = try wrong.withUnsafeBytes { try FixChunk.decodeLatitudes($0) }
      #expect(found.latitudesE7?.lowerBound == all.map(\.coordinate.latitudeE7).min())
      #expect(found.latitudesE7?.upperBound == all.map(\.coordinate.latitudeE7).max())
    }
  }

  @Test func `extreme values are decoded unchanged`() throws {
    let fixes = [
      KeptFix(
        coordinate: Coordinate(90, 179.999_999_9),
        time: Timestamp(millisecondsSince1970: 253_402_300_799_999),
        accuracyMeters: 1e12, startsSegment: true),
      KeptFix(
        coordinate: Coordinate(-90, -180), time: nil, accuracyMeters: nil, startsSegment: false),
      KeptFix(
        coordinate: Coordinate(0, 0), time: Timestamp(millisecondsSince1970: -1), accuracyMeters: 0,
        startsSegment: false),
    ]
    #expect(try decode(FixChunk.encode(fixes)) == fixes)
  }

  @Test func `a full chunk of extreme values is decoded unchanged`() throws {
    let fixes = (0..<FixChunk.capacity).map { index in
      let isEven = index % 2 == 0
      return KeptFix(
        coordinate: isEven ? Coordinate(90, 90) : Coordinate(-90, -89.999_999_9),
        time: index == 1
          ? nil
          : Timestamp(millisecondsSince1970: isEven ? 253_402_300_799_999 : -62_167_219_200_000),
        accuracyMeters: index == 2 ? nil : isEven ? 1e12 : 0, startsSegment: true)
    }
    #expect(try decode(FixChunk.encode(fixes)) == fixes)
  }

  @Test func `a full chunk of alternating flights is decoded unchanged`() throws {
    let fixes = (0..<FixChunk.capacity).map { index in
      KeptFix(
        coordinate: Coordinate(0, 0), time: nil, accuracyMeters: nil, startsSegment: false,
        isInFlight: index % 2 == 0, endsFlightLeg: index % 2 == 1)
    }
    #expect(try decode(FixChunk.encode(fixes)) == fixes)
  }

  @Test func `flights take a few bytes, and no byte without one`() throws {
    var random = SplitMix64(seed: 3)
    var fixes = KeptFix.randomTrack(count: 1_000, using: &random)
    for index in fixes.indices {
      (fixes[index].isInFlight, fixes[index].endsFlightLeg) = (false, false)
    }
    let bytes = FixChunk.encode(fixes)
    for index in 200..<700 { (fixes[index].isInFlight, fixes[index].endsFlightLeg) = (true, true) }
    fixes[700].endsFlightLeg = true
    let flown = FixChunk.encode(fixes)
    #expect(flown[1] == bytes[1] | 64)
    #expect(flown[2..<bytes.count] == bytes[2...], "runs follow everything else")
    #expect(flown[bytes.count...] == [1, 200, 1, 244, 3, 1, 200, 1, 245, 3])
  }

  @Test func `runs of flights that overlap, touch, are empty or leave the chunk are refused`()
    throws
  {
    let fix = KeptFix(
      coordinate: Coordinate(0, 0), time: nil, accuracyMeters: nil, startsSegment: false,
      isInFlight: true)
    let bytes = FixChunk.encode(Array(repeating: fix, count: 10))
    #expect(bytes.suffix(4) == [1, 0, 10, 0])
    for runs: [UInt8] in [
      [1, 0, 11, 0], [1, 10, 1, 0], [1, 3, 0, 0], [2, 0, 2, 0, 3, 0], [11], [1, 0, 10, 1, 0, 11],
    ] {
      #expect(throws: PackedBytesError.malformed) { try decode(bytes.dropLast(4) + runs) }
    }
  }

  @Test func `the largest number takes the maximum length of a varint`() {
    let longest = 3 * ByteWriter.longestVarintBytes
    let bytes = ByteWriter.bytes(atMost: longest) { writer in
      for _ in 0..<3 { writer.append(varint: .max) }
    }
    #expect(bytes.count == longest)
  }

  @Test func `writing more bytes than reserved ends the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = ByteWriter.bytes(atMost: ByteWriter.longestVarintBytes - 1) { $0.append(varint: .max) }
    }
  }

  @Test(arguments: Seeds.sample(20))
  func `a chunk truncated anywhere is refused`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let bytes = FixChunk.encode(KeptFix.randomTrack(count: 40, using: &random))
    for length in 0..<bytes.count {
      #expect(throws: PackedBytesError.self) { try decode(Array(bytes.prefix(length))) }
    }
    #expect(throws: PackedBytesError.malformed) { try decode(bytes + [0]) }
  }

  @Test(arguments: Seeds.sample(300))
  func `arbitrary bytes are decoded or refused, and never read out of bounds`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes = FixChunk.encode(KeptFix.randomTrack(count: 30, using: &random))
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
    }
    // Bytes that are not refused must survive a round trip, because they decode to valid values.
    if let fixes = try? decode(bytes) { #expect((try? decode(FixChunk.encode(fixes))) == fixes) }
  }

  @Test func `a typical track takes at most six bytes per fix`() {
    var random = SplitMix64(seed: 7)
    var coordinate = Coordinate(48.1, 11.5)
    let fixes = (0..<4_096).map { index in
      coordinate = coordinate.randomNeighbor(within: 75, using: &random)
      return KeptFix(
        coordinate: coordinate,
        time: Timestamp(millisecondsSince1970: Int64(1_700_000_000 + index * 30) * 1_000),
        accuracyMeters: 4 + Double(index % 9) / 10, startsSegment: index == 0)
    }
    #expect(FixChunk.encode(fixes).count <= 6 * fixes.count)
  }
}

import GeoStore
import Geodesy
import TestSupport
import Testing

@testable import Roqua

/// Where the owner was, compared with an answer that looks at every fix.
@Suite struct WhereaboutsTests {
  /// Tracks of several devices that overlap, with pauses, segments, stays, flights, fixes without a
  /// time, equal times and times that run backwards.
  private func tracks(using random: inout SplitMix64) -> [RecordedTrack] {
    (0..<Int.random(in: 1...5, using: &random)).map { _ in
      var track = RecordedTrack()
      var time = Int64.random(in: 0...40_000_000, using: &random)
      var latitude = Double.random(in: -89...89, using: &random)
      var longitude = [179.999, -179.9999, 10][Int.random(in: 0..<3, using: &random)]
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        let kind = Int.random(in: 0..<12, using: &random)
        let (step, pause): (Double, Int64) =
          switch kind {
          case 0: (0.002, .random(in: 0...200_000_000, using: &random))
          case 1: (8, .random(in: 1_000_000...9_000_000, using: &random))
          case 2: (0.0005, .random(in: -20_000...0, using: &random))
          case 3: (0.3, .random(in: 100_000...2_500_000, using: &random))
          default: (0.001, .random(in: 0...300_000, using: &random))
          }
        time += pause
        latitude += Double.random(in: -step...step, using: &random)
        latitude = max(-90, min(90, latitude))
        longitude += Double.random(in: -step...step, using: &random)
        track.fixes.append(
          KeptFix(
            coordinate: Coordinate(latitude, longitude),
            time: kind == 4 ? nil : Timestamp(millisecondsSince1970: time),
            accuracyMeters: Bool.random(using: &random)
              ? Double.random(in: 1...50, using: &random) : nil,
            startsSegment: Int.random(in: 0..<9, using: &random) == 0,
            endsFlightLeg: kind == 1 && Bool.random(using: &random)))
      }
      if Bool.random(using: &random) {
        track.end = Timestamp(millisecondsSince1970: time + 10_000_000)
      }
      return track
    }
  }

  /// Times at, just before, just after and between fixes, and far from all.
  private func questions(_ slow: SlowWhereabouts, using random: inout SplitMix64) -> [Int64] {
    let times = slow.fixes.map(\.time)
    guard let first = times.first, let last = times.last else { return [0] }
    return times.flatMap { [$0 - 1, $0, $0 + 1] }
      + (0..<200).map { _ in
        Int64.random(in: first - 100_000_000...last + 100_000_000, using: &random)
      }
      + [first - 86_400_000, first - 86_400_001, last + 86_400_000, last + 86_400_001]
      + [.min, .max]
  }

  private func expect(
    _ found: PositionEstimate?, _ expected: SlowWhereabouts.Answer?, at time: Int64
  ) {
    guard let found, let expected else {
      #expect(found == nil && expected == nil, "at \(time): \(String(describing: found))")
      return
    }
    #expect(found.time.millisecondsSince1970 == time)
    #expect(found.certainty == expected.certainty, "at \(time)")
    #expect(found.previous?.time.millisecondsSince1970 == expected.previous, "at \(time)")
    #expect(found.next?.time.millisecondsSince1970 == expected.next, "at \(time)")
    #expect(
      abs(found.uncertaintyMeters - expected.uncertainty) <= 1e-6 * expected.uncertainty + 0.01,
      "at \(time)")
    let meters = found.coordinate.distanceMeters(to: expected.coordinate)
    #expect(meters <= 1.4, "at \(time): \(found.coordinate) \(expected.coordinate)")
  }

  @Test(arguments: Seeds.sample(60))
  func `positions are those of an answer that looks at every fix`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let tracks = tracks(using: &random)
    let slow = SlowWhereabouts(tracks)
    let whereabouts = Whereabouts(Self.dated(tracks), rules: WhereaboutsRules())
    #expect(whereabouts.fixCount == slow.fixes.count)
    for time in questions(slow, using: &random) {
      // A distance in time that `Int64` cannot hold is not asked of the slow answer.
      let expected = time == .min || time == .max ? nil : slow.answer(at: time)
      expect(
        whereabouts.position(at: Timestamp(millisecondsSince1970: time)), expected, at: time)
    }
  }

  @Test func `the questions of these tests meet every certainty`() {
    var counts: [PositionCertainty: Int] = [:]
    for seed in Seeds.sample(60) {
      var random = SplitMix64(seed: seed)
      let slow = SlowWhereabouts(tracks(using: &random))
      for time in questions(slow, using: &random).dropLast(2) {
        if let answer = slow.answer(at: time) { counts[answer.certainty, default: 0] += 1 }
      }
    }
    for certainty in PositionCertainty.allCases {
      #expect(counts[certainty, default: 0] > 100, "\(certainty): \(counts)")
    }
  }

  @Test(arguments: Seeds.sample(4))
  func `a store gives the positions of its kept fixes`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let tracks = tracks(using: &random)
    let fixture = try Fixture()
    for (number, track) in tracks.enumerated() {
      try fixture.explorer.store.write { session in
        let source = try session.beginSource()
        try source.append(track.fixes)
        let digit = String(number + 1)
        _ = try source.finish(
          SourceDescription(
            sha256: String(repeating: digit, count: 64), path: digit, format: "gpx", bytes: 1,
            points: track.fixes.count, firstTime: track.fixes.compactMap(\.time).min(),
            lastTime: track.end ?? track.fixes.compactMap(\.time).max(),
            staysAtEnd: track.end != nil, report: "{}"))
      }
    }
    let whereabouts = try fixture.explorer.whereabouts()
    let slow = SlowWhereabouts(tracks)
    #expect(whereabouts.fixCount == slow.fixes.count)
    for time in questions(slow, using: &random).dropLast(2) {
      expect(
        whereabouts.position(at: Timestamp(millisecondsSince1970: time)), slow.answer(at: time),
        at: time)
    }
  }

  @Test func `a stay at a fix of the largest accuracy has that accuracy`() throws {
    let fixture = try Fixture()
    let time = Timestamp(millisecondsSince1970: 1_700_000_000_000)
    let later = Timestamp(millisecondsSince1970: 1_700_000_600_000)
    try fixture.explorer.store.write { session in
      let source = try session.beginSource()
      try source.append([
        KeptFix(
          coordinate: Coordinate(48, 11), time: time, accuracyMeters: .infinity,
          startsSegment: true)
      ])
      _ = try source.finish(
        SourceDescription(
          sha256: String(repeating: "1", count: 64), path: "1", format: "gpx", bytes: 1,
          points: 1, firstTime: time, lastTime: later, staysAtEnd: true, report: "{}"))
    }
    let position = try #require(try fixture.explorer.position(at: later))
    #expect(position.coordinate == Coordinate(48, 11))
  }

  @Test func `a store without times knows no position`() throws {
    let fixture = try Fixture()
    #expect(try fixture.explorer.position(at: Timestamp(millisecondsSince1970: 0)) == nil)
    #expect(try fixture.explorer.whereabouts().knownTimes == nil)
  }

  @Test func `the way across 180° is the short one, and a pole is no obstacle`() {
    let (west, east) = (Coordinate(10, 179.9999), Coordinate(10, -179.9997))
    #expect(west.position(toward: east, share: 0.5) == Coordinate(10, -179.9999))
    #expect(east.position(toward: west, share: 0.5) == Coordinate(10, -179.9999))
    #expect(west.position(toward: east, share: 0.25) == Coordinate(10, -180))
    let over = Coordinate(80, 0).position(toward: Coordinate(80, -180), share: 0.5)
    #expect(over.latitudeE7 >= 899_999_999)
    let antipodes = Coordinate(0, 0).position(toward: Coordinate(0, -180), share: 0.25)
    #expect(antipodes == Coordinate(0, 0))
  }

  @Test func `a place where nobody moved is a visit, the way to the next one is not`() throws {
    var track = RecordedTrack()
    let door = Coordinate(48.1, 11.5)
    func add(_ seconds: Int64, _ coordinate: Coordinate) {
      track.fixes.append(
        KeptFix(
          coordinate: coordinate, time: Timestamp(millisecondsSince1970: seconds * 1_000),
          accuracyMeters: 10, startsSegment: track.fixes.isEmpty))
    }
    add(0, door)
    add(8 * 3_600, Coordinate(48.1005, 11.5))
    add(8 * 3_600 + 60, Coordinate(48.102, 11.5))
    let whereabouts = Whereabouts(Self.dated([track]), rules: WhereaboutsRules())
    func position(_ seconds: Int64) throws -> PositionEstimate {
      try #require(
        whereabouts.position(at: Timestamp(millisecondsSince1970: seconds * 1_000)))
    }
    let night = try position(4 * 3_600)
    #expect(night.certainty == .visit && night.coordinate == door)
    #expect((60.0...67).contains(night.uncertaintyMeters))
    #expect(night.secondsToNearestFix == 4 * 3_600)
    let walk = try position(8 * 3_600 + 30)
    #expect(walk.certainty == .moving && walk.coordinate == Coordinate(48.10125, 11.5))
  }

  @Test func `a time in a privacy zone is a gap, not a stay at its rim`() throws {
    var track = RecordedTrack()
    for (hours, latitude) in [(10, 48.1), (18, 48.1001)] as [(Int64, Double)] {
      track.fixes.append(
        KeptFix(
          coordinate: Coordinate(latitude, 11.5),
          time: Timestamp(millisecondsSince1970: hours * 3_600_000), accuracyMeters: 10,
          startsSegment: true))
    }
    let middle = Timestamp(millisecondsSince1970: 14 * 3_600_000)
    func certainty(_ zones: [PrivacyZone]) -> PositionCertainty? {
      Whereabouts(
        Self.dated([track]), rules: WhereaboutsRules(zones: PrivacyZones(zones))
      ).position(at: middle)?.certainty
    }
    #expect(certainty([]) == .visit)
    #expect(certainty([PrivacyZone(center: Coordinate(48.103, 11.5), radiusMeters: 300)]) == .gap)
    #expect(certainty([PrivacyZone(center: Coordinate(48.2, 11.5), radiusMeters: 300)]) == .visit)
    // A visit that a file states, with its start and its end.
    let nearby = [PrivacyZone(center: Coordinate(48.103, 11.5), radiusMeters: 300)]
    let moved = track.fixes[1]
    track.fixes[1] = KeptFix(
      coordinate: track.fixes[0].coordinate, time: moved.time, accuracyMeters: 10,
      startsSegment: true)
    #expect(certainty(nearby) == .visit)
    // Within a segment, no fix was left out.
    track.fixes[1] = KeptFix(
      coordinate: Coordinate(48.1001, 11.5), time: track.fixes[1].time, accuracyMeters: 10,
      startsSegment: false)
    #expect(certainty([PrivacyZone(center: Coordinate(48.103, 11.5), radiusMeters: 300)]) == .visit)
  }

  /// The fixes as a store would give them.
  private static func dated(_ tracks: [RecordedTrack]) -> [DatedFix] {
    var fixes: [DatedFix] = []
    var order = Int64(0)
    for (source, track) in tracks.enumerated() {
      var segment = UInt32(source * 1_000)
      let first = fixes.count
      for fix in track.fixes {
        if fix.startsSegment { segment += 1 }
        order += 1
        guard let time = fix.time else { continue }
        fixes.append(
          DatedFix(
            time: time.millisecondsSince1970, order: order, coordinate: fix.coordinate,
            source: UInt32(source), segment: segment,
            accuracyCentimeters: fix.accuracyCentimeters ?? 2_000,
            endsFlightLeg: fix.endsFlightLeg))
      }
      order += 1
      let latest = fixes[first...].map(\.time).max()
      if let end = track.end, track.fixes.last?.time?.millisecondsSince1970 == latest,
        var last = fixes[first...].last, end.millisecondsSince1970 > last.time
      {
        (last.time, last.order, last.endsFlightLeg) = (end.millisecondsSince1970, order, false)
        (last.isStayEnd, last.accuracyCentimeters) = (true, last.accuracyCentimeters + 5_000)
        fixes.append(last)
      }
    }
    return fixes
  }
}

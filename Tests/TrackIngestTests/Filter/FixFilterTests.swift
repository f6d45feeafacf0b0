import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

@Suite struct FixFilterTests {
  /// A fix `meters` north of 48° N 11° E, `seconds` into a recording.
  private func fix(_ meters: Double, _ seconds: Double?, accuracy: Double? = 5) -> Fix {
    Fix(
      coordinate: Coordinate(48 + meters / 111_200, 11),
      time: seconds.map { Timestamp(millisecondsSince1970: 1_700_000_000_000 + Int64($0 * 1_000)) },
      horizontalAccuracyMeters: accuracy)
  }

  private func verdicts(_ segments: [[Fix]], settings: FilterSettings = FilterSettings())
    -> [Verdict]
  {
    var filter = FixFilter(settings: settings)
    var seen: [Fix] = []
    var verdicts: [Verdict] = []
    for segment in segments {
      for (index, fix) in segment.enumerated() {
        filter.push(fix, startsSegment: index == 0) {
          seen.append($0)
          verdicts.append($1)
        }
      }
    }
    filter.finish {
      seen.append($0)
      verdicts.append($1)
    }
    #expect(seen == segments.flatMap { $0 }, "each fix once, in order")
    return verdicts
  }

  private func verdicts(_ fixes: Fix..., settings: FilterSettings = FilterSettings()) -> [Verdict] {
    verdicts([fixes], settings: settings)
  }

  @Test func `the first fix is kept, and later ones that are far enough from the last kept fix`() {
    #expect(
      verdicts(fix(0, 0), fix(30, 1), fix(49, 2), fix(51, 3), fix(2, 4))
        == [.kept, .dropped(.tooClose), .dropped(.tooClose), .kept, .dropped(.tooClose)])
  }

  @Test func `a fix in a privacy zone is dropped before any other check, and ends the segment`() {
    let zone = PrivacyZone(center: fix(200, nil).coordinate, radiusMeters: 45)
    let settings = FilterSettings(zones: PrivacyZones([zone]))
    #expect(
      verdicts(
        fix(0, 0), fix(160, 10, accuracy: 900), fix(200, 20), fix(240, 30), fix(250, 31),
        fix(270, 40), settings: settings)
        == [
          .kept, .dropped(.privacyZone), .dropped(.privacyZone), .dropped(.privacyZone), .kept,
          .dropped(.tooClose),
        ])
    // Without the cut, 31 m after a kept fix would be too close.
    #expect(
      verdicts(
        fix(154, 0), fix(160, 10), fix(154, 20), settings: settings)
        == [.kept, .dropped(.privacyZone), .kept])
  }

  @Test(arguments: Seeds.sample(20))
  func `a filter with zones treats each run of fixes outside them as a segment`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let zones = (0..<3).map { _ in
      PrivacyZone(
        center: fix(.random(in: 0...3_000, using: &random), nil).coordinate,
        radiusMeters: .random(in: 10...400, using: &random))
    }
    let settings = FilterSettings(zones: PrivacyZones(zones))
    let track = (0..<400).map { index in
      // Some fixes are glitches, so that some wait for the next one.
      fix(
        Double.random(in: 0...60, using: &random) * Double(index % 60)
          + (Int.random(in: 0..<20, using: &random) == 0 ? 90_000 : 0), Double(index),
        accuracy: .random(in: 1...60, using: &random))
    }
    // The oracle: a simple test of each zone, and a filter without zones.
    var expected: [Verdict] = []
    var plain = FixFilter()
    var isCut = true
    for fix in track {
      if zones.contains(where: {
        $0.center.distanceMeters(to: fix.coordinate) <= $0.radiusMeters
      }) {
        plain.finish { expected.append($1) }
        expected.append(.dropped(.privacyZone))
        isCut = true
      } else {
        plain.push(fix, startsSegment: isCut) { expected.append($1) }
        isCut = false
      }
    }
    plain.finish { expected.append($1) }
    #expect(verdicts([track], settings: settings) == expected)
    #expect(expected.contains(.dropped(.privacyZone)) && expected.contains(.kept))
  }

  @Test func `fixes of one minute or one day are no glitches if their times say no more`() {
    func track(_ resolution: TimeResolution, _ seconds: Double...) -> [Fix] {
      seconds.enumerated().map { index, second in
        var fix = fix(Double(index % 2) * 5_000, second)
        fix.timeResolution = resolution
        return fix
      }
    }
    let kept = [Verdict](repeating: .kept, count: 4)
    #expect(
      verdicts([track(.second, 0, 0, 0, 0)])
        == [.kept, .dropped(.implausible), .dropped(.tooClose), .kept])
    #expect(verdicts([track(.minute, 0, 0, 0, 60)]) == kept)
    #expect(verdicts([track(.day, 0, 0, 0, 86_400)]) == kept)
    // 40 km in less than a minute is too far, in a day it is not.
    func far(_ resolution: TimeResolution) -> [Fix] {
      [fix(0, 0), fix(40_000, 0), fix(100, 0)].map {
        var fix = $0
        fix.timeResolution = resolution
        return fix
      }
    }
    #expect(verdicts([far(.minute)]) == [.kept, .dropped(.implausible), .kept])
    #expect(verdicts([far(.day)]) == [.kept, .kept, .kept])
    // One of two times without seconds is enough.
    var mixed = track(.second, 0, 0, 0, 0)
    mixed[1].timeResolution = .minute
    #expect(verdicts([mixed])[1] == .kept)
    // They are too soon only if that is certain: 10:05 and 10:06 may be nearly two minutes apart.
    let minute = track(.minute, 0, 0, 0, 60)
    for (interval, expected) in [
      (60, kept), (120, [.kept, .dropped(.tooSoon), .dropped(.tooSoon), .kept]),
      (121, [.kept, .dropped(.tooSoon), .dropped(.tooSoon), .dropped(.tooSoon)]),
    ] as [(Double, [Verdict])] {
      let settings = FilterSettings(minimumIntervalSeconds: interval)
      #expect(verdicts([minute], settings: settings) == expected, "\(interval) s")
    }
  }

  @Test(arguments: Seeds.sample(20))
  func `a track below the maximum speed has no glitches in whole minutes`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let speed = Double.random(in: 20...340, using: &random)
    let step = Double.random(in: 5...150, using: &random)
    let start = Double.random(in: 0..<60, using: &random)
    let settings = FilterSettings(maximumSpeedMetersPerSecond: speed * 1.01)
    let track = (0..<200).map { index in
      let seconds = start + Double(index) * step
      // North and back, so that some legs end where others began.
      var fix = fix(abs(Double(index % 40) - 20) * step * speed, (seconds / 60).rounded(.down) * 60)
      fix.timeResolution = .minute
      return fix
    }
    #expect(!verdicts([track], settings: settings).contains(.dropped(.implausible)))
  }

  @Test func `a fix exactly at the tracking distance is kept`() {
    let (a, b) = (fix(0, 0), fix(60, 1))
    let distance = a.coordinate.distanceMeters(to: b.coordinate)
    #expect(
      verdicts(a, b, settings: FilterSettings(trackingDistanceMeters: distance)) == [.kept, .kept])
    #expect(
      verdicts(a, b, settings: FilterSettings(trackingDistanceMeters: distance.nextUp))
        == [.kept, .dropped(.tooClose)])
    #expect(verdicts(a, a, settings: FilterSettings(trackingDistanceMeters: 0)) == [.kept, .kept])
  }

  @Test(
    arguments: [
      (nil, true), (0.001, true), (50, true), (50.001, false), (0, false), (-1, false),
      (.nan, false),
      (.infinity, false), (-Double.infinity, false),
    ] as [(Double?, Bool)])
  func `accuracy must be above zero and not above the limit, or unknown`(
    accuracy: Double?, isKept: Bool
  ) {
    // NaN differs from itself, so the order cannot be checked by comparing fixes here.
    var filter = FixFilter()
    var verdicts: [Verdict] = []
    filter.push(fix(0, 0, accuracy: accuracy), startsSegment: true) { verdicts.append($1) }
    #expect(verdicts == [isKept ? .kept : .dropped(.inaccurate)])
  }

  @Test
  func `exactly 0,0 is dropped as null island before other checks, and the equator is kept`() {
    let nowhere = Fix(coordinate: Coordinate(0, 0), horizontalAccuracyMeters: 500)
    let nearby = Fix(coordinate: Coordinate(0, 0.000_000_1), horizontalAccuracyMeters: 5)
    #expect(verdicts(nowhere, nearby) == [.dropped(.nullIsland), .kept])
  }

  @Test func `the interval is checked before the distance, both from the last kept fix`() {
    let settings = FilterSettings(minimumIntervalSeconds: 5)
    #expect(
      verdicts(
        fix(0, 0), fix(10, 4.999), fix(100, 4.999), fix(10, 5), fix(100, 5), fix(200, nil),
        settings: settings
      )
        == [.kept, .dropped(.tooSoon), .dropped(.tooSoon), .dropped(.tooClose), .kept, .kept])
  }

  @Test func `a decreasing time is not too soon`() {
    let settings = FilterSettings(minimumIntervalSeconds: 5)
    #expect(
      verdicts(fix(0, 100), fix(100, 99), fix(200, 0), settings: settings) == [.kept, .kept, .kept])
    #expect(verdicts(fix(0, 100), fix(100, 99)) == [.kept, .kept])
  }

  @Test func `a new segment ignores the last kept fix of the previous one`() {
    #expect(
      verdicts([[fix(0, 0), fix(1, 1)], [fix(2, 2), fix(3, 3)]])
        == [.kept, .dropped(.tooClose), .kept, .dropped(.tooClose)])
  }

  // MARK: The lone glitch

  @Test func `a lone far fix is implausible`() {
    #expect(
      verdicts(fix(0, 0), fix(5_000, 1), fix(100, 2)) == [.kept, .dropped(.implausible), .kept])
    #expect(verdicts(fix(0, 0), fix(349, 1), fix(0, 2)) == [.kept, .kept, .kept])
  }

  @Test func `two far fixes in a row are a flight and are kept`() {
    #expect(
      verdicts(fix(0, 0), fix(500_000, 60), fix(500_100, 61), fix(500_200, 62)) == [
        .kept, .kept, .kept, .kept,
      ])
    #expect(
      verdicts(fix(0, 0), fix(5_000, 1), fix(5_100, 2), fix(0, 3)) == [.kept, .kept, .kept, .kept])
  }

  @Test func `the first and the last fix of a segment are never glitches`() {
    #expect(verdicts(fix(5_000, 0), fix(0, 1), fix(100, 2)) == [.kept, .kept, .kept])
    #expect(verdicts(fix(0, 0), fix(100, 1), fix(5_000, 2)) == [.kept, .kept, .kept])
    #expect(verdicts([[fix(0, 0), fix(5_000, 1)], [fix(100, 2)]]) == [.kept, .kept, .kept])
  }

  @Test func `speed is measured from the previous fix, kept or not`() {
    // From the last kept fix, 10 s earlier, 1000 m would be slow enough.
    #expect(
      verdicts(fix(0, 0), fix(20, 9), fix(1_000, 10), fix(30, 11))
        == [.kept, .dropped(.tooClose), .dropped(.implausible), .dropped(.tooClose)])
  }

  @Test func `after a glitch speed is measured from the fix before the glitch`() {
    #expect(
      verdicts(fix(0, 0), fix(9_000, 1), fix(100, 2), fix(9_000, 3), fix(200, 4))
        == [.kept, .dropped(.implausible), .kept, .dropped(.implausible), .kept])
  }

  @Test func `undated fixes are never glitches and never confirm one`() {
    #expect(verdicts(fix(0, nil), fix(5_000, nil), fix(0, nil)) == [.kept, .kept, .kept])
    #expect(verdicts(fix(0, 0), fix(5_000, 1), fix(100, nil)) == [.kept, .kept, .kept])
  }

  @Test
  func `equal times count as 1 s apart, and the sign of a time difference is ignored`() {
    #expect(verdicts(fix(0, 0), fix(300, 0), fix(0, 0)) == [.kept, .kept, .kept])
    #expect(
      verdicts(fix(0, 0), fix(400, 0), fix(0, 0)) == [
        .kept, .dropped(.implausible), .dropped(.tooClose),
      ])
    #expect(
      verdicts(fix(0, 9), fix(5_000, 8), fix(100, 7)) == [.kept, .dropped(.implausible), .kept])
    #expect(verdicts(fix(0, 900), fix(5_000, 100), fix(100, 7)) == [.kept, .kept, .kept])
  }

  @Test func `inaccurate fixes do not confirm a glitch, and wait for the decision about it`() {
    #expect(
      verdicts(fix(0, 0), fix(5_000, 1), fix(5_000, 2, accuracy: 900), fix(100, 3))
        == [.kept, .dropped(.implausible), .dropped(.inaccurate), .kept])
    #expect(
      verdicts(fix(0, 0), fix(5_000, 1), fix(0, 2, accuracy: 900), fix(5_100, 3))
        == [.kept, .kept, .dropped(.inaccurate), .kept])
  }

  @Test func `the decision about a suspected glitch waits for a bounded number of fixes`() {
    let crowd = (0..<FixFilter.longestWait).map { fix(0, Double($0) + 2, accuracy: 900) }
    let all = verdicts([[fix(0, 0), fix(5_000, 1)] + crowd + [fix(0, 1_000)]])
    #expect(all[1] == .kept)
    let shorter = verdicts([[fix(0, 0), fix(5_000, 1)] + crowd.dropLast() + [fix(0, 2)]])
    #expect(shorter[1] == .dropped(.implausible))
  }

  @Test func `a glitch that is too soon or too close is dropped for that reason`() {
    let soon = FilterSettings(minimumIntervalSeconds: 5)
    #expect(
      verdicts(fix(0, 0), fix(9_000, 1), fix(100, 6), settings: soon) == [
        .kept, .dropped(.tooSoon), .kept,
      ])
    // A receiver that returns for a moment to the position of the last kept fix.
    #expect(
      verdicts(
        fix(0, 0), fix(49, 100), fix(0, 101), fix(49, 102),
        settings: FilterSettings(maximumSpeedMetersPerSecond: 40))
        == [.kept, .dropped(.tooClose), .dropped(.tooClose), .dropped(.tooClose)])
  }

  // MARK: Properties

  @Test(arguments: Seeds.sample(150))
  func `verdicts equal those of the slow reference filter`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let settings = FilterSettings(
      maximumAccuracyMeters: 50,
      trackingDistanceMeters: [0, 10, 50, 500].randomElement(using: &random) ?? 50,
      minimumIntervalSeconds: [0, 0, 3, 90].randomElement(using: &random) ?? 0,
      maximumSpeedMetersPerSecond: [20, 350].randomElement(using: &random) ?? 350)
    var segments = (0..<4).map { _ in segment(using: &random) }
    // In some segments, times without seconds and dates alone.
    for index in segments[3].indices {
      segments[3][index].timeResolution =
        [.second, .second, .minute, .day].randomElement(using: &random) ?? .second
    }
    let expected = segments.flatMap { SlowFixFilter.verdicts(of: $0, settings: settings) }
    let actual = verdicts(segments, settings: settings)
    #expect(zip(actual, expected).enumerated().first { $0.element.0 != $0.element.1 } == nil)
    #expect(actual.count == expected.count)
  }

  /// A walk with steps of all sizes, glitches, jumps, missing or decreasing times, and bad fixes.
  private func segment(using random: inout SplitMix64) -> [Fix] {
    var place = Coordinate.random(using: &random)
    var milliseconds: Int64 = 1_700_000_000_000
    let stride = [3.0, 30.0, 200.0][Int.random(in: 0..<3, using: &random)]
    let accuracies: [Double?] = [nil, 5.0, 5, 5, 50, 51, 0]
    let steps: [Int64] = [0, 200, 1_000, 1_000, 1_000, 5_000, -1_000]
    var fixes: [Fix] = []
    for _ in 0..<Int.random(in: 1...150, using: &random) {
      place = place.randomNeighbor(within: stride, using: &random)
      milliseconds += steps.randomElement(using: &random) ?? 1_000
      var shown = place
      switch Int.random(in: 0..<40, using: &random) {
      case 0, 1, 2: shown = place.randomNeighbor(within: 20_000, using: &random)
      case 3: place = Coordinate.random(using: &random)
      case 4: shown = Coordinate(0, 0)
      default: break
      }
      let isDated = Int.random(in: 0..<12, using: &random) > 0
      fixes.append(
        Fix(
          coordinate: shown, time: isDated ? Timestamp(millisecondsSince1970: milliseconds) : nil,
          horizontalAccuracyMeters: accuracies.randomElement(using: &random).flatMap { $0 }))
    }
    return fixes
  }

  @Test(arguments: Seeds.sample(50))
  func `the quick bound is never below the distance`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let a = Coordinate.random(using: &random)
      let b =
        Bool.random(using: &random)
        ? Coordinate.random(using: &random) : a.randomNeighbor(within: 10_000, using: &random)
      #expect(a.mostMeters(to: b) >= a.distanceMeters(to: b) - 1e-3, "\(a) \(b)")
    }
    // Along a meridian from the pole, and along the equator, the bound is tightest.
    #expect(
      Coordinate(90, 0).mostMeters(to: Coordinate(89, 0))
        >= Coordinate(90, 0).distanceMeters(to: Coordinate(89, 0)))
    #expect(
      Coordinate(0, 0).mostMeters(to: Coordinate(0, 1))
        >= Coordinate(0, 0).distanceMeters(to: Coordinate(0, 1)))
  }
}

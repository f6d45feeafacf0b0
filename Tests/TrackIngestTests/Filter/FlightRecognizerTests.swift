import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

@Suite struct FlightRecognizerTests {
  /// A track to the east on 50° N, leg by leg.
  private struct Path {
    var fixes: [Fix] = []
    private var (meters, seconds) = (0.0, 0.0)

    init() { add() }

    private mutating func add() {
      fixes.append(
        Fix(
          coordinate: Coordinate(50, 8 + meters / 71_700),
          time: Timestamp(
            millisecondsSince1970: 1_700_000_000_000 + Int64((seconds * 1_000).rounded())),
          horizontalAccuracyMeters: 10))
    }

    /// Legs of one speed (m/s).
    mutating func go(_ speed: Double, legs: Int = 1, of duration: Double) {
      for _ in 0..<legs {
        meters += speed * duration
        seconds += duration
        add()
      }
    }
  }

  private func path(_ build: (inout Path) -> Void) -> [Fix] {
    var path = Path()
    build(&path)
    return path.fixes
  }

  private struct Outcome: Equatable {
    var flights = 0
    var isInFlight: [Bool] = []
    var endsFlightLeg: [Bool] = []
    /// The largest number of fixes held back.
    var wait = 0
  }

  private func outcome(
    _ fixes: [Fix], settings: FilterSettings = FilterSettings(), isLive: Bool = false
  ) -> Outcome {
    var recognizer = FlightRecognizer(settings: settings, isLive: isLive)
    var seen: [AcceptedFix] = []
    var outcome = Outcome()
    for (index, fix) in fixes.enumerated() {
      recognizer.push(AcceptedFix(fix: fix, startsSegment: index == 0)) { seen.append($0) }
      outcome.wait = max(outcome.wait, index + 1 - seen.count)
    }
    recognizer.finish { seen.append($0) }
    #expect(seen.map(\.fix) == fixes, "each fix once, in order")
    outcome.flights = recognizer.flightCount
    outcome.isInFlight = seen.map(\.isInFlight)
    outcome.endsFlightLeg = seen.map(\.endsFlightLeg)
    return outcome
  }

  private func inFlight(_ fixes: [Fix], isLive: Bool = false) -> [Int] {
    let flags = outcome(fixes, isLive: isLive).isInFlight
    return flags.indices.filter { flags[$0] }
  }

  @Test func `a flight in fixes of a minute is marked from the climb to the approach`() {
    let fixes = path {
      $0.go(1, legs: 5, of: 60)  // 0...5: in the airport
      $0.go(60, of: 60)  // 6: climb
      $0.go(230, legs: 30, of: 60)  // 7...36
      $0.go(70, legs: 2, of: 60)  // 37, 38: approach
      $0.go(2, legs: 5, of: 60)
    }
    #expect(inFlight(fixes) == Array(6...37))
    let found = outcome(fixes)
    #expect(found.flights == 1)
    #expect(found.endsFlightLeg.indices.filter { found.endsFlightLeg[$0] } == Array(6...38))
  }

  @Test func `no line of a train, a maglev, a car or a walk is a flight`() {
    for (speed, seconds) in [(89.0, 10.0), (97, 60), (109, 600), (55, 1), (36, 5), (1.4, 60)] {
      let found = outcome(path { $0.go(speed, legs: 400, of: seconds) })
      #expect(found.flights == 0 && !found.isInFlight.contains(true))
    }
    // The Shanghai maglev: 120 m/s for less than a minute.
    let maglev = path {
      $0.go(80, legs: 8, of: 10)
      $0.go(119, legs: 5, of: 10)
      $0.go(80, legs: 8, of: 10)
    }
    #expect(outcome(maglev).flights == 0)
  }

  @Test func `a jump between two airports is a flight of which no fix is in the air`() {
    let fixes = path {
      $0.go(1, legs: 3, of: 60)
      $0.go(200, of: 3_000)
      $0.go(1, legs: 3, of: 60)
    }
    let found = outcome(fixes)
    #expect(found.flights == 1)
    #expect(!found.isInFlight.contains(true))
    #expect(found.endsFlightLeg == [false, false, false, false, true, false, false, false])
  }

  @Test func `a jump of less than 100 km, or out and back, is no flight`() {
    #expect(outcome(path { $0.go(200, of: 490) }).flights == 0)
    #expect(outcome(path { $0.go(200, of: 510) }).flights == 1)
    #expect(
      outcome(
        path {
          $0.go(200, of: 1_000)
          $0.go(-200, of: 1_000)
        }
      ).flights == 0)
    #expect(
      outcome(
        path {
          $0.go(1, legs: 9, of: 60)
          for _ in 0..<20 {
            $0.go(200, of: 30)
            $0.go(-200, of: 30)
          }
        }
      ).flights == 0)
  }

  @Test func `a track without times, or with times that run backward, has no flight`() {
    let fixes = path { $0.go(230, legs: 40, of: 60) }
    #expect(outcome(fixes).flights == 1)
    #expect(outcome(fixes.map { Fix(coordinate: $0.coordinate) }).flights == 0)
    #expect(outcome(fixes.reversed()).flights == 0)
  }

  @Test func `a track that begins and ends in the air is in flight at both ends`() {
    #expect(inFlight(path { $0.go(230, legs: 5, of: 60) }) == Array(0...5))
    // Ten minutes are long enough to land and roll to the gate.
    #expect(inFlight(path { $0.go(230, legs: 5, of: 600) }) == Array(1...4))
  }

  @Test func `the end of a flight is on the ground if the traveler stayed or rode away slowly`() {
    func fixes(_ speed: Double, _ seconds: Double) -> [Fix] {
      path {
        $0.go(speed, of: seconds)
        $0.go(230, legs: 4, of: 60)
        $0.go(speed, of: seconds)
      }
    }
    #expect(inFlight(fixes(3, 600)) == [2, 3, 4])
    #expect(inFlight(fixes(28, 3_600)) == [2, 3, 4])
    #expect(inFlight(fixes(40, 1_500)) == [1, 2, 3, 4, 5])
  }

  @Test func `ends without accuracy are drawn with the flight unless another fix is near`() {
    func ends(_ meters: Double, accuracy: Double?) -> [Int] {
      var fixes = path {
        $0.go(meters / 7_200, of: 7_200)
        $0.go(200, legs: 4, of: 1_500)
        $0.go(meters / 7_200, of: 7_200)
      }
      for index in fixes.indices { fixes[index].horizontalAccuracyMeters = accuracy }
      return inFlight(fixes)
    }
    #expect(ends(40_000, accuracy: nil) == [1, 2, 3, 4, 5])
    #expect(ends(40_000, accuracy: 50) == [2, 3, 4])
    #expect(ends(4_900, accuracy: nil) == [2, 3, 4])
  }

  @Test func `a maximum speed below that of flights recognizes none`() {
    let fixes = path { $0.go(230, legs: 40, of: 60) }
    let settings = FilterSettings(maximumSpeedMetersPerSecond: 100)
    #expect(outcome(fixes, settings: settings).flights == 0)
  }

  @Test func `a recording holds back fixes only at the speed of a flight, for a minute`() {
    let fixes = path {
      $0.go(80, legs: 100, of: 5)  // 0...100: a train
      $0.go(230, legs: 100, of: 5)  // 101...200
      $0.go(70, legs: 10, of: 5)  // 201...210
      $0.go(2, legs: 10, of: 60)
    }
    let found = outcome(fixes, isLive: true)
    #expect(found.flights == 1)
    #expect(found.wait == 11, "60 s are 12 legs; the last one decides")
    #expect(inFlight(fixes, isLive: true) == Array(101...209))
    #expect(outcome(path { $0.go(89, legs: 500, of: 2) }, isLive: true).wait == 0)
  }

  @Test(arguments: Seeds.sample(60))
  func `the recognizer agrees with the rules applied to the whole source`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let durations = [0.5, 1, 5, 30, 60, 200, 300, 400, 1_000]
    let speeds: [Double] = [0.5, 15, 25, 49, 52, 80, 105, 115, 230, 230, 230, 340, 400]
    var fixes = path { path in
      for _ in 0..<Int.random(in: 1...40, using: &random) {
        let speed = speeds.randomElement(using: &random) ?? 1
        let back = Int.random(in: 0..<8, using: &random) == 0 ? -1.0 : 1
        path.go(
          speed * back, legs: .random(in: 1...12, using: &random),
          of: durations.randomElement(using: &random) ?? 1)
      }
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      let index = Int.random(in: fixes.indices, using: &random)
      fixes[index].time = Bool.random(using: &random) ? nil : fixes[0].time
    }
    if Bool.random(using: &random) {
      for index in fixes.indices { fixes[index].horizontalAccuracyMeters = nil }
    }
    let found = outcome(fixes)
    let expected = SlowFlightRecognizer(fixes, longestWait: FlightRecognizer.longestWait)
    #expect(found.flights == expected.flights.count)
    #expect(found.isInFlight == expected.isInFlight)
    #expect(found.endsFlightLeg == expected.endsFlightLeg)
  }

  @Test func `a long ride before a flight is held back within the limit`() {
    for legs in [1_000, 1_021, 1_022, 1_023, 1_024, 1_025, 1_500, 5_000] {
      let fixes = path {
        $0.go(80, legs: legs, of: 1)
        $0.go(230, legs: 100, of: 1)
      }
      let found = outcome(fixes)
      let expected = SlowFlightRecognizer(fixes, longestWait: FlightRecognizer.longestWait)
      #expect(found.wait <= FlightRecognizer.longestWait)
      #expect(found.isInFlight == expected.isInFlight)
      #expect(found.endsFlightLeg == expected.endsFlightLeg)
    }
  }
}

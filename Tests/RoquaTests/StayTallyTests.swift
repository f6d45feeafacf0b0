import Geodesy
import TestSupport
import Testing

@testable import Roqua

@Suite struct StayTallyTests {
  private func stays(_ fixes: [(Int64, Coordinate, String)]) -> [String: Double] {
    var tally = StayTally<String>()
    for (seconds, coordinate, place) in fixes { tally.take(time: seconds * 1_000, at: coordinate, in: place) }
    return tally.stays.mapValues(\.seconds)
  }

  @Test func `time between fixes in one place is a stay, time between places is not`() {
    let home = Coordinate(48.1, 11.5)
    #expect(
      stays([(0, home, "A"), (7_200, home, "A"), (9_000, home, "B"), (9_100, home, "B"), (9_200, home, "A")])
        == ["A": 7_200, "B": 100])
  }

  @Test func `silence of more than a day is no stay`() {
    let home = Coordinate(48.1, 11.5)
    #expect(stays([(0, home, "A"), (86_400, home, "A")]) == ["A": 86_400])
    #expect(stays([(0, home, "A"), (86_401, home, "A")]).isEmpty)
  }

  @Test func `a flight is no stay`() {
    // A degree of latitude is 111.2 km here: 70 m/s take 1 589 s.
    let (south, north) = (Coordinate(48, 11), Coordinate(49, 11))
    #expect(stays([(0, south, "A"), (1_500, north, "A")]).isEmpty)
    #expect(stays([(0, south, "A"), (1_700, north, "A")]) == ["A": 1_700])
    // Two fixes of one moment are no time at all.
    #expect(stays([(0, south, "A"), (0, north, "A")]).isEmpty)
  }

  @Test(arguments: Seeds.sample(50))
  func `stays add up to the time that is accounted for`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var fixes: [(Int64, Coordinate, String)] = []
    var (time, coordinate) = (Int64(0), Coordinate.random(using: &random))
    for _ in 0..<200 {
      time += Int64([1, 60, 3_600, 100_000].randomElement(using: &random) ?? 1)
      coordinate = coordinate.randomNeighbor(within: 5_000, using: &random)
      fixes.append((time, coordinate, ["A", "B"].randomElement(using: &random) ?? "A"))
    }
    var expected: [String: Double] = [:]
    for (first, second) in zip(fixes, fixes.dropFirst()) where first.2 == second.2 {
      let seconds = Double(second.0 - first.0)
      let meters = first.1.distanceMeters(to: second.1)
      if seconds > 0, seconds <= 86_400, meters / seconds <= 70 { expected[first.2, default: 0] += seconds }
    }
    #expect(stays(fixes) == expected)
  }
}

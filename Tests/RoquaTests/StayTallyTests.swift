import Geodesy
import TestSupport
import Testing

@testable import Roqua

@Suite struct StayTallyTests {
  private struct Fix {
    var seconds: Int64
    var coordinate: Coordinate
    var place: String
    var source = 0
  }

  private static let regionRadiusMeters = 150.0

  /// The stays of these fixes; fixes of one source keep their order.
  private func stays(_ fixes: [Fix]) -> [String: Double] {
    var tally = StayTally<String>(regionRadiusMeters: Self.regionRadiusMeters)
    let order = fixes.indices.sorted {
      (fixes[$0].seconds, fixes[$0].source, $0) < (fixes[$1].seconds, fixes[$1].source, $1)
    }
    for fix in order.map({ fixes[$0] }) {
      tally.take(time: fix.seconds * 1_000, at: fix.coordinate, in: fix.place, source: fix.source)
    }
    return tally.stays.mapValues(\.seconds)
  }

  private func stays(_ fixes: [(Int64, Coordinate, String)]) -> [String: Double] {
    stays(fixes.map { Fix(seconds: $0.0, coordinate: $0.1, place: $0.2) })
  }

  @Test func `time between fixes in one place is a stay, time between two places is not`() {
    let home = Coordinate(48.1, 11.5)
    #expect(
      stays([
        (0, home, "A"), (7_200, home, "A"), (9_000, home, "B"), (9_100, home, "B"),
        (9_200, home, "A"),
      ])
        == ["A": 7_200, "B": 100])
  }

  @Test func `a gap of over a day is a stay only within one region and one source`() {
    let home = Coordinate(48.1, 11.5)
    // 0.002° of latitude is 222 m, less than the 300 m across a region; 0.003° is 334 m.
    let (near, far) = (Coordinate(48.102, 11.5), Coordinate(48.103, 11.5))
    #expect(stays([(0, home, "A"), (86_400, far, "A")]) == ["A": 86_400])
    #expect(stays([(0, home, "A"), (86_401, far, "A")]).isEmpty)
    #expect(stays([(0, home, "A"), (86_401, near, "A")]) == ["A": 86_401])
    #expect(stays([(0, home, "A"), (86_401, near, "B")]).isEmpty)
    // A receiver that was off gives no evidence: one file ends here, another begins here.
    let two = [
      Fix(seconds: 0, coordinate: home, place: "A", source: 1),
      Fix(seconds: 86_401, coordinate: home, place: "A", source: 2),
    ]
    #expect(stays(two).isEmpty)
  }

  @Test func `a silence of over a day is no stay if another source was elsewhere in it`() {
    let (home, away) = (Coordinate(48.1, 11.5), Coordinate(52.5, 13.4))
    let year: Int64 = 365 * 86_400
    let silent = [0, year].map { Fix(seconds: $0, coordinate: home, place: "A", source: 1) }
    /// With fixes of another source at these times, in a place.
    func seconds(with times: [Int64], in place: String) -> Double? {
      stays(
        silent + times.map { Fix(seconds: $0, coordinate: away, place: place, source: 2) })["A"]
    }
    #expect(seconds(with: [], in: "B") == Double(year))
    #expect(seconds(with: [year / 2], in: "B") == nil)
    // At home, or before and after, it does not matter.
    #expect(seconds(with: [year / 2], in: "A") == Double(year))
    #expect(seconds(with: [-1, 0, year, year + 1], in: "B") == Double(year))
    // For up to a day, both devices count.
    let short = [Int64(0), 86_400].map { Fix(seconds: $0, coordinate: home, place: "A", source: 1) }
    let other = Fix(seconds: 43_200, coordinate: away, place: "B", source: 2)
    #expect(stays(short + [other]) == ["A": 86_400])
  }

  @Test(arguments: Seeds.sample(100))
  func `two positions are within a distance if they are on the ellipsoid`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<200 {
      let from = Coordinate.random(using: &random)
      let reach: Double = [100, 10_000, 1_000_000].randomElement(using: &random) ?? 1
      let to = from.randomNeighbor(within: reach, using: &random)
      let exact = from.distanceMeters(to: to)
      for meters in [exact, exact.nextDown, exact * 0.999, exact * 1.001, exact * 1.5] {
        #expect(StayTally<Int>.areWithin(meters, from, to) == (exact <= meters))
      }
    }
  }

  @Test func `a flight is not a stay`() {
    // A degree of latitude is 111.2 km here, which takes 1 589 s at 70 m/s.
    let (south, north) = (Coordinate(48, 11), Coordinate(49, 11))
    #expect(stays([(0, south, "A"), (1_500, north, "A")]).isEmpty)
    #expect(stays([(0, south, "A"), (1_700, north, "A")]) == ["A": 1_700])
    // Two fixes at the same time have no duration.
    #expect(stays([(0, south, "A"), (0, north, "A")]).isEmpty)
  }

  @Test func `stays of two devices do not interrupt each other, and time counts once`() {
    let (here, there) = (Coordinate(48.1, 11.5), Coordinate(48.2, 11.5))
    var fixes: [Fix] = []
    for step in Int64(0)..<30 {
      fixes.append(Fix(seconds: step * 600, coordinate: here, place: "A", source: 1))
      fixes.append(Fix(seconds: step * 600 + 300, coordinate: there, place: "B", source: 2))
    }
    #expect(stays(fixes) == ["A": 17_400, "B": 17_400])
    // The same ride twice is one stay, and so is a file that continues where another ended.
    #expect(
      stays(fixes + fixes.map { with($0, source: $0.source + 5) }) == ["A": 17_400, "B": 17_400])
    let halves = fixes.filter { $0.source == 1 }.map {
      with($0, source: $0.seconds < 9_000 ? 1 : 2)
    }
    #expect(stays(halves) == ["A": 17_400])
  }

  private func with(_ fix: Fix, source: Int) -> Fix {
    var fix = fix
    fix.source = source
    return fix
  }

  @Test(arguments: Seeds.sample(40))
  func `stays equal those found by testing all pairs of fixes in each interval`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var fixes: [Fix] = []
    for source in 0..<Int.random(in: 1...4, using: &random) {
      var (time, coordinate) = (Int64.random(in: 0...3, using: &random) * 600, Coordinate(47, 8))
      for _ in 0..<Int.random(in: 1...25, using: &random) {
        time += [0, 0, 1, 60, 600, 600, 3_600, 90_000].randomElement(using: &random) ?? 1
        coordinate = coordinate.randomNeighbor(
          within: [50, 250, 5_000, 90_000].randomElement(using: &random) ?? 50, using: &random)
        let place = ["A", "A", "B"].randomElement(using: &random) ?? "A"
        fixes.append(Fix(seconds: time, coordinate: coordinate, place: place, source: source))
      }
    }
    let expected = slowStays(fixes)
    #expect(stays(fixes) == expected)
    // The source numbers, which follow the order of import, make no difference.
    let names = [0, 1, 2, 3].shuffled(using: &random)
    #expect(stays(fixes.map { with($0, source: names[$0.source]) }) == expected)
  }

  /// For each interval between two adjacent fix times: the places that any pair of fixes around the
  /// interval assigns to it.
  private func slowStays(_ fixes: [Fix]) -> [String: Double] {
    let pairs = fixes.indices.flatMap { first in
      fixes.indices.filter { fixes[$0].seconds > fixes[first].seconds && isStay(fixes, first, $0) }
        .map { (fixes[first], fixes[$0]) }
    }
    let times = Set(fixes.map(\.seconds)).sorted()
    var stays: [String: Double] = [:]
    for (start, end) in zip(times, times.dropFirst()) {
      let around = pairs.filter { $0.0.seconds <= start && $0.1.seconds >= end }
      for place in Set(around.map(\.0.place)) { stays[place, default: 0] += Double(end - start) }
    }
    return stays
  }

  private func isStay(_ fixes: [Fix], _ first: Int, _ second: Int) -> Bool {
    let (from, to) = (fixes[first], fixes[second])
    let areOfOneSource = from.source == to.source
    // Fixes are grouped by source, in file order. Of several fixes at the same time, a stay ends at
    // the first and starts at the last.
    let isLast = !fixes.indices.contains {
      fixes[$0].source == from.source && fixes[$0].seconds == from.seconds && $0 > first
    }
    let isFirst = !fixes.indices.contains {
      fixes[$0].source == to.source && fixes[$0].seconds == to.seconds && $0 < second
    }
    let isInterrupted = fixes.contains {
      $0.seconds > from.seconds && $0.seconds < to.seconds
        && (!areOfOneSource || $0.source == from.source)
    }
    let isAnyElsewhere = fixes.contains {
      $0.seconds > from.seconds && $0.seconds < to.seconds && $0.place != from.place
    }
    let seconds = Double(to.seconds - from.seconds)
    let meters = from.coordinate.distanceMeters(to: to.coordinate)
    return isLast && isFirst && !isInterrupted && from.place == to.place && meters / seconds <= 70
      && (seconds <= 86_400 || (areOfOneSource && meters <= 300 && !isAnyElsewhere))
  }
}

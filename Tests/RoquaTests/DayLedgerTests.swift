import Geodesy
import TestSupport
import Testing

@testable import Roqua

@Suite struct DayLedgerTests {
  private struct Moment {
    let day: Int
    let isMidnight: Bool
    let country: String
    /// The dates since the moment before that no clock showed.
    var missing: Set<Int> = []
  }

  private func ledger(_ moments: [Moment]) -> DayLedger<String> {
    var ledger = DayLedger<String>()
    for moment in moments {
      ledger.take(
        day: moment.day, isMidnight: moment.isMidnight, in: moment.country,
        missing: moment.missing)
    }
    return ledger
  }

  @Test(arguments: Seeds.sample(200))
  func `days and nights equal those found by asking for each day and country`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var (moments, day): ([Moment], Int) = ([], 100)
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      // Now and then back over the date line, now and then a gap.
      let before = day
      day += [0, 0, 0, 1, 1, 1, 2, 5, -1].randomElement(using: &random) ?? 0
      let missing =
        moments.isEmpty
        ? []
        : (min(before + 1, day)..<day).filter { _ in
          Int.random(in: 0..<4, using: &random) == 0
        }
      moments.append(
        Moment(
          day: day, isMidnight: Int.random(in: 0..<6, using: &random) == 0,
          country: ["A", "A", "B", "C"].randomElement(using: &random) ?? "A",
          missing: Set(missing)))
    }
    let ledger = ledger(moments)
    let pairs = Array(zip(moments, moments.dropFirst()))
    var known: (days: Set<Int>, nights: Set<Int>) = ([], [])
    for country in Set(moments.map(\.country)) {
      var expected = DayLedger<String>.Account()
      for day in 80...400 {
        if moments.contains(where: { $0.day == day && $0.country == country }) {
          expected.days.insert(day)
        }
        // The first moment of a day, unless the fix before has the same day and country.
        let isAtMidnight = moments.indices.contains { index in
          let moment = moments[index]
          let isRepeated =
            index > 0 && moments[index - 1].day == moment.day
            && moments[index - 1].country == country
          let dateBefore = (80..<moment.day).last { !moment.missing.contains($0) }
          return moment.isMidnight && dateBefore == day && moment.country == country
            && !isRepeated
        }
        // The days between two moments that there were.
        func days(_ pair: (Moment, Moment)) -> [Int] {
          (80...400).filter {
            pair.0.day < $0 && $0 < pair.1.day && !pair.1.missing.contains($0)
          }
        }
        let inCountry = pairs.filter {
          $0.country == country && $1.country == country && $0.day < $1.day
        }
        let isSpanned = inCountry.contains { $0.day == day && days(($0, $1)).isEmpty }
        let isInGap = inCountry.contains {
          let days = days(($0, $1))
          return !days.isEmpty && ($0.day == day || days.contains(day))
        }
        let isSkipped = inCountry.contains { days(($0, $1)).contains(day) }
        if isAtMidnight || isSpanned {
          expected.nights.insert(day)
        } else if isInGap {
          expected.presumedNights.insert(day)
        }
        let isKnown = moments.contains { $0.day == day }
        if isSkipped, !isKnown { expected.presumedDays.insert(day) }
      }
      #expect(ledger.countries[country] == expected)
      known.days.formUnion(expected.days)
      known.nights.formUnion(expected.nights)
    }
    #expect(ledger.countries.count == Set(moments.map(\.country)).count)
    let between = (80...400).filter { day in
      pairs.contains {
        $0.country != $1.country && $0.day <= day && $1.day > day && !$1.missing.contains(day)
      }
    }
    #expect(ledger.between.nights == Set(between).subtracting(known.nights))
    let skipped = (80...400).filter { day in
      pairs.contains {
        $0.country != $1.country && $0.day < day && $1.day > day && !$1.missing.contains(day)
      }
    }
    #expect(ledger.between.days == Set(skipped).subtracting(known.days))
  }

  @Test(arguments: Seeds.sample(100))
  func `the most days in a window equal those of every window`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var days: Set<Int> = []
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      days.insert(.random(in: 0...50, using: &random))
    }
    let length = Int.random(in: 1...20, using: &random)
    let window = DayWindow(limit: .random(in: 1...length, using: &random), length: length)
    func count(_ end: Int) -> Int { days.count { end - length < $0 && $0 <= end } }
    let counts = (0...50).map { (end: $0, count: count($0)) }
    let most = window.most(of: days)
    #expect(most?.count ?? 0 == counts.map(\.count).max())
    if days.isEmpty {
      #expect(most == nil)
    } else {
      #expect(most?.end == counts.first { $0.count == most?.count }?.end)
      #expect(most?.reached == counts.first { $0.count >= window.limit }?.end)
    }
    // The longest streak: of all ranges.
    var longest: ClosedRange<Int>?
    for first in 0...50 {
      for last in first...50 where (first...last).allSatisfy(days.contains) {
        if last - first > (longest.map { $0.upperBound - $0.lowerBound } ?? -1) {
          longest = first...last
        }
      }
    }
    #expect(DayWindow.longestStreak(of: days) == longest)
  }

  @Test(arguments: [0, -1, Int.min])
  func `a window without a day has no days`(length: Int) {
    #expect(DayWindow(limit: 1, length: length).most(of: [1, 2]) == nil)
  }

  @Test(arguments: Seeds.sample(60))
  func `distance equals a sum over every second that some source covers`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let gap = Int64(20)
    var fixes: [FixTimeline.Fix] = []
    for source in 1...UInt32.random(in: 1...3, using: &random) {
      var (time, order) = (Int64.random(in: 0...30, using: &random), UInt32(0))
      for _ in 0..<20 {
        time += Int64.random(in: 1...25, using: &random)
        order += Int.random(in: 0..<8, using: &random) == 0 ? 2 : 1
        fixes.append(
          FixTimeline.Fix(
            time: time,
            coordinate: Coordinate(.random(in: 48...48.01, using: &random), 11), source: source,
            order: order, isJoined: Int.random(in: 0..<6, using: &random) > 0))
      }
    }
    fixes.sort { ($0.time, $0.source) < ($1.time, $1.source) }
    var sum = GroundDistance(longestGapMilliseconds: gap)
    let total = fixes.reduce(0) { $0 + sum.take($1) }
    // Every step of every source, in the order of its end: the first one that covers a moment has
    // it.
    var steps: [(start: Int64, end: Int64, meters: Double)] = []
    for (index, fix) in fixes.enumerated() {
      guard let last = fixes[..<index].last(where: { $0.source == fix.source }) else { continue }
      guard fix.isJoined, last.order + 1 == fix.order, fix.time - last.time <= gap else { continue }
      steps.append((last.time, fix.time, last.coordinate.distanceMeters(to: fix.coordinate)))
    }
    var expected = 0.0
    for moment in 0..<Int64(1_000) {
      guard let step = steps.first(where: { $0.start <= moment && moment < $0.end }) else {
        continue
      }
      expected += step.meters / Double(step.end - step.start)
    }
    #expect(abs(total - expected) < 1e-6 * max(1, expected))
  }

  @Test func `a step that nobody can have made has no distance`() {
    func sum(_ steps: [(seconds: Int64, latitude: Double)]) -> Double {
      var distance = GroundDistance(longestGapMilliseconds: 1_800_000)
      return steps.enumerated().reduce(0) { sum, step in
        sum
          + distance.take(
            FixTimeline.Fix(
              time: 1_000 * step.element.seconds, coordinate: Coordinate(step.element.latitude, 7),
              source: 1, order: UInt32(step.offset), isJoined: true))
      }
    }
    // The first fix is a stale one, 556 km away.
    let walk = sum([(5, 43), (35, 43.001)])
    #expect(abs(walk - 111) < 1)
    #expect(sum([(0, 48), (5, 43), (35, 43.001)]) == walk)
    // A jump at the same time; and there and back.
    #expect(sum([(0, 48), (0, 49)]) == 0)
    #expect(sum([(0, 48), (30, 60), (60, 48)]) == 0)
    // Times of whole minutes, and a fast train.
    #expect(sum([(60, 48), (60, 48.1)]) > 11_000)
    #expect(sum([(0, 48), (600, 48.5)]) > 55_000)
  }

  @Test func `home is where most nights are, also if a square's edge divides them`() {
    var homes = HomeFinder()
    #expect(homes.home == nil)
    for _ in 0..<5 { homes.add(Coordinate(10, 10)) }
    // Six nights on both sides of an edge, which lies at a multiple of 0.003° from 90° S.
    for _ in 0..<3 { homes.add(Coordinate(47.999_9, 11.5)) }
    for _ in 0..<3 { homes.add(Coordinate(48.000_1, 11.5)) }
    #expect(homes.home?.nights == 6)
    #expect(abs((homes.home?.coordinate.latitudeDegrees ?? 0) - 48) < 0.001)
  }

  @Test(arguments: Seeds.sample(40))
  func `the farthest fix equals that of measuring each`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let home = Coordinate.random(using: &random)
    var search = FarthestFix(from: home)
    var here = Coordinate.random(using: &random)
    var most = 0.0
    for order in 0..<UInt32(300) {
      if Int.random(in: 0..<50, using: &random) == 0 { here = Coordinate.random(using: &random) }
      here = Coordinate(
        max(-90, min(90, here.latitudeDegrees + .random(in: -0.05...0.05, using: &random))),
        here.longitudeDegrees + .random(in: -0.05...0.05, using: &random))
      search.take(here, at: Timestamp(millisecondsSince1970: Int64(order)))
      most = max(most, home.distanceMeters(to: here))
    }
    #expect(search.farthest?.meters == most)
  }
}

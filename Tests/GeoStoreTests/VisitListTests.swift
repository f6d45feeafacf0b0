import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Sorts all times and splits them wherever the next time is later than the gap allows.
func slowVisits(_ times: [Int64], gap: Int64) -> [Visit] {
  var visits: [Visit] = []
  for time in times.sorted().map({ Timestamp(millisecondsSince1970: $0) }) {
    if let last = visits.last, time.millisecondsSince1970 - last.end.millisecondsSince1970 <= gap {
      visits[visits.count - 1].end = time
    } else {
      visits.append(Visit(start: time, end: time))
    }
  }
  return visits
}

@Suite struct VisitListTests {
  @Test(arguments: Seeds.sample(300))
  func `visits are the runs of the sorted times, whatever their order`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let gap = Int64.random(in: 0...20, using: &random)
    let times = (0..<Int.random(in: 0...60, using: &random)).map { _ in
      Int64.random(in: -200...200, using: &random)
    }
    var list = VisitList()
    for time in times.shuffled(using: &random) + times.prefix(5) {
      list.take(Timestamp(millisecondsSince1970: time), gapMilliseconds: gap)
    }
    #expect(list.visits == slowVisits(times, gap: gap))
  }

  @Test(arguments: Seeds.sample(300))
  func `the count, start and end of a list equal those of its visits`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    func list() -> VisitList {
      var list = VisitList()
      for _ in 0..<Int.random(in: 0...6, using: &random) {
        let time = Timestamp(millisecondsSince1970: .random(in: 0...30, using: &random))
        list.take(time, gapMilliseconds: 3)
      }
      return list
    }
    let one = list()
    #expect(one.count == one.visits.count)
    #expect(one.start == one.visits.first?.start)
    #expect(one.end == one.visits.last?.end)
    #expect(one == VisitList(stored: one.visits))
    for milliseconds in Int64(-1)...31 {
      let time = Timestamp(millisecondsSince1970: milliseconds)
      #expect(one.holds(time) == one.visits.contains { $0.start <= time && time <= $0.end })
    }
  }

  @Test(arguments: Seeds.sample(10))
  func `thousands of visits in any order are the runs of the sorted times`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let gap = Int64.random(in: 0...2, using: &random)
    let last = Int64.random(in: 3_000...30_000, using: &random)
    let times = (0..<6_000).map { _ in Int64.random(in: 0...last, using: &random) }
    var list = VisitList()
    var wrongAnswers = 0
    for (index, time) in times.enumerated() {
      let time = Timestamp(millisecondsSince1970: time)
      let isHeld = list.holds(time)
      if list.take(time, gapMilliseconds: gap) == isHeld { wrongAnswers += 1 }
      if index % 500 == 0 { #expect(list.visits == slowVisits(Array(times[...index]), gap: gap)) }
    }
    #expect(wrongAnswers == 0)
    let visits = slowVisits(times, gap: gap)
    #expect(list.visits == visits)
    #expect(list.count == visits.count)
    #expect(list.start == visits.first?.start && list.end == visits.last?.end)
    #expect(list == VisitList(stored: visits))
    #expect(list.hashValue == VisitList(stored: visits).hashValue)
    #expect(
      visits.allSatisfy { list.visit(holding: $0.start) == $0 && list.visit(holding: $0.end) == $0 }
    )
    for (visit, next) in zip(visits, visits.dropFirst()) {
      let middle = (visit.end.millisecondsSince1970 + next.start.millisecondsSince1970) / 2
      let time = Timestamp(millisecondsSince1970: middle)
      if time > visit.end, list.holds(time) { wrongAnswers += 1 }
    }
    #expect(wrongAnswers == 0)
  }

  @Test func `visits out of order stay in short parts, and become few when they are joined`() {
    let times = (0..<8_000).map { Int64($0) * 10 }
    var random = SplitMix64(seed: 1)
    let capacity = DividedVisits.partCapacity
    let zero = Timestamp(millisecondsSince1970: 0)
    var divided = DividedVisits([Visit(start: zero, end: zero)])
    for time in times.shuffled(using: &random) {
      _ = divided.take(Timestamp(millisecondsSince1970: time), gapMilliseconds: 5)
    }
    #expect(divided.count == 8_000 && divided.visits == slowVisits(times, gap: 5))
    #expect(divided.parts.allSatisfy { (1...capacity).contains($0.count) })
    #expect(divided.parts.count <= 2 * 8_000 / capacity + 1)
    for time in times.shuffled(using: &random) {
      _ = divided.take(Timestamp(millisecondsSince1970: time + 5), gapMilliseconds: 5)
    }
    #expect(divided.visits == slowVisits(times + times.map { $0 + 5 }, gap: 5))
    #expect(divided.count == 1 && divided.parts.count == 1)
  }

  @Test func `adding a time returns whether the list changed`() {
    var list = VisitList()
    let changes = [100, 100, 110, 105, 121].map { time in
      list.take(Timestamp(millisecondsSince1970: time), gapMilliseconds: 10)
    }
    #expect(changes == [true, false, true, false, true])
    #expect(list.visits.count == 2)
  }
}

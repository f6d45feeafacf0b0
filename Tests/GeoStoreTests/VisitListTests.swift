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

  @Test func `adding a time returns whether the list changed`() {
    var list = VisitList()
    let changes = [100, 100, 110, 105, 121].map { time in
      list.take(Timestamp(millisecondsSince1970: time), gapMilliseconds: 10)
    }
    #expect(changes == [true, false, true, false, true])
    #expect(list.visits.count == 2)
  }
}

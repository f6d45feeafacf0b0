import Geodesy
import SQLiteLayer
import SeededRandom
import TestSupport
import Testing

@testable import GeoStore

@Suite struct VisitBlockTests {
  private static func visits(_ pairs: [(Int64, Int64)]) -> [Visit] {
    pairs.map {
      Visit(
        start: Timestamp(millisecondsSince1970: $0), end: Timestamp(millisecondsSince1970: $1))
    }
  }

  private static func parse(_ text: String, since start: Int64) -> [Visit]? {
    var text = text
    return text.withUTF8 { bytes in
      var visits: [Visit] = []
      let isSound = VisitBlock.append(
        UnsafeRawBufferPointer(bytes), since: Timestamp(millisecondsSince1970: start),
        to: &visits)
      return isSound ? visits : nil
    }
  }

  @Test func `a block is written as offsets and durations in seconds`() {
    let visits = Self.visits([
      (1_000, 46_000), (604_801_000, 604_831_500), (604_900_007, 604_900_007),
    ])
    let text = VisitBlock.text(of: visits[...], since: visits[0].start)
    #expect(text == "0:45,604800:30.5,604899.007:0")
    #expect(Self.parse(text, since: 1_000) == visits)
  }

  @Test(arguments: Seeds.sample(300))
  func `a block is read back as the same visits`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let unit: Int64 = Bool.random(using: &random) ? 1 : 1_000
    var time = Int64.random(in: -62_167_219_200_000...1_700_000_000_000, using: &random)
    var pairs: [(Int64, Int64)] = []
    for _ in 0..<Int.random(in: 1...VisitBlock.capacity, using: &random) {
      let limit: Int64 = 1 << Int64.random(in: 0...30, using: &random)
      let end = time + unit * .random(in: 0...limit, using: &random)
      pairs.append((time, end))
      time = end + unit * .random(in: 1...limit, using: &random)
    }
    let visits = Self.visits(pairs)
    let text = VisitBlock.text(of: visits[...], since: visits[0].start)
    #expect(Self.parse(text, since: pairs[0].0) == visits)
    // Truncated at any byte, it is refused or contains fewer visits.
    for count in 0..<text.utf8.count {
      let part = Self.parse(String(text.prefix(count)), since: pairs[0].0)
      #expect(part.map { $0.count <= visits.count && $0 != visits } ?? true)
    }
  }

  @Test(arguments: [
    "", "0", "0:", ":1", "0:1,", ",0:1", "0:1,,5:1", "1:1", "0:1,1:1", "0:5,4:1", "0:-1", "00:1",
    "0:01", "0:1.", "0:1.0", "0:1.50", "0:1.0001", "0:.5", "0:1e3", "0: 1", "0:1 ", "0:1;9:1",
    "0:9999999999999", "0:1,999999999999:1", "0:315569520000", "0:１", "null", "{}",
  ])
  func `a text that no writer produces is refused`(text: String) {
    #expect(Self.parse(text, since: 0) == nil)
  }

  @Test func `a block holds 32 visits and no more`() {
    let visits = Self.visits((0...32).map { (7_200_000 * $0, 7_200_000 * $0) })
    let text = VisitBlock.text(of: visits[...], since: visits[0].start)
    #expect(Self.parse(text, since: 0) == nil)
    #expect(
      Self.parse(VisitBlock.text(of: visits[..<32], since: visits[0].start), since: 0)?.count == 32)
  }

  @Test func `visits until the end of the year 9999 are read, and none after it`() {
    #expect(Self.parse("0:253402300799.999", since: 0)?.last?.end == Timestamp.writable.upperBound)
    #expect(Self.parse("0:253402300800", since: 0) == nil)
  }

  /// A region that is visited many times, in random order, with several visits per source.
  @Test(arguments: Seeds.sample(12))
  func `blocks contain the visits of a region in any import order`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    let home = Coordinate(47.37, 8.54)
    let day: Int64 = 86_400_000
    var days = Array(0..<Int64(VisitBlock.capacity * 3 + 5)).shuffled(using: &random)
    days += days.prefix(60)
    let millisecond = Int64.random(in: 0...999, using: &random)
    var times: Set<Int64> = []
    var rest = days[...]
    while !rest.isEmpty {
      let part = rest.prefix(.random(in: 1...50, using: &random))
      rest = rest.dropFirst(part.count)
      let fixes = part.flatMap { number in
        // Some days have two visits, an hour apart, which the times of another source may join.
        [Int64(0), .random(in: 1...5_400_000, using: &random)].map { offset in
          let time = number * day + offset + millisecond
          times.insert(time)
          return KeptFix(
            coordinate: home, time: Timestamp(millisecondsSince1970: time),
            accuracyMeters: 5, startsSegment: false)
        }
      }
      try store.add(fixes, as: "part \(rest.count)")
      let (visits, rows, view) = try store.read { snapshot in
        let id = try #require(try snapshot.connection.integer("SELECT id FROM regions"))
        // Roqua's own connections disable views.
        snapshot.connection.soften()
        let select = try Statement(
          "SELECT region_id, start_ms, end_ms FROM visits ORDER BY 2", on: snapshot.connection)
        var view: [Visit] = []
        while try select.step() {
          #expect(select.int64(at: 0) == id)
          if let visit = try Visit(row: select, from: 1, of: "visits") { view.append(visit) }
        }
        return (
          try snapshot.visits(toRegion: id),
          try snapshot.connection.integer("SELECT count(*) FROM repeat_visits"), view
        )
      }
      #expect(visits == slowVisits(Array(times), gap: 30 * 60_000))
      #expect(view == visits)
      #expect(rows == Int64(VisitBlock.count(forVisits: visits.count)))
    }
    #expect(try store.check().isSound)
    _ = try store.forget(sources: [Int64(1)])
    #expect(try store.check().isSound)
  }
}

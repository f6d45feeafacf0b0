import TestSupport
import Testing

@testable import TrackIngest

@Suite struct GoogleTimelineVisitsTests {
  private typealias Visits = GoogleTimelineVisits
  private static let latest: Int64 = 400 * 86_400_000

  /// Visits that no fix covers, by comparing each with all fixes.
  private func slowUncovered(_ visits: [Visits.Visit], _ fixes: [Int64]) -> [Int64?] {
    visits.filter { visit in
      guard let start = visit.start ?? visit.end else { return true }
      let end = max(start, visit.end ?? start)
      let slot = Visits.slotMilliseconds
      return !fixes.contains { $0 / slot >= start / slot - 1 && $0 / slot <= end / slot + 1 }
    }.map(\.start)
  }

  @Test(arguments: Seeds.sample(100))
  func `the visits that no path covers are found`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var visits = Visits(latestTime: Self.latest)
    let fixes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
      Int64.random(in: 0...Self.latest, using: &random)
    }
    let all = (0..<50).map { _ in
      var visit = Visits.Visit()
      if Int.random(in: 0...9, using: &random) > 0 {
        visit.start = Int64.random(in: 0...Self.latest, using: &random)
      }
      if let start = visit.start, Bool.random(using: &random) {
        visit.end = min(Self.latest, start + Int64.random(in: -10...90_000_000, using: &random))
      }
      return visit
    }
    for fix in fixes { visits.cover(fix) }
    for visit in all { visits.add(visit) }
    var found: [Int64?] = []
    visits.removeAll { found.append($0.start) }
    #expect(found == slowUncovered(all, fixes))
    visits.removeAll { _ in Issue.record("visits are removed") }
  }

  @Test func `a visit is covered by a path that ends within ten minutes before it`() {
    for (time, isCovered) in [("09:59:59", true), ("09:50:00", true), ("09:35:00", false)] {
      let text = """
        {"semanticSegments": [
          {"startTime": "2024-05-01T10:00:00Z", "visit":
            {"topCandidate": {"placeLocation": {"latLng": "50°, 12°"}}}},
          {"startTime": "2024-05-01T08:00:00Z",
           "timelinePath": [{"point": "48°, 11°", "time": "2024-05-01T\(time)Z"}]}]}
        """
      #expect(JSONRecorder(.googleTimeline, text).fixes.count == (isCovered ? 1 : 2))
    }
  }

  @Test func `more visits than may wait are all read`() {
    let count = GoogleTimelineLimits.waitingVisits + 100
    let visit = """
      {"visit":{"topCandidate":{"placeLocation":"1,1"}}}
      """
    let list = Array(repeating: visit, count: count).joined(separator: ",")
    #expect(JSONRecorder(.googleTimeline, "{\"semanticSegments\":[\(list)]}").fixes.count == count)
  }

  @Test func `more points than may wait for their span are read without a time`() {
    let count = GoogleTimelineLimits.waitingPoints + 10
    let point = "{\"point\":\"1,1\",\"durationMinutesOffsetFromStartTime\":\"1\"}"
    let path = Array(repeating: point, count: count).joined(separator: ",")
    let text = "[{\"timelinePath\":[\(path)],\"startTime\":\"2024-05-01T10:00:00Z\"}]"
    let found = JSONRecorder(.googleTimeline, text)
    #expect(found.fixes.count == count)
    #expect(found.fixes.count { $0.time == nil } == 10)
  }
}

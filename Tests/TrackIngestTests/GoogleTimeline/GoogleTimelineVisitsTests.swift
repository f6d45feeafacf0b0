import TestSupport
import Testing

@testable import TrackIngest

@Suite struct GoogleTimelineVisitsTests {
  private typealias Visits = GoogleTimelineVisits
  private static let latest: Int64 = 400 * 86_400_000

  /// The starts and ends that no fix covers, by comparing each with all fixes.
  private func slowUncovered(_ visits: [Visits.Visit], _ fixes: [Int64]) -> [Int64?] {
    visits.flatMap { visit -> [Int64?] in
      guard let start = visit.start ?? visit.end else { return [nil] }
      let end = max(start, visit.end ?? start)
      let times = start == end ? [start] : [start, end]
      if end - start > 86_400_000 { return times }
      let slot = Visits.slotMilliseconds
      return times.filter { time in !fixes.contains { abs($0 / slot - time / slot) <= 1 } }
    }
  }

  @Test(arguments: Seeds.sample(100))
  func `the ends of visits that no path covers are found`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var visits = Visits(latestTime: Self.latest)
    let fixes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
      Int64.random(in: 0...Self.latest, using: &random)
    }
    let all = (0..<50).map { _ in
      var visit = Visits.Visit()
      (visit.place.latitude, visit.place.longitude) = (.value(500_000_000), .value(120_000_000))
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
    visits.removeAll { found.append($1) }
    #expect(found == slowUncovered(all, fixes))
    visits.removeAll { _, _ in Issue.record("visits are removed") }
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

  /// The times of the fixes of a visit from 10:00 on the first to a time on a later day, with a
  /// path of one point.
  private func times(visitUntil end: String, path: String) -> [String?] {
    let text = """
      {"semanticSegments": [
        {"startTime": "2024-05-01T10:00:00Z", "endTime": "2024-05-\(end)Z", "visit":
          {"topCandidate": {"placeLocation": {"latLng": "50°, 12°"}}}},
        {"startTime": "2024-05-01T08:00:00Z",
         "timelinePath": [{"point": "50.1°, 12°", "time": "2024-05-\(path)Z"}]}]}
      """
    return JSONRecorder(.googleTimeline, text).times
  }

  @Test func `a visit gives each of its ends to which no path leads, or both after a day`() {
    let (first, last) = ("2024-05-01T10:00:00Z", "2024-05-01T18:00:00Z")
    #expect(
      times(visitUntil: "01T18:00:00", path: "01T14:00:00").dropFirst() == [first, last])
    #expect(times(visitUntil: "01T18:00:00", path: "01T09:55:00").dropFirst() == [last])
    #expect(times(visitUntil: "01T18:00:00", path: "01T18:04:00").dropFirst() == [first])
    #expect(times(visitUntil: "01T10:00:00", path: "01T08:00:00").dropFirst() == [first])
    #expect(times(visitUntil: "01T09:00:00", path: "01T08:00:00").dropFirst() == [first])
    #expect(
      times(visitUntil: "03T10:00:00", path: "01T09:55:00").dropFirst()
        == [first, "2024-05-03T10:00:00Z"])
  }

  @Test func `an invalid place of a visit is skipped once`() {
    let text = """
      {"semanticSegments": [
        {"startTime": "2024-05-01T10:00:00Z", "endTime": "2024-05-01T12:00:00Z", "visit":
          {"topCandidate": {"placeLocation": {"latLng": "95°, 12°"}}}}]}
      """
    let found = JSONRecorder(.googleTimeline, text)
    #expect(found.fixes.isEmpty && found.skips == 1)
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

import GeoStore
import Geodesy
import TestSupport
import Testing

@testable import Roqua

/// The timeline of overlapping sources, compared with one sort of all fixes in memory.
@Suite struct FixTimelineTests {
  /// A fix of the timeline, without its number in the source.
  private struct Entry: Hashable {
    let time: Int64
    let coordinate: Coordinate
    let source: Int
  }

  /// A source as it is written: its fixes, and the last time near its last fix.
  private struct Track {
    var fixes: [KeptFix] = []
    var end: Timestamp?
  }

  /// Tracks of 1 to 9,000 fixes that overlap in time. Some have fixes without a time, equal times,
  /// times that run backwards, or end with a stay.
  private func tracks(using random: inout SplitMix64) -> [Track] {
    (0..<6).map { _ in
      var track = Track()
      var time = Int64.random(in: 0...50_000, using: &random)
      for _ in 0..<[1, 40, 4_096, 9_000][Int.random(in: 0..<4, using: &random)] {
        time += Int64.random(in: -3...20, using: &random)
        let isDated = Int.random(in: 0..<10, using: &random) > 0
        track.fixes.append(
          KeptFix(
            coordinate: Coordinate(
              Double.random(in: -80...80, using: &random),
              Double.random(in: -170...170, using: &random)),
            time: isDated ? Timestamp(millisecondsSince1970: time) : nil, accuracyMeters: nil,
            startsSegment: false))
      }
      if Bool.random(using: &random) {
        track.end = Timestamp(millisecondsSince1970: time + 100_000)
      }
      return track
    }
  }

  private func store(_ tracks: [Track], in store: Store) throws {
    for (number, track) in tracks.enumerated() {
      try store.write { session in
        let source = try session.beginSource()
        try source.append(track.fixes)
        let digit = String(number + 1)
        _ = try source.finish(
          SourceDescription(
            sha256: String(repeating: digit, count: 64), path: digit, format: "gpx", bytes: 1,
            points: track.fixes.count, firstTime: track.fixes.compactMap(\.time).min(),
            lastTime: track.end ?? track.fixes.compactMap(\.time).max(),
            staysAtEnd: track.end != nil, report: "{}"))
      }
    }
  }

  /// All entries by one stable sort: by time, by the time since the fix before of their source, and
  /// by source; the identifiers of the sources ascend.
  private func expected(_ tracks: [Track], in times: ClosedRange<Timestamp>?) -> [Entry] {
    var entries: [Entry] = []
    for (number, track) in tracks.enumerated() {
      var fixes = track.fixes.compactMap { fix in fix.time.map { ($0, fix.coordinate) } }
      let latest = track.fixes.compactMap(\.time).max()
      if let end = track.end, let last = track.fixes.last, let time = last.time, time == latest {
        fixes.append((end, last.coordinate))
      }
      for (time, coordinate) in fixes where times?.contains(time) ?? true {
        entries.append(
          Entry(
            time: time.millisecondsSince1970, coordinate: coordinate, source: number + 1))
      }
    }
    var pauses: [[Int64]: Int64] = [:]
    for source in Set(entries.map(\.source)) {
      let times = Set(entries.lazy.filter { $0.source == source }.map(\.time)).sorted()
      for (before, time) in zip(times, times.dropFirst()) where time - before <= 30 * 60_000 {
        pauses[[Int64(source), time]] = time - before
      }
    }
    func key(_ entry: Entry) -> (Int64, Int64, Int) {
      (entry.time, pauses[[Int64(entry.source), entry.time]] ?? .max, entry.source)
    }
    return entries.map { (key($0), $0) }.enumerated().sorted { left, right in
      let (one, other) = (left.element.0, right.element.0)
      return one == other ? left.offset < right.offset : one < other
    }.map(\.element.1)
  }

  @Test(arguments: Seeds.sample(6))
  func `fixes come in order of time, those of one time by steps and source`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let tracks = tracks(using: &random)
    let fixture = try Fixture()
    try store(tracks, in: fixture.explorer.store)
    let middle =
      Timestamp(millisecondsSince1970: 20_000)...Timestamp(millisecondsSince1970: 90_000)
    for times in [nil, middle] {
      var found: [Entry] = []
      var undated: [Coordinate] = []
      try fixture.explorer.read { snapshot in
        let timeline = try FixTimeline(of: snapshot, in: times)
        try timeline.forEachDated { fix in
          found.append(
            Entry(time: fix.time, coordinate: fix.coordinate, source: Int(fix.source)))
        }
        try timeline.forEachUndated { undated.append($0) }
      }
      #expect(found == expected(tracks, in: times))
      let allUndated = tracks.flatMap(\.fixes).filter { $0.time == nil }.map(\.coordinate)
      #expect(undated == (times == nil ? allUndated : []))
    }
  }
}

import GeoStore
import Geodesy
import SQLiteLayer

/// The kept fixes of a store in order of time.
///
/// Fixes are stored source by source in chunks of up to 4096. A first pass notes the first time of
/// each chunk; a second one opens the chunks in this order and merges those that overlap. So memory
/// holds the chunks that overlap in time, usually one for each device, instead of all fixes. If a
/// source is not in order of time, all of its chunks may overlap: 32 bytes for each of its fixes.
///
/// Fixes in flight are left out unless the setting `flightsExplore` is 1.
///
/// Of the fixes that a source dropped as too close to its last kept fix, only the last time is
/// known; it appears here as one more fix at that position.
///
/// - Complexity: O(n log n) for n kept fixes, each of which is decoded twice.
struct FixTimeline {
  /// A kept fix with a time.
  struct Fix {
    /// Milliseconds since 1970.
    let time: Int64
    let coordinate: Coordinate
    /// The source's number in the order of import, from 1, and the fix's number in its source.
    let source: UInt32
    let order: UInt32
    /// Whether the track leads on the ground from the fix before in its source to this one: it
    /// starts no segment and ends no leg of a flight.
    let isJoined: Bool
    /// Whether it is no kept fix, but the end of a stay at the source's last one.
    var isStayEnd = false
  }

  private let snapshot: Snapshot
  private let times: ClosedRange<Timestamp>?
  private let flightsExplore: Bool
  /// The chunks with a dated fix, ordered by their first time.
  private var spans: [Span] = []
  /// The chunks with an undated fix, in the order of import.
  private var undatedChunks: [Int64] = []
  /// The numbers of the sources in the store: that of source 1 comes first.
  private(set) var sourceIDs: [Int64] = []
  private let simultaneous: SimultaneousFixes

  /// A chunk with dated fixes.
  private struct Span {
    let chunk: Int64
    let firstTime: Int64
    let source: UInt32
    /// The order of its first fix.
    let order: UInt32
    /// The last time near the chunk's last fix, if this is the source's last chunk.
    var end: Int64?
  }

  /// Reads the times of all chunks.
  ///
  /// - Parameters:
  ///   - times: only fixes of this range; nil for all, also those without a time.
  ///   - includesStays: whether the end of a stay at a source's last fix is one more fix.
  init(
    of snapshot: Snapshot, in times: ClosedRange<Timestamp>? = nil, includesStays: Bool = true
  ) throws(DatabaseError) {
    (self.snapshot, self.times) = (snapshot, times)
    simultaneous = try SimultaneousFixes(of: snapshot)
    let flightsExplore = snapshot.settings.flightsExplore
    self.flightsExplore = flightsExplore
    let lastTimes = includesStays ? try snapshot.lastTimesNearLastKeptFix() : [:]
    var sourceIDs: [Int64] = []
    var spans: [Span] = []
    var undatedChunks: [Int64] = []
    var (sourceID, number, order) = (Int64?.none, UInt32(0), UInt32(0))
    var last: (chunk: Int64, fix: KeptFix, firstOrder: UInt32)?
    var latest: Timestamp?

    /// Adds the end of a stay at the source's last fix.
    func endSource() {
      guard let sourceID, let last, let time = last.fix.time, time == latest,
        let end = lastTimes[sourceID], time < end, times?.contains(end) ?? true,
        flightsExplore || !last.fix.isInFlight
      else { return }
      let milliseconds = end.millisecondsSince1970
      if spans.last?.chunk == last.chunk {
        spans[spans.count - 1].end = milliseconds
      } else {
        spans.append(
          Span(
            chunk: last.chunk, firstTime: milliseconds, source: number, order: last.firstOrder,
            end: milliseconds))
      }
    }

    try snapshot.forEachChunkBySource { chunk, id, fixes in
      if id != sourceID {
        endSource()
        (sourceID, last, latest) = (id, nil, nil)
        (number, order) = (number + 1, 0)
        sourceIDs.append(id)
      }
      var first: Timestamp?
      var hasUndated = false
      for fix in fixes {
        guard let time = fix.time else {
          hasUndated = true
          continue
        }
        latest = latest.map { max($0, time) } ?? time
        guard times?.contains(time) ?? true, flightsExplore || !fix.isInFlight else { continue }
        first = first.map { min($0, time) } ?? time
      }
      if let fix = fixes.last { last = (chunk, fix, order) }
      if let first {
        spans.append(
          Span(
            chunk: chunk, firstTime: first.millisecondsSince1970, source: number, order: order,
            end: nil))
      }
      if hasUndated, times == nil { undatedChunks.append(chunk) }
      order &+= UInt32(fixes.count)
    }
    endSource()
    spans.sort { ($0.firstTime, $0.source, $0.order) < ($1.firstTime, $1.source, $1.order) }
    (self.spans, self.undatedChunks, self.sourceIDs) = (spans, undatedChunks, sourceIDs)
  }

  /// Calls `body` with the fixes that have a time, in order of time; those of one time as
  /// ``SimultaneousFixes`` orders them.
  func forEachDated(
    _ body: (Fix) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var open = FixMerge()
    var waiting = spans[...]
    var simultaneous = self.simultaneous
    var group: [Fix] = []
    func takeGroup() throws(DatabaseError) {
      guard let time = group.first?.time else { return }
      simultaneous.order(&group, at: time) { sourceIDs[Int($0.source) - 1] }
      for fix in group { try body(fix) }
      group.removeAll(keepingCapacity: true)
    }
    while true {
      if let span = waiting.first, open.first.map({ span.firstTime <= $0.time }) ?? true {
        open.insert(try fixes(of: span))
        waiting.removeFirst()
      } else if let fix = open.removeFirst() {
        if group.first?.time != fix.time { try takeGroup() }
        group.append(fix)
      } else {
        return try takeGroup()
      }
    }
  }

  /// Calls `body` with the fixes without a time, in the order of import. There are none if the
  /// timeline has a range of time.
  func forEachUndated(_ body: (Coordinate) -> Void) throws(DatabaseError) {
    for chunk in undatedChunks {
      for fix in try snapshot.keptFixes(ofChunk: chunk) where fix.time == nil {
        body(fix.coordinate)
      }
    }
  }

  /// The dated fixes of a chunk, in order of time.
  private func fixes(of span: Span) throws(DatabaseError) -> [Fix] {
    let kept = try snapshot.keptFixes(ofChunk: span.chunk)
    var fixes: [Fix] = []
    fixes.reserveCapacity(kept.count + 1)
    var order = span.order
    for fix in kept {
      if let time = fix.time, times?.contains(time) ?? true, flightsExplore || !fix.isInFlight {
        fixes.append(
          Fix(
            time: time.millisecondsSince1970, coordinate: fix.coordinate, source: span.source,
            order: order,
            isJoined: !fix.startsSegment && (flightsExplore || !fix.endsFlightLeg)))
      }
      order &+= 1
    }
    if let end = span.end, let last = kept.last {
      fixes.append(
        Fix(
          time: end, coordinate: last.coordinate, source: span.source, order: order,
          isJoined: true, isStayEnd: true))
    }
    fixes.sort { $0 < $1 }
    return fixes
  }
}

extension FixTimeline.Fix: Comparable {
  static func < (left: Self, right: Self) -> Bool {
    (left.time, left.source, left.order) < (right.time, right.source, right.order)
  }

  static func == (left: Self, right: Self) -> Bool {
    (left.time, left.source, left.order) == (right.time, right.source, right.order)
  }
}

/// Merges sorted runs of fixes: a binary heap of runs, ordered by the next fix of each.
private struct FixMerge {
  private struct Run {
    let fixes: [FixTimeline.Fix]
    var index = 0
    var next: FixTimeline.Fix { fixes[index] }
  }

  private var runs: [Run] = []

  /// The first fix; nil if there is none left.
  var first: FixTimeline.Fix? { runs.first?.next }

  /// Adds a sorted run. O(log runs).
  mutating func insert(_ fixes: [FixTimeline.Fix]) {
    guard !fixes.isEmpty else { return }
    runs.append(Run(fixes: fixes))
    var index = runs.count - 1
    while index > 0, runs[index].next < runs[(index - 1) / 2].next {
      runs.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  /// Removes and returns the first fix. O(log runs).
  mutating func removeFirst() -> FixTimeline.Fix? {
    guard let fix = first else { return nil }
    runs[0].index += 1
    if runs[0].index == runs[0].fixes.count {
      runs.swapAt(0, runs.count - 1)
      runs.removeLast()
    }
    var index = 0
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < runs.count && runs[child].next < runs[least].next {
        least = child
      }
      if least == index { return fix }
      runs.swapAt(index, least)
      index = least
    }
  }
}

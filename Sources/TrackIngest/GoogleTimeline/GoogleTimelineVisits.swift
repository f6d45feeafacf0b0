/// The visits of a location history, which wait until all paths of the file are known: where a
/// path leads to a place or away from it, the path is the truth, and that end of the visit adds no
/// fix.
struct GoogleTimelineVisits {
  /// A stay in a place.
  struct Visit {
    var place = JSONPoint()
    /// Milliseconds since 1970, nil if unknown.
    var start: Int64?
    var end: Int64?
  }

  /// The length of a slot of time. A time is covered by a fix in its slot, or in the slot before or
  /// after it: at most 20 minutes away.
  static let slotMilliseconds: Int64 = 10 * 60_000

  /// A visit that is longer gives both of its ends even where a path leads: only two fixes in one
  /// region show a stay of more than a day.
  static let longMilliseconds: Int64 = 24 * 3_600_000

  private var waiting: [Visit] = []
  /// A bit for each slot since 1970: 1 if a fix lies in it. Empty until there is one.
  private var slots: [UInt64] = []
  private let slotWords: Int

  /// Creates an empty list. Its memory is bounded by the slots up to `latestTime`: about 400 KB in
  /// 2026.
  init(latestTime: Int64) { slotWords = Int(max(0, latestTime) / Self.slotMilliseconds) / 64 + 1 }

  /// True if no more visits can wait.
  var isFull: Bool { waiting.count >= GoogleTimelineLimits.waitingVisits }

  /// Notes the time of a fix.
  @inline(__always)
  mutating func cover(_ time: Int64) {
    if slots.isEmpty { slots = [UInt64](repeating: 0, count: slotWords) }
    let slot = Int(time / Self.slotMilliseconds)
    guard slot >= 0, slot >> 6 < slots.count else { return }
    slots[slot >> 6] |= 1 << UInt64(slot & 63)
  }

  /// Adds a visit.
  mutating func add(_ visit: Visit) { waiting.append(visit) }

  /// Removes all visits, and calls `body` with the place of each and the time of a fix there, in
  /// the order of the file: its start and its end, as far as no fix covers them. The time of a
  /// visit of which no time is known is nil.
  ///
  /// - Complexity: O(visits).
  mutating func removeAll(_ body: (_ place: JSONPoint, _ time: Int64?) -> Void) {
    for visit in waiting {
      guard let start = visit.start ?? visit.end else {
        body(visit.place, nil)
        continue
      }
      let end = max(start, visit.end ?? start)
      let isLong = end - start > Self.longMilliseconds
      var times: [Int64] = isLong || !isCovered(start) ? [start] : []
      if end > start, isLong || !isCovered(end) { times.append(end) }
      // What is wrong with a place is said once.
      for time in visit.place.coordinate == nil ? times.prefix(1) : times[...] {
        body(visit.place, time)
      }
    }
    waiting.removeAll()
  }

  /// Whether a fix lies in the slot of a time or in one next to it.
  private func isCovered(_ time: Int64) -> Bool {
    let slot = Int(time / Self.slotMilliseconds)
    return (slot - 1...slot + 1).contains { slot in
      slot >= 0 && slot >> 6 < slots.count && slots[slot >> 6] >> UInt64(slot & 63) & 1 == 1
    }
  }
}

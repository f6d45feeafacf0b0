/// The visits of a location history, which wait until all paths of the file are known: where a path
/// leads to a place or away from it, the path is the truth, and the visit adds no fix.
struct GoogleTimelineVisits {
  /// A stay in a place.
  struct Visit {
    var place = JSONPoint()
    /// Milliseconds since 1970, nil if unknown.
    var start: Int64?
    var end: Int64?
  }

  /// The length of a slot of time. A visit is covered by a fix in one of its slots, or in the slot
  /// before or after them: at most 20 minutes away.
  static let slotMilliseconds: Int64 = 10 * 60_000

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

  /// Removes all visits, and calls `body` with those that no fix covers, in the order of the file.
  ///
  /// - Complexity: O(visits + slots).
  mutating func removeAll(_ body: (Visit) -> Void) {
    guard !waiting.isEmpty else { return }
    // The number of covered slots before each word.
    var before: [Int32] = [0]
    before.reserveCapacity(slots.count + 1)
    for word in slots { before.append((before.last ?? 0) + Int32(word.nonzeroBitCount)) }
    for visit in waiting {
      guard let start = visit.start ?? visit.end else {
        body(visit)
        continue
      }
      let end = max(start, visit.end ?? start)
      let first = Int(start / Self.slotMilliseconds) - 1
      let last = Int(end / Self.slotMilliseconds) + 1
      if count(before: last + 1, before) == count(before: first, before) { body(visit) }
    }
    waiting.removeAll()
  }

  /// The number of covered slots before `slot`.
  private func count(before slot: Int, _ before: [Int32]) -> Int {
    guard slot > 0 else { return 0 }
    guard slot >> 6 < slots.count else { return Int(before.last ?? 0) }
    let lower = slots[slot >> 6] & ((1 << UInt64(slot & 63)) - 1)
    return Int(before[slot >> 6]) + lower.nonzeroBitCount
  }
}

import Geodesy

/// Many visits to one region, ordered and separate, in several arrays: each insertion into a single
/// array would move half of them.
struct DividedVisits: Sendable {
  /// The number of visits above which a part is divided.
  static let partCapacity = 1_024

  /// The visits in order; no part is empty.
  private(set) var parts: [[Visit]]
  /// The number of visits.
  private(set) var count: Int

  /// Divides visits that are ordered and separate.
  ///
  /// - Precondition: there is at least one visit.
  init(_ visits: [Visit]) {
    let half = Self.partCapacity / 2
    parts = stride(from: 0, to: visits.count, by: half).map { start in
      Array(visits[start..<min(visits.count, start + half)])
    }
    count = visits.count
  }

  /// All visits in order.
  ///
  /// - Complexity: O(visits).
  var visits: [Visit] { Array(parts.joined()) }

  /// The part that has a visit which began at or before a time and ended at or after it, if any
  /// part has.
  ///
  /// - Complexity: O(log visits).
  func part(around time: Timestamp) -> [Visit] { parts[indexOfPart(around: time)] }

  /// Adds a fix time.
  ///
  /// - Complexity: O(``partCapacity`` + parts).
  /// - Returns: whether anything changed.
  mutating func take(_ time: Timestamp, gapMilliseconds: Int64) -> Bool {
    let index = indexOfPart(around: time)
    let before = parts[index].count
    guard VisitList.take(time, into: &parts[index], gapMilliseconds: gapMilliseconds) else {
      return false
    }
    count += parts[index].count - before
    joinNext(to: index, gapMilliseconds: gapMilliseconds)
    divide(index)
    return true
  }

  /// Joins the last visit of a part with the first of the next one, unless the gap between them is
  /// too long.
  private mutating func joinNext(to index: Int, gapMilliseconds: Int64) {
    guard index + 1 < parts.count, let last = parts[index].last, let next = parts[index + 1].first,
      next.start.millisecondsSince1970 - last.end.millisecondsSince1970 <= gapMilliseconds
    else { return }
    parts[index][parts[index].count - 1].end = next.end
    parts[index + 1].removeFirst()
    if parts[index + 1].isEmpty { parts.remove(at: index + 1) }
    count -= 1
  }

  /// Divides a part that has become too long.
  private mutating func divide(_ index: Int) {
    guard parts[index].count > Self.partCapacity else { return }
    let tail = Array(parts[index][(Self.partCapacity / 2)...])
    parts[index].removeLast(tail.count)
    parts.insert(tail, at: index + 1)
  }

  /// Returns the index of the last part that begins at or before a time, or else of the first.
  private func indexOfPart(around time: Timestamp) -> Int {
    var (low, high) = (1, parts.count)
    while low < high {
      let middle = (low + high) / 2
      if parts[middle][0].start > time { high = middle } else { low = middle + 1 }
    }
    return low - 1
  }
}

/// Equal visits are equal however they are divided.
extension DividedVisits: Hashable {
  static func == (one: Self, other: Self) -> Bool {
    one.count == other.count && one.visits == other.visits
  }

  func hash(into hasher: inout Hasher) { hasher.combine(visits) }
}

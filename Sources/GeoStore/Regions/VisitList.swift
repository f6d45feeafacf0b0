import Geodesy

/// One stay in a region: the first and the last fix time of it.
public struct Visit: Hashable, Sendable {
  /// First fix time.
  public var start: Timestamp
  /// Last fix time, not before the first.
  public var end: Timestamp

  /// A stay from one time to another.
  public init(start: Timestamp, end: Timestamp) {
    self.start = start
    self.end = end
  }
}

extension Visit {
  /// A visit from a row of start and end.
  ///
  /// - Throws: ``StoreError/damaged(path:detail:)`` for times that no writer puts there.
  init(row: borrowing Statement, path: String) throws(StoreError) {
    start = Timestamp(millisecondsSince1970: row.int64(at: 0))
    end = Timestamp(millisecondsSince1970: row.int64(at: 1))
    guard start <= end, Timestamp.writable.contains(start), Timestamp.writable.contains(end) else {
      throw .damaged(path: path, detail: "a visit with impossible times")
    }
  }
}

/// The visits to one region, in order of time.
///
/// Two fix times belong to one visit where a chain of times, none further than the gap from the next, joins them.
/// So the visits depend on the set of times only: not on their order, nor on how often one is given.
public struct VisitList: Hashable, Sendable {
  /// In order of time; between the end of one and the start of the next lies more than the gap.
  public private(set) var visits: [Visit]

  /// No visits.
  public init() { visits = [] }

  /// Visits that are in order and apart, as the store gives them back.
  init(stored: [Visit]) { visits = stored }

  /// Takes a fix time in.
  ///
  /// - Complexity: O(log visits) to find the place; O(visits) where one is added in the middle.
  /// - Returns: whether anything changed.
  @discardableResult
  public mutating func take(_ time: Timestamp, gapMilliseconds: Int64) -> Bool {
    let low = indexOfFirst(after: time)
    let before = low - 1
    if before >= 0, time <= visits[before].end { return false }
    let joinsBefore =
      before >= 0
      && time.millisecondsSince1970 - visits[before].end.millisecondsSince1970 <= gapMilliseconds
    let joinsAfter =
      low < visits.count
      && visits[low].start.millisecondsSince1970 - time.millisecondsSince1970 <= gapMilliseconds
    switch (joinsBefore, joinsAfter) {
    case (true, true):
      visits[before].end = visits[low].end
      visits.remove(at: low)
    case (true, false): visits[before].end = time
    case (false, true): visits[low].start = time
    case (false, false): visits.insert(Visit(start: time, end: time), at: low)
    }
    return true
  }

  /// Whether a visit began at or before the time and ended at or after it.
  ///
  /// - Complexity: O(log visits).
  public func holds(_ time: Timestamp) -> Bool {
    let after = indexOfFirst(after: time)
    return after > 0 && time <= visits[after - 1].end
  }

  /// Index of the first visit that starts after a time; the one before it may hold the time.
  private func indexOfFirst(after time: Timestamp) -> Int {
    var (low, high) = (0, visits.count)
    while low < high {
      let middle = (low + high) / 2
      if visits[middle].start > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The visits that are not the same in another list; all of them where there is none.
  func visits(notIn other: VisitList?) -> [Visit] {
    guard let other else { return visits }
    return visits.filter { !other.contains($0) }
  }

  private func contains(_ visit: Visit) -> Bool {
    let after = indexOfFirst(after: visit.start)
    return after > 0 && visits[after - 1] == visit
  }

  /// First time of all; nil without visits.
  public var start: Timestamp? { visits.first?.start }
  /// Last time of all; nil without visits.
  public var end: Timestamp? { visits.last?.end }
}

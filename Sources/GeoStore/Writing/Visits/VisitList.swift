import Geodesy

extension Visit {
  /// Returns whether it began at or before a time and ended at or after it.
  fileprivate func holds(_ time: Timestamp) -> Bool { start <= time && time <= end }

  /// Extends the visit to a time outside it, unless that exceeds the gap. Returns whether it did.
  fileprivate mutating func grow(to time: Timestamp, gapMilliseconds: Int64) -> Bool {
    if time < start {
      guard start.millisecondsSince1970 - time.millisecondsSince1970 <= gapMilliseconds else {
        return false
      }
      start = time
    } else {
      guard time.millisecondsSince1970 - end.millisecondsSince1970 <= gapMilliseconds else {
        return false
      }
      end = time
    }
    return true
  }
}

/// The visits to one region, ordered by time.
///
/// Two fix times belong to one visit if a chain of times joins them in which no step exceeds the
/// gap. The visits therefore depend only on the set of times, not on their order or repetition.
package struct VisitList: Hashable, Sendable {
  /// Most regions are visited once: an array would need a separate allocation for each of them.
  private enum Storage: Hashable {
    case none
    case one(Visit)
    /// Two or more visits, at most ``DividedVisits/partCapacity``.
    case several([Visit])
    /// More visits than that.
    case many(DividedVisits)
  }

  private var storage: Storage

  /// Creates an empty list.
  package init() { storage = .none }

  /// Creates a list of one visit.
  init(_ visit: Visit) { storage = .one(visit) }

  /// Creates a list from visits that are ordered and separate, as read from the store.
  init(stored visits: [Visit]) {
    switch visits.count {
    case 0: storage = .none
    case 1: storage = .one(visits[0])
    case ...DividedVisits.partCapacity: storage = .several(visits)
    default: storage = .many(DividedVisits(visits))
    }
  }

  /// Creates a list of divided visits, of which some may just have been joined.
  private init(_ divided: DividedVisits) {
    storage = .many(divided)
    if divided.count <= DividedVisits.partCapacity { self = VisitList(stored: divided.visits) }
  }

  /// The visits ordered by time. Between the end of one and the start of the next lies more than
  /// the gap.
  package var visits: [Visit] {
    switch storage {
    case .none: []
    case .one(let visit): [visit]
    case .several(let visits): visits
    case .many(let divided): divided.visits
    }
  }

  /// Number of visits.
  package var count: Int {
    switch storage {
    case .none: 0
    case .one: 1
    case .several(let visits): visits.count
    case .many(let divided): divided.count
    }
  }

  /// Adds a fix time.
  ///
  /// - Complexity: O(log visits) to find the place; if a visit is inserted in the middle, as
  ///   ``DividedVisits/take(_:gapMilliseconds:)``.
  /// - Returns: whether anything changed.
  @discardableResult
  package mutating func take(_ time: Timestamp, gapMilliseconds: Int64) -> Bool {
    let new = Visit(start: time, end: time)
    switch storage {
    case .none:
      storage = .one(new)
      return true
    case .one(var visit):
      if visit.holds(time) { return false }
      if visit.grow(to: time, gapMilliseconds: gapMilliseconds) {
        storage = .one(visit)
      } else {
        storage = .several(time < visit.start ? [new, visit] : [visit, new])
      }
      return true
    case .several(var visits):
      // Cleared so that the array has one owner and is not copied.
      storage = .none
      defer { self = VisitList(stored: visits) }
      return Self.take(time, into: &visits, gapMilliseconds: gapMilliseconds)
    case .many(var divided):
      storage = .none
      defer { self = VisitList(divided) }
      return divided.take(time, gapMilliseconds: gapMilliseconds)
    }
  }

  /// Adds a fix time to visits that are ordered and separate. Returns whether anything changed.
  static func take(
    _ time: Timestamp, into visits: inout [Visit], gapMilliseconds: Int64
  ) -> Bool {
    let after = indexOfFirst(in: visits, after: time)
    if after > 0 {
      if visits[after - 1].holds(time) { return false }
      if visits[after - 1].grow(to: time, gapMilliseconds: gapMilliseconds) {
        if after < visits.count, visits[after].grow(to: time, gapMilliseconds: gapMilliseconds) {
          visits[after - 1].end = visits[after].end
          visits.remove(at: after)
        }
        return true
      }
    }
    if after < visits.count, visits[after].grow(to: time, gapMilliseconds: gapMilliseconds) {
      return true
    }
    visits.insert(Visit(start: time, end: time), at: after)
    return true
  }

  /// Returns whether a visit began at or before the time and ended at or after it.
  ///
  /// - Complexity: O(log visits).
  package func holds(_ time: Timestamp) -> Bool { visit(holding: time) != nil }

  /// Returns the visit that began at or before the time and ended at or after it; nil if there is
  /// none.
  ///
  /// - Complexity: O(log visits).
  func visit(holding time: Timestamp) -> Visit? {
    switch storage {
    case .none: return nil
    case .one(let visit): return visit.holds(time) ? visit : nil
    case .several(let visits): return Self.visit(holding: time, in: visits)
    case .many(let divided): return Self.visit(holding: time, in: divided.part(around: time))
    }
  }

  private static func visit(holding time: Timestamp, in visits: [Visit]) -> Visit? {
    let after = indexOfFirst(in: visits, after: time)
    return after > 0 && visits[after - 1].holds(time) ? visits[after - 1] : nil
  }

  /// Returns the index of the first visit that starts after a time; the one before it may contain
  /// the time.
  private static func indexOfFirst(in visits: [Visit], after time: Timestamp) -> Int {
    var (low, high) = (0, visits.count)
    while low < high {
      let middle = (low + high) / 2
      if visits[middle].start > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The first time of all visits; nil without visits.
  package var start: Timestamp? {
    switch storage {
    case .none: nil
    case .one(let visit): visit.start
    case .several(let visits): visits.first?.start
    case .many(let divided): divided.parts.first?.first?.start
    }
  }

  /// The last time of all visits; nil without visits.
  package var end: Timestamp? {
    switch storage {
    case .none: nil
    case .one(let visit): visit.end
    case .several(let visits): visits.last?.end
    case .many(let divided): divided.parts.last?.last?.end
    }
  }
}

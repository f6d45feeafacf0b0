import Geodesy

extension Visit {
  /// Whether it began at or before a time and ended at or after it.
  fileprivate func holds(_ time: Timestamp) -> Bool { start <= time && time <= end }

  /// Takes a time in that lies outside, unless more than the gap lies between; returns whether it
  /// did.
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

/// The visits to one region, in order of time.
///
/// Two fix times belong to one visit where a chain of times, none further than the gap from the
/// next, joins them. So the visits depend on the set of times only: not on their order, nor on how
/// often one is given.
package struct VisitList: Hashable, Sendable {
  /// Most regions are visited once: an array would be memory of its own for each of them.
  private enum Storage: Hashable {
    case none
    case one(Visit)
    /// Two or more.
    case several([Visit])
  }

  private var storage: Storage

  /// No visits.
  package init() { storage = .none }

  /// One visit.
  init(_ visit: Visit) { storage = .one(visit) }

  /// Visits that are in order and apart, as the store gives them back.
  init(stored visits: [Visit]) {
    switch visits.count {
    case 0: storage = .none
    case 1: storage = .one(visits[0])
    default: storage = .several(visits)
    }
  }

  /// In order of time; between the end of one and the start of the next lies more than the gap.
  package var visits: [Visit] {
    switch storage {
    case .none: []
    case .one(let visit): [visit]
    case .several(let visits): visits
    }
  }

  /// Number of visits.
  package var count: Int {
    switch storage {
    case .none: 0
    case .one: 1
    case .several(let visits): visits.count
    }
  }

  /// Takes a fix time in.
  ///
  /// - Complexity: O(log visits) to find the place; O(visits) where one is added in the middle.
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
      // Given up, so that the array has one owner and is not copied.
      storage = .none
      defer { self = VisitList(stored: visits) }
      return Self.take(time, into: &visits, gapMilliseconds: gapMilliseconds)
    }
  }

  private static func take(_ time: Timestamp, into visits: inout [Visit], gapMilliseconds: Int64)
    -> Bool
  {
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

  /// Whether a visit began at or before the time and ended at or after it.
  ///
  /// - Complexity: O(log visits).
  package func holds(_ time: Timestamp) -> Bool {
    switch storage {
    case .none: return false
    case .one(let visit): return visit.holds(time)
    case .several(let visits):
      let after = Self.indexOfFirst(in: visits, after: time)
      return after > 0 && visits[after - 1].holds(time)
    }
  }

  /// The visit that began at or before the time and ended at or after it; nil if there is none.
  ///
  /// - Complexity: O(log visits).
  func visit(holding time: Timestamp) -> Visit? {
    switch storage {
    case .none: return nil
    case .one(let visit): return visit.holds(time) ? visit : nil
    case .several(let visits):
      let after = Self.indexOfFirst(in: visits, after: time)
      return after > 0 && visits[after - 1].holds(time) ? visits[after - 1] : nil
    }
  }

  /// Index of the first visit that starts after a time; the one before it may hold the time.
  private static func indexOfFirst(in visits: [Visit], after time: Timestamp) -> Int {
    var (low, high) = (0, visits.count)
    while low < high {
      let middle = (low + high) / 2
      if visits[middle].start > time { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// First time of all; nil without visits.
  package var start: Timestamp? {
    switch storage {
    case .none: nil
    case .one(let visit): visit.start
    case .several(let visits): visits.first?.start
    }
  }

  /// Last time of all; nil without visits.
  package var end: Timestamp? {
    switch storage {
    case .none: nil
    case .one(let visit): visit.end
    case .several(let visits): visits.last?.end
    }
  }
}

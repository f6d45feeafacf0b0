import GeoStore
import SQLiteLayer

/// Orders the fixes that several sources have at one time, whatever the order of import.
///
/// The step that began last comes first, since it shows the most of the way. A source without a
/// step, because its fix before is missing or a gap away, comes after those that have one; of equal
/// ones, the source with the smaller identifier (its SHA-256) is first. The fixes of a source
/// follow each other.
struct SimultaneousFixes {
  private let longestGapMilliseconds: Int64
  /// The place of each source in the order of the identifiers.
  private let ranks: [Int64: Int]
  /// The time of the last fix of each source.
  private var lasts: [Int64: Int64]
  /// The source that came last, whose last time is not yet in ``lasts``.
  private var current: (source: Int64, time: Int64)?

  /// Orders the fixes of a store, from its first one or after those that are known.
  ///
  /// - Parameter lasts: the time of the last fix of each source.
  /// - Complexity: O(n log n) for n sources.
  init(of snapshot: Snapshot, after lasts: [Int64: Int64] = [:]) throws(DatabaseError) {
    self.lasts = lasts
    longestGapMilliseconds = Int64(snapshot.settings.visitGapMinutes * 60_000)
    let sources = try snapshot.sourcesInOrderOfIdentifiers()
    ranks = Dictionary(
      uniqueKeysWithValues: sources.enumerated().map { ($0.element, $0.offset) })
  }

  /// Orders all fixes of a time, which come in the order of their sources and files. Times must
  /// ascend.
  ///
  /// - Complexity: O(1) for a fix that is alone.
  mutating func order<Fix>(
    _ fixes: inout [Fix], at time: Int64, source: (Fix) -> Int64
  ) {
    guard let first = fixes.first.map(source), let last = fixes.last.map(source) else { return }
    if first == last, first == current?.source {
      current?.time = time
      return
    }
    if let current { lasts[current.source] = current.time }
    if first != last {
      // Sorting by offset keeps the order of each file.
      fixes = fixes.enumerated().sorted { left, right in
        let (one, other) = (source(left.element), source(right.element))
        if one == other { return left.offset < right.offset }
        return key(one, at: time) < key(other, at: time)
      }.map(\.element)
      for fix in fixes { lasts[source(fix)] = time }
    }
    current = (last, time)
  }

  /// The milliseconds since the source's fix before, and its place among the sources.
  private func key(_ source: Int64, at time: Int64) -> (Int64, Int) {
    let duration = lasts[source].map { time - $0 } ?? .max
    return (
      duration <= longestGapMilliseconds ? duration : .max, ranks[source] ?? .max
    )
  }
}

import ByteStreams
import GeoStore
import Geodesy
import SQLiteLayer

/// The kept fixes of an export, source by source in the order of their import.
///
/// A segment ends where the source's own ends, and where fixes in between are left out.
struct ExportedFixes {
  /// A kept fix with its source and segment.
  struct Fix {
    let sourceID: Int64
    /// The name of the source's file.
    let source: String
    /// The number of its segment among those of its source, from 1.
    let segment: Int
    /// Whether it is the first one of its segment.
    let startsSegment: Bool
    let fix: KeptFix
  }

  /// Calls `body` with each fix.
  ///
  /// - Complexity: O(kept fixes); memory for a chunk of them.
  static func forEach(
    _ selection: ExportSelection, of snapshot: Snapshot,
    _ body: (Fix) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    var names: [Int64: String] = [:]
    for source in try snapshot.sources() { names[source.id] = FilePath(source.path).name }
    var (current, name, segment) = (Int64?.none, "", 0)
    var last: Coordinate?
    try snapshot.forEachChunkOfKeptFixesBySource { (source, fixes) throws(DatabaseError) in
      if source != current {
        (current, name, segment, last) = (source, names[source] ?? "", 0, nil)
      }
      for fix in fixes {
        guard selection.contains(fix, ofSource: source) else {
          last = nil
          continue
        }
        let isCrossing =
          last.map { selection.isCrossed(from: $0, to: fix.coordinate) } ?? false
        let starts = fix.startsSegment || last == nil || isCrossing
        if starts { segment += 1 }
        last = fix.coordinate
        try body(
          Fix(
            sourceID: source, source: name, segment: segment, startsSegment: starts, fix: fix))
      }
    }
  }
}

extension ExportFeed {
  /// Writes the kept fixes.
  func addFixes(_ selection: ExportSelection, of snapshot: Snapshot) throws(DatabaseError) {
    try ExportedFixes.forEach(selection, of: snapshot) { (item) throws(DatabaseError) in
      feature.setPoint(item.fix.coordinate)
      feature.append(item.sourceID)
      feature.append(item.source)
      feature.append(item.segment)
      feature.append(item.fix.time)
      feature.append(item.fix.accuracyMeters)
      feature.values.append(.boolean(item.fix.isInFlight))
      try add()
    }
  }
}

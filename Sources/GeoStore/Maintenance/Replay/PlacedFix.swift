import Geodesy

/// A fix of an area, with the properties needed for a replay.
struct PlacedFix {
  /// Its position in the order of import: the index of its chunk, and in the low bits its index
  /// within the chunk. Positions that came with sources precede all of them.
  let order: Int64
  let coordinate: Coordinate
  let time: Timestamp?
  let accuracyMeters: Double?
  let source: Int64
  /// Whether it is being deleted.
  let isRemoved: Bool
}

/// The fixes that a deletion removes: all fixes of some sources, those in a zone, or single ones.
enum RemovedFixes {
  case ofSources(Set<Int64>)
  case inZone(PrivacyZone)
  case single(Set<FixKey>, positions: Set<Coordinate>, source: Int64)
}

/// What tells a fix of a source from another.
struct FixKey: Hashable {
  let coordinate: Coordinate
  let time: Timestamp?
}

import Geodesy

/// A fix of an area, where a replay needs it.
struct PlacedFix {
  /// Its place in the order of import: the index of its chunk, and in the low bits its index there.
  /// Before all of them come the positions that sources brought.
  let order: Int64
  let coordinate: Coordinate
  let time: Timestamp?
  let accuracyMeters: Double?
  let source: Int64
  /// Whether it is being deleted.
  let isRemoved: Bool
}

/// What a deletion takes out of the sources: all fixes of some sources, or those in a zone.
enum RemovedFixes {
  case ofSources(Set<Int64>)
  case inZone(PrivacyZone)
}

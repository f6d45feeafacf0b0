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

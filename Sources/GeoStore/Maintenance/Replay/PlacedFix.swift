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

/// The fixes that a deletion removes: all fixes of some sources, those in a zone, those of the
/// chunks after one, or single ones of some sources.
enum RemovedFixes {
  case ofSources(Set<Int64>)
  case inZone(PrivacyZone)
  case afterChunk(Int64)
  case single([Int64: Set<FixKey>], positions: [Int64: Set<Coordinate>])

  /// Single fixes of some sources.
  static func single(_ keys: [Int64: Set<FixKey>]) -> RemovedFixes {
    .single(keys, positions: keys.mapValues { Set($0.map(\.coordinate)) })
  }
}

/// What identifies a fix of a source.
package struct FixKey: Hashable, Sendable {
  /// Its position.
  package let coordinate: Coordinate
  /// Its time.
  package let time: Timestamp?

  /// The key of a fix.
  package init(_ fix: KeptFix) { self.init(coordinate: fix.coordinate, time: fix.time) }

  init(coordinate: Coordinate, time: Timestamp?) {
    (self.coordinate, self.time) = (coordinate, time)
  }
}

import Geodesy

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

  /// Whether fixes of a chunk with these latitudes, in units of 1e-7 degree, may be among them.
  func mayConcern(
    chunk: Int64, source: Int64, _ latitudesE7: ClosedRange<Int32>
  ) -> Bool {
    switch self {
    case .ofSources(let ids): return ids.contains(source)
    case .inZone(let zone):
      let box = Self.box(of: zone)
      return latitudesE7.overlaps(box.southE7...box.northE7)
    case .afterChunk(let last): return chunk > last
    case .single(_, let wanted): return wanted[source] != nil
    }
  }

  /// Those of the positions of a chunk that are among them.
  ///
  /// - Precondition: they may concern the chunk (``mayConcern(chunk:source:_:)``).
  func positions(among positions: [Coordinate], ofSource source: Int64) -> [Coordinate] {
    switch self {
    case .ofSources, .afterChunk: return positions
    case .inZone(let zone):
      // Faster than a distance.
      let box = Self.box(of: zone)
      return positions.filter { box.contains($0) && zone.contains($0) }
    case .single(_, let wanted):
      return wanted[source].map { positions.filter($0.contains) } ?? []
    }
  }

  /// Whether a fix of a chunk is one of them.
  func contains(_ fix: KeptFix, ofSource source: Int64, chunk: Int64) -> Bool {
    switch self {
    case .ofSources(let ids): ids.contains(source)
    case .inZone(let zone): zone.contains(fix.coordinate)
    case .afterChunk(let last): chunk > last
    case .single(let keys, _): keys[source]?.contains(FixKey(fix)) ?? false
    }
  }

  /// A box that includes a whole zone.
  private static func box(of zone: PrivacyZone) -> BoundingBox {
    BoundingBox(around: zone.center, radiusMeters: max(0, zone.radiusMeters))
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

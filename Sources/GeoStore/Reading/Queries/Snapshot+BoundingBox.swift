import Geodesy
import SQLiteLayer

extension Snapshot {
  /// Returns the regions whose centers lie in a box, edges included, ordered by id. The box may
  /// cross ±180°.
  ///
  /// - Parameters:
  ///   - box: the box.
  ///   - limit: the maximum number of regions, lowest ids first; nil for all.
  /// - Complexity: O(regions in the geohash cells that touch the box). A box of less than about
  ///   500 km is answered from memory once its tiles have been read.
  /// - Throws: `DatabaseError`.
  public func regions(
    in box: BoundingBox, limit: Int? = nil
  ) throws(DatabaseError) -> [VisitedRegion] {
    var regions: [VisitedRegion] = []
    let cover = TileCovering(of: box)
    if cover.count <= Self.maximumTiles {
      try cover.forEachTile { (part) throws(DatabaseError) in
        let (tile, details) = try detailedTile(part.geohash)
        // Sound: a tile has as many details as entries, in the same order.
        details.regions.withUnsafeBufferPointer { detailed in
          tile.forEachEntry(rows: part.rows, westE7: part.westE7, eastE7: part.eastE7) {
            index, entry in
            if box.contains(entry.coordinate) { regions.append(detailed[index]) }
          }
        }
      }
      regions.sort { $0.id < $1.id }
      if let limit, limit < regions.count { regions.removeSubrange(max(0, limit)...) }
      return regions
    }
    var ids: [Int64] = []
    try forEachCandidate(in: box) { id, coordinate in
      if box.contains(coordinate) { ids.append(id) }
    }
    ids.sort()
    let names = StoredPlaces(connection)
    for id in ids.prefix(max(0, limit ?? ids.count)) { regions.append(try region(id: id, names)) }
    return regions
  }
}

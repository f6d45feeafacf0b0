import Geodesy
import SQLiteLayer

extension Snapshot {
  /// The regions whose center lies in a box, edges included, by id. The box may cross ±180°.
  ///
  /// - Parameters:
  ///   - box: the box.
  ///   - limit: the maximum number of regions, lowest ids first; nil for all.
  /// - Complexity: O(regions in the box, in whole geohash cells); a box of less than some 500 km is
  ///   answered from memory once its pages were read.
  public func regions(
    in box: BoundingBox, limit: Int? = nil
  ) throws(DatabaseError) -> [VisitedRegion] {
    var regions: [VisitedRegion] = []
    let cover = TileCovering(of: box)
    if cover.count <= Self.maximumPages {
      try cover.forEachPage { (part) throws(DatabaseError) in
        let (page, details) = try detailedPage(part.geohash)
        // Sound: a page has as many details as entries, in the same order.
        details.regions.withUnsafeBufferPointer { detailed in
          page.forEachEntry(rows: part.rows, westE7: part.westE7, eastE7: part.eastE7) {
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

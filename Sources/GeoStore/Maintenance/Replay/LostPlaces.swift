import SQLiteLayer

/// The places of regions that were deleted: those that no region has any more are deleted, too.
struct LostPlaces {
  /// Of each place, the number of a region that had it.
  private var regions: [Int64: Int64] = [:]

  /// Takes the place of a region that is about to be deleted.
  mutating func add(_ region: Int64, in connection: Connection) throws(DatabaseError) {
    let select = try connection.cached("SELECT place_id FROM regions WHERE id = ?1 AND place_id > 0")
    select.bind(region, at: 1)
    if try select.step() { regions[select.int64(at: 0)] = region }
    select.reset()
  }

  /// Deletes those that no region has.
  ///
  /// - Complexity: O(regions) if one has none nearby that shares it.
  func delete(in connection: Connection) throws(DatabaseError) {
    // Regions that share a place are near each other: in a geohash cell of five characters.
    let shift = Int64(RegionID.counterBits + 5 * 4)
    let nearby = try connection.cached(
      "SELECT 1 FROM regions WHERE id >= ?1 AND id < ?2 AND place_id = ?3 LIMIT 1")
    var lost: Set<Int64> = []
    for (place, region) in regions {
      let cell = region >> shift
      nearby.bind(cell << shift..<(cell + 1) << shift)
      nearby.bind(place, at: 3)
      if try !nearby.step() { lost.insert(place) }
      nearby.reset()
    }
    guard !lost.isEmpty else { return }
    let all = try Statement("SELECT DISTINCT place_id FROM regions", on: connection)
    while try all.step() { lost.remove(all.int64(at: 0)) }
    let delete = try connection.cached("DELETE FROM places WHERE id = ?1")
    for place in lost {
      delete.bind(place, at: 1)
      try delete.run()
    }
  }
}

import Geodesy
import SQLiteLayer

/// The places of deleted regions; those that no region has any more are deleted too.
struct LostPlaces {
  /// For each place, the number of a region that had it.
  private var regions: [Int64: Int64] = [:]

  /// Records the place of a region that is deleted.
  mutating func add(_ place: Int64, of region: Int64) { regions[place] = region }

  /// Deletes the places that no region has.
  ///
  /// - Complexity: O(regions) if a place is not shared by a nearby region.
  func delete(in connection: Connection) throws(DatabaseError) {
    var lost: Set<Int64> = []
    for (place, region) in regions where try !isNear(region, place, in: connection) {
      lost.insert(place)
    }
    guard let first = lost.min(), let last = lost.max() else { return }
    // Places first seen in succession have similar numbers.
    let others = try Statement(
      "SELECT place_id FROM regions WHERE place_id BETWEEN ?1 AND ?2", on: connection)
    others.bind(first, at: 1)
    others.bind(last, at: 2)
    while !lost.isEmpty, try others.step() { lost.remove(others.int64(at: 0)) }
    let delete = try connection.cached("DELETE FROM places WHERE id = ?1")
    for place in lost {
      delete.bind(place, at: 1)
      try delete.run()
    }
  }

  /// Returns whether a region near a given one has a place, as most regions that share a place do:
  /// in the geohash cell of six characters, otherwise of five or four.
  private func isNear(
    _ region: Int64, _ place: Int64, in connection: Connection
  ) throws(DatabaseError) -> Bool {
    let select = try connection.cached(
      "SELECT 1 FROM regions WHERE id >= ?1 AND id < ?2 AND place_id = ?3 LIMIT 1")
    for length in [6, 5, 4] {
      let shift = Int64(RegionID.counterBits + 5 * (Geohash.storedLength - length))
      let cell = region >> shift
      select.bind(cell << shift..<(cell + 1) << shift)
      select.bind(place, at: 3)
      let isFound = try select.step()
      select.reset()
      if isFound { return true }
    }
    return false
  }
}

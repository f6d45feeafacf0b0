import Geodesy
import SQLiteLayer

/// The places of deleted regions; those that no region has any more are deleted too.
struct LostPlaces {
  /// For each place, the number of a region that had it, and how many had it.
  private var regions: [Int64: (region: Int64, count: Int)] = [:]

  /// Records the place of a region that is deleted.
  mutating func add(_ place: Int64, of region: Int64) {
    regions[place] = (region, (regions[place]?.count ?? 0) + 1)
  }

  /// Deletes the places that no region has.
  ///
  /// - Parameters:
  ///   - added: the numbers of regions that were added since.
  ///   - usesBefore: returns how many regions had each place before the first was deleted; nil if
  ///     nobody knows. If it fails, all regions are searched, unless the work is canceled.
  /// - Complexity: O(deleted and added regions); O(regions) if a place is not shared by a nearby
  ///   region and its uses before are not known.
  func delete(
    in connection: Connection, added: some Sequence<Int64>,
    usesBefore: () throws(DatabaseError) -> PlaceUses?
  ) throws(DatabaseError) {
    var lost: Set<Int64> = []
    for (place, gone) in regions where try !isNear(gone.region, place, in: connection) {
      lost.insert(place)
    }
    guard !lost.isEmpty else { return }
    if let uses = try known(usesBefore) {
      lost = lost.filter { uses[$0] <= regions[$0]?.count ?? 0 }
      try keepPlaces(of: added, in: connection, &lost)
    } else {
      try keepUsedPlaces(in: connection, &lost)
    }
    let delete = try connection.cached("DELETE FROM places WHERE id = ?1")
    for place in lost {
      delete.bind(place, at: 1)
      try delete.run()
    }
  }

  private func known(
    _ usesBefore: () throws(DatabaseError) -> PlaceUses?
  ) throws(DatabaseError) -> PlaceUses? {
    do {
      return try usesBefore()
    } catch {
      if case .interrupted = error { throw error }
      return nil
    }
  }

  /// Removes the places of some regions from `lost`.
  private func keepPlaces(
    of added: some Sequence<Int64>, in connection: Connection, _ lost: inout Set<Int64>
  ) throws(DatabaseError) {
    let select = try connection.cached("SELECT place_id FROM regions WHERE id = ?1")
    for region in added {
      if lost.isEmpty { return }
      select.bind(region, at: 1)
      if try select.step() { lost.remove(select.int64(at: 0)) }
      select.reset()
    }
  }

  /// Removes all places that a region has from `lost`.
  private func keepUsedPlaces(
    in connection: Connection, _ lost: inout Set<Int64>
  ) throws(DatabaseError) {
    guard let first = lost.min(), let last = lost.max() else { return }
    // Places first seen in succession have similar numbers.
    let others = try Statement(
      "SELECT place_id FROM regions WHERE place_id BETWEEN ?1 AND ?2", on: connection)
    others.bind(first, at: 1)
    others.bind(last, at: 2)
    while !lost.isEmpty, try others.step() { lost.remove(others.int64(at: 0)) }
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

import Geodesy
import SQLiteLayer

extension AdoptedRegions {
  /// Returns the regions that came with sources, by number, in their state before any fix is
  /// assigned to them.
  ///
  /// - Returns: nil if there are more than `limit`, or one has no row.
  /// - Complexity: O(regions that came with sources).
  static func states(
    in connection: Connection, settings: StoreSettings, atMost limit: Int
  ) throws(DatabaseError) -> [Int64: OpenRegion]? {
    let count = try connection.integer("SELECT count(*) FROM source_regions") ?? 0
    guard count <= limit else { return nil }
    var found: [Int64: OpenRegion] = [:]
    if count == 0 { return found }
    let gap = Int64((settings[.visitGapMinutes] * 60_000).rounded())
    let stored = try StoredRegions(connection: connection)
    var isComplete = true
    try connection.forEachSourceRegion(where: "visit_count NOTNULL") {
      (region, source) throws(DatabaseError) in
      guard isComplete, let stated = region.stated else { return }
      var near: [(id: Int64, center: Coordinate)] = []
      try stored.appendRegions(in: Geohash(region.center), to: &near)
      guard let id = near.first(where: { $0.center == region.center })?.id else {
        return isComplete = false
      }
      var state =
        found[id]
        ?? OpenRegion(
          id: id, center: region.center, isNew: false, accuracyMeters: nil, madeBy: source,
          changedBy: source, visits: VisitList(), isChanged: true)
      state.visits = VisitList(
        joining: VisitList.known(stated) + (state.visits?.visits ?? []), gapMilliseconds: gap)
      found[id] = state
    }
    return isComplete ? found : nil
  }
}

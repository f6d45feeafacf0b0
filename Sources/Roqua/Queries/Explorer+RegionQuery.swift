import GeoStore
import Geodesy
import SQLiteLayer

extension Explorer {
  /// The `count` visited regions nearest to a point at any distance, nearest first.
  ///
  /// - Throws: `DatabaseError`.
  public func nearestRegions(to center: Coordinate, count: Int) throws -> [RegionMatch] {
    try read { snapshot in try snapshot.nearestRegions(to: center, count: count) }
  }

  /// The visited regions that match a query, ordered by id. To get the next page, pass the last id
  /// as `after`.
  ///
  /// - Parameters:
  ///   - query: the conditions.
  ///   - after: returns only ids greater than this.
  ///   - limit: the maximum number of regions; nil for all.
  /// - Throws: `DatabaseError`.
  public func regions(
    matching query: RegionQuery, after: Int64? = nil, limit: Int? = nil
  ) throws -> [VisitedRegion] {
    try read { snapshot in
      try snapshot.regions(matching: query, after: after, limit: limit)
    }
  }

  /// The number of visited regions that match a query.
  ///
  /// - Throws: `DatabaseError`.
  public func countRegions(matching query: RegionQuery) throws -> Int {
    try read { snapshot in try snapshot.countRegions(matching: query) }
  }
}

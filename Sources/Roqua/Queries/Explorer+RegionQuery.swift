import GeoStore
import Geodesy
import SQLiteLayer

extension Explorer {
  /// The `count` visited regions nearest to a point, nearest first, however far they are.
  public func nearestRegions(to center: Coordinate, count: Int) throws -> [RegionMatch] {
    try read { snapshot in try snapshot.nearestRegions(to: center, count: count) }
  }

  /// The visited regions that meet a query, by id; the next page follows the last id of this one.
  ///
  /// - Parameters:
  ///   - query: the conditions.
  ///   - after: only ids greater than this.
  ///   - limit: the maximum number of regions; nil for all.
  public func regions(
    matching query: RegionQuery, after: Int64? = nil, limit: Int? = nil
  ) throws -> [VisitedRegion] {
    try read { snapshot in
      try snapshot.regions(matching: query, after: after, limit: limit)
    }
  }

  /// How many visited regions meet a query.
  public func countRegions(matching query: RegionQuery) throws -> Int {
    try read { snapshot in try snapshot.countRegions(matching: query) }
  }
}

import Geodesy
import SQLiteLayer

/// The size of a store's contents, as far as it can be read without looking at every row.
package struct StoreOverview: Hashable, Sendable {
  /// Number of sources.
  package let sources: Int
  /// Number of kept fixes of all sources.
  package let keptFixes: Int
  /// First time of a source; nil if none has a time.
  package let firstTime: Timestamp?
  /// Last time of a source; nil if none has a time.
  package let lastTime: Timestamp?
  /// Number of countries with a visited region.
  package let countries: Int
  /// Number of cities with a visited region.
  package var cities: Int
  /// True if the cities were counted by names that several cities have, so that a few may be
  /// missing or too many.
  package var citiesAreEstimated = false
  /// Number of tiles with explored cells.
  package let tiles: Int
}

extension Snapshot {
  /// Returns the size of the store's contents, for a quick look.
  ///
  /// - Parameter cities: the number of cities.
  /// - Complexity: O(sources + places + tiles). Regions are not counted, because that reads every
  ///   page with a region.
  package func overview(cities: Int) throws(DatabaseError) -> StoreOverview {
    func integer(_ sql: String) throws(DatabaseError) -> Int {
      Int(try connection.integer(sql) ?? 0)
    }
    // Texts sort like times without the Z: a second would come after its fractions.
    func time(_ function: String, of column: String) throws(DatabaseError) -> Timestamp? {
      try connection.text("SELECT \(function)(rtrim(\(column), 'Z')) || 'Z' FROM sources")
        .flatMap(Timestamp.init(iso8601:))
    }
    return StoreOverview(
      sources: try integer("SELECT count(*) FROM sources"),
      keptFixes: try connection.sum(
        of: "kept", in: "sources", row: "'row ' || id", range: StoredRange.sourceCount),
      firstTime: try time("min", of: "first_time"),
      lastTime: try time("max", of: "last_time"),
      countries: try integer("SELECT count(DISTINCT country_code) FROM places"),
      cities: cities,
      tiles: try integer("SELECT count(*) FROM coverage_tiles"))
  }

  /// Calls `body` with the key and the number of cells of each explored tile, in the order of their
  /// keys, without reading the tiles themselves.
  ///
  /// - Throws: `DatabaseError.damaged(path:detail:cause:)` for an impossible key or number.
  /// - Complexity: O(tiles).
  package func forEachTileCount(
    _ body: (_ key: Int64, _ cells: Int) -> Void
  ) throws(DatabaseError) {
    let keys = 0...Int64(settings.grid.tileCount) - 1
    let select = try Statement("SELECT key, cells FROM coverage_tiles ORDER BY key", on: connection)
    while try select.step() {
      let key = try select.int64(at: 0, in: keys, of: "coverage_tiles")
      let cells = try select.int(
        at: 1, in: StoredRange.tileCells, of: "coverage_tiles, tile \(key)")
      body(key, cells)
    }
  }
}

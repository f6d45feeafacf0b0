import Geodesy
import SQLiteLayer

extension Snapshot {
  /// The names of the places that visited regions have, each place once; districts and quarters
  /// too, so a city may come several times.
  ///
  /// - Complexity: O(places), not O(regions).
  package func placeNames() throws(DatabaseError) -> [PlaceNames] {
    var names: [PlaceNames] = []
    try forEachPlace { names.append($1) }
    return names
  }

  /// Calls `body` with the number and the names of each place that visited regions have.
  ///
  /// - Complexity: O(places), not O(regions).
  package func forEachPlace(
    _ body: (_ number: Int64, PlaceNames) -> Void
  ) throws(DatabaseError) {
    let select = try Statement(
      "SELECT id, \(StoredPlaces.columns) FROM places ORDER BY id", on: connection)
    while try select.step() {
      for column in 1...PlaceNames.columnCount
      where try select.withBytes(at: column, { $0.count > PlaceNames.longestStoredBytes }) {
        throw select.damaged(column, of: "places, row \(select.int64(at: 0))")
      }
      body(select.int64(at: 0), PlaceNames(row: select, from: 1))
    }
  }

  /// Calls `body` with the center of each visited region in some places, by their numbers.
  ///
  /// - Complexity: O(regions); memory for one region.
  package func forEachRegionCenter(
    inPlaces numbers: [Int64], _ body: (Coordinate) -> Void
  ) throws(DatabaseError) {
    let select = try Statement(
      """
      SELECT id, latitude_e7, longitude_e7 FROM regions
      WHERE place_id IN (SELECT value FROM json_each(?1)) ORDER BY id
      """, on: connection)
    let list = "[" + numbers.map { "\($0)" }.joined(separator: ",") + "]"
    select.bind(list, at: 1)
    while try select.step() {
      body(try select.center(ofRegion: try select.regionID(at: 0), at: 1))
    }
  }
}

import Geodesy
import SQLiteLayer

extension Snapshot {
  /// The names of the places that visited regions have, each place once; districts and quarters
  /// too, so a city may come several times.
  ///
  /// - Complexity: O(places), not O(regions).
  package func placeNames() throws(DatabaseError) -> [PlaceNames] {
    let select = try Statement(
      "SELECT id, \(StoredPlaces.columns) FROM places ORDER BY id", on: connection)
    var names: [PlaceNames] = []
    while try select.step() {
      for column in 1...PlaceNames.columnCount
      where try select.withBytes(at: column, { $0.count > PlaceNames.longestStoredBytes }) {
        throw select.damaged(column, of: "places, row \(select.int64(at: 0))")
      }
      names.append(PlaceNames(row: select, from: 1))
    }
    return names
  }
}

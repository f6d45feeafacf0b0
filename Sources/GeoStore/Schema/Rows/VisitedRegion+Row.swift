import Geodesy
import SQLiteLayer

extension VisitedRegion {
  /// The columns of `regions` that ``init(row:names:)`` reads, in order.
  static let columns = """
    id, latitude_e7, longitude_e7, place_id, accuracy, radius, start_ms, end_ms, visit_count
    """

  /// Creates a region from a row of ``columns``.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` for a value that no writer produces.
  init(row: borrowing Statement, names: StoredPlaces) throws(DatabaseError) {
    let id = try row.regionID(at: 0)
    var rowName: String { "regions, row \(id)" }
    let visit = try Visit(row: row, from: 6, of: rowName)
    self.init(
      id: id, coordinate: try row.coordinateE7(at: 1, of: rowName),
      radiusMeters: try row.int(at: 5, in: StoredRange.radiusMeters, of: rowName),
      timestampStart: visit?.start, timestampEnd: visit?.end,
      visitCount: try row.int(at: 8, in: StoredRange.regionVisits, of: rowName),
      names: try names.names(row, at: 3, of: id),
      accuracyMeters: try row.optionalAccuracy(at: 4, of: rowName))
  }
}

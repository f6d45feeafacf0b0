import Geodesy
import SQLiteLayer

/// A visited region as a row of the Roqua app's table.
struct AppExportRow {
  let region: VisitedRegion
  /// The creation time: the original one if the region was adopted, otherwise in the form of
  /// SQLite's `CURRENT_TIMESTAMP`.
  let createdAt: String?
  /// The time of the last change: the original one if the region was adopted, otherwise in ISO
  /// 8601.
  let updatedAt: String?

  /// The time of its first fix in the app's form; empty if no fix has a time, since the app's
  /// column does not accept NULL.
  var timestampStart: String { region.timestampStart?.wholeSecond.iso8601 ?? "" }
  /// The time of its last fix in the app's form; nil if no fix has a time.
  var timestampEnd: String? { region.timestampEnd?.wholeSecond.iso8601 }

  /// Selects the columns that ``init(row:names:)`` reads. `?1` is the region's number.
  private static let select = """
    SELECT \(VisitedRegion.columns), created_at, updated_at, made_by = changed_by,
      (SELECT imported_at FROM sources WHERE id = made_by) AS made_at,
      (SELECT imported_at FROM sources WHERE id = changed_by) AS changed_at
    FROM regions LEFT JOIN adopted_times ON region_id = id WHERE id = ?1
    """

  /// Like the view `visited_regions`, uses the adopted times unless another source changed the
  /// region.
  private init(row: borrowing Statement, names: StoredPlaces) throws(DatabaseError) {
    region = try VisitedRegion(row: row, names: names)
    let isAsAdopted = row.int(at: 11) == 1
    createdAt =
      row.text(at: 9)
      ?? Timestamp(iso8601: row.text(at: 12) ?? "").map { $0.wholeSecond.sqliteText }
    updatedAt =
      (isAsAdopted ? row.text(at: 10) : nil)
      ?? Timestamp(iso8601: row.text(at: 13) ?? "").map { $0.wholeSecond.iso8601 }
  }

  /// Maximum size in bytes of the names kept in memory from one region to the next.
  private static let nameBytes = 4 << 20

  /// Calls `body` with all regions in the order of their first times, and of their numbers if these
  /// are equal. Regions without a time come first.
  ///
  /// Only the numbers are sorted, since the sorted rows may go to a file.
  ///
  /// - Complexity: O(regions · log regions); memory does not grow with their number if the
  ///   connection's temporary data goes to files.
  /// - Throws: ``DatabaseError``, and any error that `body` throws.
  static func forEach(
    of connection: Connection, _ body: (AppExportRow) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    let order = try Statement("SELECT id FROM regions ORDER BY start_ms, id", on: connection)
    let select = try Statement(Self.select, on: connection)
    var names = StoredPlaces(connection)
    while try order.step() {
      let id = try order.regionID(at: 0)
      select.bind(id, at: 1)
      guard try select.step() else {
        throw .damaged(path: connection.path, detail: "regions has no row \(id)")
      }
      let row = try AppExportRow(row: select, names: names)
      select.reset()
      try body(row)
      if names.byteCount > nameBytes { names = StoredPlaces(connection) }
    }
  }
}

extension Timestamp {
  /// The time rounded down to a second: the app neither writes nor reads fractions.
  fileprivate var wholeSecond: Timestamp {
    let fraction = (millisecondsSince1970 % 1_000 + 1_000) % 1_000
    return Timestamp(millisecondsSince1970: millisecondsSince1970 - fraction)
  }

  /// A whole second in the form of SQLite's `CURRENT_TIMESTAMP`: `2024-05-01 10:00:00`.
  fileprivate var sqliteText: String {
    iso8601.replacing("T", with: " ").replacing("Z", with: "")
  }
}

import Geodesy
import SQLiteLayer

/// A visited region as a row of the Roqua app's table.
struct AppExportRow {
  let region: VisitedRegion
  /// When it was made: as it was adopted, or in the form of SQLite's `CURRENT_TIMESTAMP`.
  let createdAt: String?
  /// When it was changed last: as it was adopted, or in ISO 8601.
  let updatedAt: String?

  /// The time of its first fix as the app writes it; empty if no fix has a time, since the app's
  /// column takes no NULL.
  var timestampStart: String { region.timestampStart?.wholeSecond.iso8601 ?? "" }
  /// The time of its last fix as the app writes it; nil if no fix has a time.
  var timestampEnd: String? { region.timestampEnd?.wholeSecond.iso8601 }

  /// The columns that ``init(row:names:)`` reads, and where from. `?1` is the region's number.
  private static let select = """
    SELECT \(VisitedRegion.columns), created_at, updated_at, made_by = changed_by,
      (SELECT imported_at FROM sources WHERE id = made_by) AS made_at,
      (SELECT imported_at FROM sources WHERE id = changed_by) AS changed_at
    FROM regions LEFT JOIN adopted_times ON region_id = id WHERE id = ?1
    """

  /// As the view `visited_regions` has it: the adopted times, as long as no other source changed
  /// the region.
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

  /// Names that are kept in memory from one region to the next, in bytes.
  private static let nameBytes = 4 << 20

  /// Hands out all regions in the order of their first times, and of their numbers where these are
  /// equal; those without a time come first.
  ///
  /// Only the numbers are sorted, since the sorted rows may go to a file.
  ///
  /// - Complexity: O(regions · log regions); the memory does not depend on their number, if
  ///   temporary data of the connection goes to files.
  /// - Throws: ``DatabaseError``, and what `body` throws.
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
  /// The second in which it lies: the app neither writes nor reads fractions.
  fileprivate var wholeSecond: Timestamp {
    let fraction = (millisecondsSince1970 % 1_000 + 1_000) % 1_000
    return Timestamp(millisecondsSince1970: millisecondsSince1970 - fraction)
  }

  /// A whole second in the form of SQLite's `CURRENT_TIMESTAMP`: `2024-05-01 10:00:00`.
  fileprivate var sqliteText: String {
    iso8601.replacing("T", with: " ").replacing("Z", with: "")
  }
}

import SQLiteLayer

/// Rows of one table that are inserted a batch at a time, in the order in which they are added.
///
/// Only one such object of a database has rows at a time; ``flush()`` inserts them.
final class DatabaseRows {
  /// The number of bytes of texts and blobs from which a batch is inserted.
  private static let pieceBytes = 1 << 18

  /// The values of the next rows. Whoever adds a row appends its values in the order of the
  /// columns.
  let batch: RowBatch
  private let sql: String
  private let columns: Int
  private let connection: Connection

  /// Begins.
  ///
  /// - Parameters:
  ///   - sql: a statement that reads `RowBatch.tableName`.
  ///   - columns: the number of values of a row.
  init(_ sql: String, columns: Int, in database: ExportDatabase) throws(ExportFailure) {
    connection = database.connection
    (self.sql, self.columns) = (sql, columns)
    let connection = connection
    batch = try ExportDatabase.rethrowing { () throws(DatabaseError) in
      try connection.rowBatch()
    }
    batch.begin(columns: columns)
  }

  /// Ends a row.
  @inline(__always)
  func endRow() throws(ExportFailure) {
    if !batch.hasRoom || batch.byteCount >= Self.pieceBytes { try flush() }
  }

  /// Inserts the rows that are not inserted yet.
  func flush() throws(ExportFailure) {
    guard batch.rowCount > 0 else { return }
    try ExportDatabase.rethrowing { () throws(DatabaseError) in
      let count = batch.rowCount
      let insert = try connection.cached(sql)
      try insert.run(changing: count)
    }
    batch.begin(columns: columns)
  }
}

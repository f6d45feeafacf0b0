import SQLiteLayer

/// A new database that an export fills in one transaction.
final class ExportDatabase {
  /// The connection to the file.
  let connection: Connection

  /// Opens an empty file and begins the transaction.
  ///
  /// - Parameter prepare: settings that must precede the first table.
  init(
    path: String, prepare: (Connection) throws(DatabaseError) -> Void = { _ in }
  ) throws(ExportFailure) {
    connection = try Self.rethrowing { () throws(DatabaseError) in
      let connection = try Connection.output(path)
      try Pragmas.saveMemory(connection)
      try connection.allowShadowTables()
      try prepare(connection)
      try connection.beginTransaction()
      return connection
    }
  }

  /// Runs statements without rows.
  func execute(_ sql: String) throws(ExportFailure) {
    try Self.rethrowing { () throws(DatabaseError) in try connection.execute(sql) }
  }

  /// Runs one statement with values for its parameters.
  func run(_ sql: String, _ values: [ExportValue]) throws(ExportFailure) {
    try Self.rethrowing { () throws(DatabaseError) in
      let statement = try connection.cached(sql)
      for (place, value) in values.enumerated() {
        let index = Int32(place + 1)
        switch value {
        case .null: statement.bind(nil as Int64?, at: index)
        case .text(let text): statement.bind(text, at: index)
        case .integer(let number): statement.bind(number, at: index)
        case .real(let number): statement.bind(number, at: index)
        case .boolean(let isTrue): statement.bind(isTrue ? 1 : 0 as Int64, at: index)
        case .time(let milliseconds):
          statement.bind(DatabaseTime.text(milliseconds), at: index)
        }
      }
      try statement.run()
    }
  }

  /// Inserts rows: `fill` appends the values of each to the batch and calls
  /// ``DatabaseRows/endRow()``.
  ///
  /// - Parameter sql: a statement that reads `RowBatch.tableName`.
  func insert(
    _ sql: String, columns: Int, _ fill: (DatabaseRows) throws(ExportFailure) -> Void
  ) throws(ExportFailure) {
    let rows = try DatabaseRows(sql, columns: columns, in: self)
    try fill(rows)
    try rows.flush()
  }

  /// Ends the transaction. The file is complete then.
  func commit() throws(ExportFailure) {
    try Self.rethrowing { () throws(DatabaseError) in
      try connection.run("COMMIT")
      connection.endTransaction()
    }
  }

  /// What a failed write says: the system's reason, as other formats do, if SQLite knows it.
  private static func reason(for error: DatabaseError) -> String {
    error.sqliteFailure.map { $0.systemReason ?? $0.message } ?? error.description
  }

  /// Turns an error of the database into the reason why the export stops.
  static func rethrowing<T>(
    _ body: () throws(DatabaseError) -> T
  ) throws(ExportFailure) -> T {
    do throws(DatabaseError) {
      return try body()
    } catch {
      throw switch error {
      case .interrupted: .canceled
      case .diskFull: .failed(reason: "the disk is full")
      default: .failed(reason: reason(for: error))
      }
    }
  }
}

import CSQLite

/// The virtual table ``RowBatch/tableName`` that reads a ``RowBatch``. It exists only on the
/// connection to which it was added, is never part of a database file, and can only be read from
/// its first row to its last.
package enum RowBatchTable {
  /// Adds the table to a connection, which keeps the batch alive.
  package static func add(_ batch: RowBatch, to connection: Connection) throws(DatabaseError) {
    // Sound: retained once here, and released once by the destructor, which SQLite calls when it
    // closes the connection.
    let owner = Unmanaged.passRetained(batch).toOpaque()
    // If this fails, SQLite has already called the destructor.
    let code = sqlite3_create_module_v2(connection.handle, RowBatch.tableName, module, owner) {
      pointer in
      pointer.map { Unmanaged<RowBatch>.fromOpaque($0).release() }
    }
    guard code == SQLITE_OK else { throw connection.error(code, sql: nil) }
  }

  /// SQLite's structs followed by fields of our own: SQLite only sees the first field.
  ///
  /// Sound: the batch is not retained here, because the module keeps it alive and outlives its
  /// tables.
  private struct Table {
    var base: sqlite3_vtab
    let batch: Unmanaged<RowBatch>
  }

  // Sound: as for `Table`, which SQLite keeps until its cursors are closed.
  private struct Cursor {
    var base: sqlite3_vtab_cursor
    let batch: Unmanaged<RowBatch>
    var row: Int
    var rowCount: Int
  }

  // Unsafe: written once here, before the pointer is shared, and only read by SQLite.
  nonisolated(unsafe) private static let module: UnsafePointer<sqlite3_module> = {
    precondition(
      MemoryLayout<Table>.offset(of: \.base) == 0 && MemoryLayout<Cursor>.offset(of: \.base) == 0,
      "SQLite's struct comes first")
    var module = sqlite3_module()
    // No xCreate: the table exists without CREATE VIRTUAL TABLE, and cannot be added to a file.
    module.xConnect = { handle, auxiliary, _, _, table, _ in
      guard let auxiliary, let table else { return SQLITE_MISUSE }
      let columns = (0..<RowBatch.maximumColumns).map { "c\($0)" }.joined(separator: ", ")
      let code = sqlite3_declare_vtab(handle, "CREATE TABLE rows (\(columns))")
      guard code == SQLITE_OK else { return code }
      // Sound: SQLite passes the table once to `xDisconnect`, which frees it.
      let own = UnsafeMutablePointer<Table>.allocate(capacity: 1)
      own.initialize(to: Table(base: sqlite3_vtab(), batch: .fromOpaque(auxiliary)))
      table.pointee = UnsafeMutableRawPointer(own).assumingMemoryBound(to: sqlite3_vtab.self)
      return SQLITE_OK
    }
    module.xDisconnect = { table in
      // Sound: every table was allocated by `xConnect`, and its base is its first field.
      table.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Table.self).deallocate() }
      return SQLITE_OK
    }
    module.xBestIndex = { _, _ in SQLITE_OK }
    module.xOpen = { table, cursor in
      guard let table, let cursor else { return SQLITE_MISUSE }
      // Sound: the table was allocated by `xConnect`. SQLite passes the cursor once to `xClose`,
      // which frees it.
      let batch = UnsafeMutableRawPointer(table).assumingMemoryBound(to: Table.self).pointee.batch
      let own = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
      own.initialize(to: Cursor(base: sqlite3_vtab_cursor(), batch: batch, row: 0, rowCount: 0))
      cursor.pointee = UnsafeMutableRawPointer(own).assumingMemoryBound(
        to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { cursor in
      RowBatchTable.own(cursor)?.deallocate()
      return SQLITE_OK
    }
    module.xFilter = { cursor, _, _, _, _ in
      guard let own = RowBatchTable.own(cursor) else { return SQLITE_MISUSE }
      own.pointee.row = 0
      own.pointee.rowCount = own.pointee.batch._withUnsafeGuaranteedRef { $0.rowCount }
      return SQLITE_OK
    }
    module.xNext = { cursor in
      RowBatchTable.own(cursor)?.pointee.row += 1
      return SQLITE_OK
    }
    module.xEof = { cursor in
      guard let own = RowBatchTable.own(cursor) else { return 1 }
      return own.pointee.row < own.pointee.rowCount ? 0 : 1
    }
    module.xColumn = { cursor, context, column in
      guard let own = RowBatchTable.own(cursor) else { return SQLITE_MISUSE }
      let row = own.pointee.row
      own.pointee.batch._withUnsafeGuaranteedRef {
        $0.result(row: row, column: Int(column), to: context)
      }
      return SQLITE_OK
    }
    module.xRowid = { cursor, rowid in
      guard let own = RowBatchTable.own(cursor), let rowid else { return SQLITE_MISUSE }
      rowid.pointee = Int64(own.pointee.row)
      return SQLITE_OK
    }
    // Sound: never freed, since connections reference it for as long as they exist.
    let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    pointer.initialize(to: module)
    return UnsafePointer(pointer)
  }()

  // Sound: every cursor was allocated by `xOpen`, and its base is its first field.
  private static func own(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?)
    -> UnsafeMutablePointer<
      Cursor
    >?
  {
    cursor.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Cursor.self) }
  }
}

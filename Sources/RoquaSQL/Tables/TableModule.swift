import CSQLiteCalls

/// The virtual table of a table-valued function. It exists on the connection alone, is never part
/// of a database file, and only reads.
enum TableModule {
  /// Adds a table-valued function to a connection, and returns SQLite's result code.
  static func add(_ function: TableFunction, to database: OpaquePointer) -> Int32 {
    // Sound: retained once here, and released once by the destructor, which SQLite also calls if
    // this fails.
    let owner = Unmanaged.passRetained(function).toOpaque()
    return roqua_create_module(database, function.name, module, owner) { pointer in
      pointer.map { Unmanaged<TableFunction>.fromOpaque($0).release() }
    }
  }

  /// SQLite's structs followed by fields of our own: SQLite only sees the first field.
  ///
  /// Sound: the function is not retained here, because the module keeps it alive and outlives its
  /// tables.
  private struct Table {
    var base: sqlite3_vtab
    let function: Unmanaged<TableFunction>
    let database: OpaquePointer
  }

  // Sound: the rows are retained by `xOpen`, and released by `xClose`.
  private struct Cursor {
    var base: sqlite3_vtab_cursor
    let function: Unmanaged<TableFunction>
    let rows: Unmanaged<TableRows>
  }

  // Unsafe: written once here, before the pointer is shared, and only read by SQLite.
  nonisolated(unsafe) private static let module: UnsafePointer<sqlite3_module> = {
    precondition(
      MemoryLayout<Table>.offset(of: \.base) == 0 && MemoryLayout<Cursor>.offset(of: \.base) == 0,
      "SQLite's struct comes first")
    var module = sqlite3_module()
    // No xCreate: the table exists without CREATE VIRTUAL TABLE, and cannot be added to a file.
    module.xConnect = { database, auxiliary, _, _, table, _ in
      guard let database, let auxiliary, let table else { return SQLITE_MISUSE }
      let function = Unmanaged<TableFunction>.fromOpaque(auxiliary)
      let code = roqua_declare_table(
        database, function._withUnsafeGuaranteedRef { $0.schema })
      guard code == SQLITE_OK else { return code }
      // Sound: SQLite passes the table once to `xDisconnect`, which frees it.
      let own = UnsafeMutablePointer<Table>.allocate(capacity: 1)
      own.initialize(to: Table(base: sqlite3_vtab(), function: function, database: database))
      table.pointee = UnsafeMutableRawPointer(own).assumingMemoryBound(to: sqlite3_vtab.self)
      return SQLITE_OK
    }
    module.xDisconnect = { table in
      own(table)?.deallocate()
      return SQLITE_OK
    }
    module.xBestIndex = { table, info in
      guard let function = own(table)?.pointee.function, let info else { return SQLITE_MISUSE }
      return function._withUnsafeGuaranteedRef { plan(info, of: $0) }
    }
    module.xOpen = { table, cursor in
      guard let table = own(table)?.pointee, let cursor else { return SQLITE_MISUSE }
      let rows = table.function._withUnsafeGuaranteedRef { $0.makeRows(table.database) }
      // Sound: SQLite passes the cursor once to `xClose`, which frees it and releases the rows.
      let own = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
      own.initialize(
        to: Cursor(
          base: sqlite3_vtab_cursor(), function: table.function, rows: .passRetained(rows)))
      cursor.pointee = UnsafeMutableRawPointer(own).assumingMemoryBound(
        to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    module.xClose = { cursor in
      guard let own = own(cursor) else { return SQLITE_MISUSE }
      own.pointee.rows.release()
      own.deallocate()
      return SQLITE_OK
    }
    module.xFilter = { cursor, plan, _, count, values in
      guard let function = own(cursor)?.pointee.function else { return SQLITE_MISUSE }
      let value = plan == 1 && count == 1 ? values?[0] : nil
      return using(cursor) { (rows) throws(FunctionFailure) in
        try rows.begin(argument: argument(value, of: function.takeUnretainedValue()))
      }
    }
    module.xNext = { cursor in
      using(cursor) { (rows) throws(FunctionFailure) in try rows.advance() }
    }
    module.xEof = { cursor in
      guard let own = own(cursor) else { return 1 }
      return own.pointee.rows._withUnsafeGuaranteedRef { $0.isAtEnd ? 1 : 0 }
    }
    module.xColumn = { cursor, context, column in
      guard let own = own(cursor), let context else { return SQLITE_MISUSE }
      own.pointee.rows._withUnsafeGuaranteedRef { $0.write(column: column, to: context) }
      return SQLITE_OK
    }
    module.xRowid = { cursor, rowid in
      guard let own = own(cursor), let rowid else { return SQLITE_MISUSE }
      rowid.pointee = own.pointee.rows._withUnsafeGuaranteedRef { $0.rowID }
      return SQLITE_OK
    }
    // Sound: never freed, since connections reference it for as long as they exist.
    let pointer = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    pointer.initialize(to: module)
    return UnsafePointer(pointer)
  }()

  /// Says which conditions the table applies itself: that on the argument, and an order that its
  /// rows are in.
  ///
  /// Sound: SQLite's arrays have the numbers of elements that it states with them.
  private static func plan(
    _ info: UnsafeMutablePointer<sqlite3_index_info>, of function: TableFunction
  ) -> Int32 {
    (info.pointee.estimatedCost, info.pointee.estimatedRows) = (1e7, 1_000_000)
    for index in 0..<Int(info.pointee.nConstraint) {
      let constraint = info.pointee.aConstraint[index]
      guard constraint.iColumn == function.argumentColumn,
        Int32(constraint.op) == SQLITE_INDEX_CONSTRAINT_EQ
      else { continue }
      // The argument comes from a table that is read later: another order of the tables is needed.
      guard constraint.usable != 0 else { return SQLITE_CONSTRAINT }
      info.pointee.aConstraintUsage[index].argvIndex = 1
      info.pointee.aConstraintUsage[index].omit = 1
      info.pointee.idxNum = 1
      (info.pointee.estimatedCost, info.pointee.estimatedRows) = (1e4, 1_000)
      break
    }
    let terms = info.pointee.nOrderBy
    if terms > 0, terms <= function.orderedColumns,
      (0..<terms).allSatisfy({
        info.pointee.aOrderBy[Int($0)].iColumn == $0 && info.pointee.aOrderBy[Int($0)].desc == 0
      })
    {
      info.pointee.orderByConsumed = 1
    }
    return SQLITE_OK
  }

  /// The argument of a table-valued function; nil if there is none, or NULL.
  private static func argument(
    _ value: OpaquePointer?, of function: TableFunction
  ) throws(FunctionFailure) -> Int64? {
    guard let value, roqua_value_type(value) != SQLITE_NULL else { return nil }
    guard roqua_value_numeric_type(value) == SQLITE_INTEGER else {
      throw FunctionFailure(
        "The argument of \(function.name) must be the \(function.argumentName).")
    }
    return roqua_value_int64(value)
  }

  /// Runs `body` with the rows of a cursor, and returns SQLite's result code. The message of a
  /// failure goes to the table.
  private static func using(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?,
    _ body: (TableRows) throws(FunctionFailure) -> Void
  ) -> Int32 {
    guard let cursor, let own = own(cursor) else { return SQLITE_MISUSE }
    do throws(FunctionFailure) {
      try body(own.pointee.rows.takeUnretainedValue())
      return SQLITE_OK
    } catch {
      if let message = error.message {
        roqua_set_message(&cursor.pointee.pVtab.pointee.zErrMsg, message)
      }
      return error.code
    }
  }

  // Sound: every table was allocated by `xConnect`, and its base is its first field.
  private static func own(_ table: UnsafeMutablePointer<sqlite3_vtab>?)
    -> UnsafeMutablePointer<Table>?
  {
    table.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Table.self) }
  }

  // Sound: every cursor was allocated by `xOpen`, and its base is its first field.
  private static func own(_ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?)
    -> UnsafeMutablePointer<Cursor>?
  {
    cursor.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: Cursor.self) }
  }
}

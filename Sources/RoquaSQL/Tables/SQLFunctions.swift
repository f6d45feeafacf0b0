import CSQLiteCalls

/// Roqua's functions in SQL: `roqua_distance`, `roqua_place`, `roqua_country`, `roqua_cell`,
/// `roqua_fixes`, `roqua_tracks` and `roqua_cells`. `docs/sql.md` describes them.
///
/// They call SQLite only through `roqua_sqlite`, which must be set first.
package enum SQLFunctions {
  /// Adds all functions to a connection, and returns SQLite's result code.
  ///
  /// - Precondition: `roqua_sqlite_use_linked` or `roqua_sqlite_use_routines` was called.
  package static func add(to database: OpaquePointer) -> Int32 {
    for function in ScalarFunction.all {
      let code = function.add(to: database)
      guard code == SQLITE_OK else { return code }
    }
    for function in TableFunction.all {
      let code = TableModule.add(function, to: database)
      guard code == SQLITE_OK else { return code }
    }
    return SQLITE_OK
  }
}

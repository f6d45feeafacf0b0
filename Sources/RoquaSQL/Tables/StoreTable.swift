import CSQLiteCalls

/// The tables of the store, as the table-valued functions read them.
enum StoreTable {
  /// Compiles a query of a table-valued function.
  ///
  /// - Throws: a failure that says what to open if the database is not a store.
  static func query(
    _ sql: String, for function: TableFunction, on database: OpaquePointer
  ) throws(FunctionFailure) -> TableQuery {
    do throws(FunctionFailure) {
      return try TableQuery(sql, on: database)
    } catch {
      guard error.code == SQLITE_ERROR, let message = error.message else { throw error }
      throw FunctionFailure(
        "\(function.name) reads a Roqua store, which must be the main database (\(message)).")
    }
  }

  /// The failure for a row that Roqua cannot have written.
  static func damage(_ place: String) -> FunctionFailure {
    // SQLITE_CORRUPT_VTAB, which Swift does not import.
    FunctionFailure("The store is damaged (\(place)).", code: SQLITE_CORRUPT | 1 << 8)
  }
}

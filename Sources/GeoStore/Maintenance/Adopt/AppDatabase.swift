import SQLiteLayer

/// A database of the Roqua app, opened for reading (`FrozenDatabase`). Nothing in its folder is
/// ever written. ``verifyUnchanged()`` detects changes made meanwhile.
package final class AppDatabase {
  private let path: String
  private let database: FrozenDatabase
  private let connection: Connection
  private let table: AppTable

  /// Opens a database.
  ///
  /// - Throws: ``StoreError/notAnAppDatabase(path:reason:)``.
  package init(path: String) throws {
    self.path = path
    do {
      _ = try DatabaseFile.exists(path: path, creating: false)
      database = try FrozenDatabase(path: path)
      connection = try database.connection()
      // It is read once, from its first row to its last.
      try connection.execute("PRAGMA temp_store = FILE")
      table = try AppTable(of: connection)
    } catch {
      throw Self.explained(error, path)
    }
  }

  /// Calls `body` with all rows, in the order of their numbers.
  ///
  /// - Complexity: O(rows); memory for one row.
  package func forEachRow(_ body: (AppRow) throws -> Void) throws {
    let select = try explaining { try Statement(table.select, on: connection) }
    var place: Int64 = 0
    while try explaining({ try select.step() }) {
      place += 1
      try body(table.row(select, place: place))
    }
  }

  private func explaining<T: ~Copyable>(
    _ body: () throws -> T
  ) throws -> T {
    do { return try body() } catch { throw Self.explained(error, path) }
  }

  /// Checks that the files have not changed since they were opened.
  ///
  /// - Throws: ``StoreError/notAnAppDatabase(path:reason:)`` if they have changed.
  package func verifyUnchanged() throws {
    guard database.isUnchanged else {
      throw StoreError.notAnAppDatabase(
        path: path, reason: "it was changed while it was being read; close the app and try again")
    }
  }

  /// Rewords errors: their texts are about a store, not the app's database.
  private static func explained(_ error: any Error, _ path: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    return switch error {
    case .missing:
      StoreError.notAnAppDatabase(path: path, reason: "there is no such file, or it is empty")
    case .notADatabase:
      StoreError.notAnAppDatabase(path: path, reason: "it is not an SQLite database")
    case .damaged(_, let detail, _):
      StoreError.notAnAppDatabase(path: path, reason: "it is damaged (\(detail))")
    case .cannotOpen(_, let reason, _): StoreError.notAnAppDatabase(path: path, reason: reason)
    case .sqlite(_, let cause):
      StoreError.notAnAppDatabase(
        path: path, reason: "its table visited_regions cannot be read (\(cause.message))")
    default: error
    }
  }
}

import CSQLiteCalls
import RoquaSQL

/// The entry point of the extension `libroqua_sqlite`, which SQLite finds by its name: that of the
/// file without `lib`, punctuation and ending (https://www.sqlite.org/loadext.html).
///
/// - Parameters:
///   - database: the connection that loads the extension.
///   - message: the place for a message, which SQLite frees.
///   - routines: SQLite's functions, as `const sqlite3_api_routines *`.
/// - Returns: SQLite's result code.
@_cdecl("sqlite3_roquasqlite_init")
public func initializeExtension(
  _ database: OpaquePointer?, _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ routines: UnsafeRawPointer?
) -> Int32 {
  // Before this, none of SQLite's functions can be called, not even to allocate a message.
  guard let database, roqua_sqlite_use_routines(routines) != 0 else { return SQLITE_ERROR }
  let code = SQLFunctions.add(to: database)
  // SQLITE_OK_LOAD_PERMANENTLY, which Swift does not import: a library with a Swift runtime must
  // not be unloaded with the connection.
  return code == SQLITE_OK ? SQLITE_OK | 1 << 8 : code
}

import CSQLite
import SQLiteLayer

/// Lets a connection compile only statements that read.
///
/// The connection is also `query_only`; this refuses what that leaves open, such as ATTACH, PRAGMA
/// and transactions, and it refuses before anything runs.
final class QueryAuthorizer {
  /// What the last refused statement would have done.
  private(set) var refusal: String?
  /// Whether everything is allowed, as while Roqua itself adds views.
  var isOpen = false

  /// Watches a connection, which must call ``release(_:)`` before this object is released.
  func watch(_ connection: Connection) {
    sqlite3_set_authorizer(
      connection.handle,
      { pointer, action, first, second, _, _ in
        guard let pointer else { return SQLITE_DENY }
        // Unretained: the session owns the authorizer, and removes it before it is freed.
        let authorizer = Unmanaged<QueryAuthorizer>.fromOpaque(pointer).takeUnretainedValue()
        // Sound: the texts are valid during the call, and copied.
        return authorizer.decide(
          action, first.map { String(cString: $0) }, second.map { String(cString: $0) })
      }, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Ends the watch.
  func release(_ connection: Connection) {
    sqlite3_set_authorizer(connection.handle, nil, nil)
  }

  /// Forgets the last refusal, because another statement is compiled.
  func restart() { refusal = nil }

  private func decide(_ action: Int32, _ first: String?, _ second: String?) -> Int32 {
    guard !isOpen else { return SQLITE_OK }
    switch action {
    case SQLITE_SELECT, SQLITE_READ, SQLITE_RECURSIVE: return SQLITE_OK
    case SQLITE_UPDATE where first == "sqlite_master":
      // SQLite asks this for a virtual table that it meets for the first time, and itself refuses
      // statements that change the schema's table.
      return SQLITE_OK
    case SQLITE_FUNCTION:
      let name = second?.lowercased() ?? ""
      if !Self.refuses(function: name) { return SQLITE_OK }
      refusal = name
    case SQLITE_PRAGMA:
      let name = first?.lowercased() ?? ""
      if Self.describing.contains(name) || second == nil && Self.reading.contains(name) {
        return SQLITE_OK
      }
      refusal = "PRAGMA \(name)"
    default: refusal = Self.names[action] ?? "this statement"
    }
    return SQLITE_DENY
  }

  /// Whether a function does more than compute: functions of SpatiaLite that read or write files or
  /// change the database, which exist if SPATIALITE_SECURITY is set, and others that act on the
  /// process.
  private static func refuses(function name: String) -> Bool {
    let prefixes = [
      "blobtofile", "blobfromfile", "xb_loadxml", "xb_storexml", "xb_cachefile", "export", "import",
      "sqlproc_", "storedproc_", "storedvar_", "proj_set", "initspatialmeta", "initfdo",
      "initadvancedmeta", "register", "unregister", "elementarygeometries", "create", "recover",
      "discard", "add", "drop", "clone", "enable", "disable", "load",
    ]
    return ["eval", "fts3_tokenizer", "load_extension", "writefile", "readfile"].contains(name)
      || prefixes.contains { name.hasPrefix($0) }
  }

  /// Pragmas that describe the table, index or function that they are given.
  private static let describing: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
    "foreign_key_list",
  ]
  /// Pragmas that only read if they are given no value.
  private static let reading: Set<String> = [
    "application_id", "collation_list", "compile_options", "database_list", "encoding",
    "freelist_count", "function_list", "module_list", "page_count", "page_size", "pragma_list",
    "schema_version", "user_version",
  ]
  /// The names of the actions that a person may try.
  private static let names: [Int32: String] = [
    SQLITE_INSERT: "INSERT", SQLITE_UPDATE: "UPDATE", SQLITE_DELETE: "DELETE",
    SQLITE_ATTACH: "ATTACH", SQLITE_DETACH: "DETACH", SQLITE_TRANSACTION: "a transaction",
    SQLITE_SAVEPOINT: "SAVEPOINT", SQLITE_ALTER_TABLE: "ALTER TABLE", SQLITE_REINDEX: "REINDEX",
    SQLITE_ANALYZE: "ANALYZE", SQLITE_CREATE_INDEX: "CREATE INDEX",
    SQLITE_CREATE_TABLE: "CREATE TABLE", SQLITE_CREATE_TEMP_TABLE: "CREATE TABLE",
    SQLITE_CREATE_TRIGGER: "CREATE TRIGGER", SQLITE_CREATE_TEMP_TRIGGER: "CREATE TRIGGER",
    SQLITE_CREATE_VIEW: "CREATE VIEW", SQLITE_CREATE_TEMP_VIEW: "CREATE VIEW",
    SQLITE_CREATE_VTABLE: "CREATE VIRTUAL TABLE", SQLITE_DROP_INDEX: "DROP INDEX",
    SQLITE_DROP_TABLE: "DROP TABLE", SQLITE_DROP_TRIGGER: "DROP TRIGGER",
    SQLITE_DROP_VIEW: "DROP VIEW",
  ]
}

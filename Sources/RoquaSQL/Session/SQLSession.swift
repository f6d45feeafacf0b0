import CSQLite
import CSQLiteCalls
import GeoStore
import SQLiteLayer

/// Answers a person's SQL on one unchanging state of a store. It only reads.
///
/// The store's views, SQLite's functions and Roqua's (``SQLFunctions``) can be used; SpatiaLite is
/// loaded when a statement uses a name that is not known without it, because loading takes longer
/// than most queries.
package final class SQLSession {
  private let connection: Connection
  private let authorizer = QueryAuthorizer()
  private let parameters: [String: SQLValue]
  private var usedParameters: Set<String> = []
  private var hasSpatiaLite = false

  /// Runs `body` with a session on a store.
  ///
  /// - Parameter parameters: values by the names of parameters, without the character before them.
  /// - Throws: ``SQLFailure``.
  package static func run(
    on store: Store, parameters: [String: SQLValue] = [:],
    _ body: (SQLSession) throws(SQLFailure) -> Void
  ) throws(SQLFailure) {
    let result: Result<Void, SQLFailure>
    do throws(DatabaseError) {
      result = try store.withReader {
        (connection) throws(DatabaseError) -> Result<Void, SQLFailure> in
        let session = try SQLSession(connection, parameters: parameters)
        defer { session.end() }
        return Result { () throws(SQLFailure) in try body(session) }
      }
    } catch {
      throw .database(error)
    }
    try result.get()
  }

  /// Number of steps between two checks for a cancellation. A row takes about ten steps, and a
  /// function of SpatiaLite in it can take milliseconds. A check takes as long as a step or two.
  private static let stepsBetweenChecks: Int32 = 200

  private init(_ connection: Connection, parameters: [String: SQLValue]) throws(DatabaseError) {
    self.connection = connection
    self.parameters = parameters
    roqua_sqlite_use_linked()
    let code = SQLFunctions.add(to: connection.handle)
    guard code == SQLITE_OK else { throw connection.error(code, sql: nil) }
    // The schema is not trusted, but its views may be read: they can only call innocuous functions.
    try allowViews(true)
    connection.stepBudget.isUnlimited = true
    connection.stepBudget.watch(connection.handle, every: Self.stepsBetweenChecks)
    authorizer.watch(connection)
  }

  private func end() {
    authorizer.release(connection)
    connection.stepBudget.isUnlimited = false
    connection.stepBudget.watch(connection.handle)
    try? allowViews(false)
  }

  private func allowViews(_ areAllowed: Bool) throws(DatabaseError) {
    let code = roqua_sqlite_set_option(
      connection.handle, SQLITE_DBCONFIG_ENABLE_VIEW, areAllowed ? 1 : 0)
    guard code == SQLITE_OK else { throw connection.error(code, sql: nil) }
  }

  /// Runs the statements of a text, one after the other.
  ///
  /// - Parameters:
  ///   - begin: called before the rows of each statement that has columns.
  ///   - row: called for each row.
  /// - Throws: ``SQLFailure``. What came before has been answered.
  package func run(
    _ sql: String, begin: (QueryStatement) throws(SQLFailure) -> Void,
    row: (QueryStatement) throws(SQLFailure) -> Void
  ) throws(SQLFailure) {
    guard !sql.utf8.contains(0) else {
      throw .rejected(message: "the text contains a NUL character")
    }
    var (rest, count) = (Substring(sql), 0)
    while let statement = try next(of: &rest) {
      count += 1
      try bindParameters(of: statement)
      if sqlite3_column_count(statement.handle) > 0 { try begin(statement) }
      while try step(statement) { try row(statement) }
    }
    guard count > 0 else { throw .noStatement }
    if let name = Set(parameters.keys).subtracting(usedParameters).min() {
      throw .unusedParameter(name)
    }
  }

  /// Compiles the next statement, and removes its text from `rest`; nil after the last one.
  private func next(of rest: inout Substring) throws(SQLFailure) -> QueryStatement? {
    while !rest.isEmpty {
      let (statement, byteCount) = try compile(String(rest))
      rest = Substring(rest.utf8.dropFirst(byteCount))
      if let statement { return statement }
      // White space or a comment.
      if byteCount == 0 { break }
    }
    return nil
  }

  /// Compiles the first statement of a text, and counts the bytes up to its end.
  private func compile(_ sql: String) throws(SQLFailure) -> (QueryStatement?, Int) {
    authorizer.restart()
    var handle: OpaquePointer?
    var (code, byteCount) = (SQLITE_OK, 0)
    // Sound: SQLite reads no further than the NUL at the end, and `tail` points into the text.
    sql.withCString { text in
      var tail: UnsafePointer<CChar>?
      code = sqlite3_prepare_v3(connection.handle, text, -1, 0, &handle, &tail)
      byteCount = tail.map { $0 - text } ?? 0
    }
    guard code == SQLITE_OK else {
      let message = String(cString: sqlite3_errmsg(connection.handle))
      if code == SQLITE_ERROR, try loadSpatiaLite(because: message) { return try compile(sql) }
      throw failure(code, sql)
    }
    return (handle.map(QueryStatement.init), byteCount)
  }

  /// Loads SpatiaLite if a message says that a name is unknown which it might know, and returns
  /// whether it is there now and was not before.
  private func loadSpatiaLite(because message: String) throws(SQLFailure) -> Bool {
    let isCandidate =
      message.hasPrefix("no such function: ")
      || SpatialLayers.names.contains { message == "no such table: \($0)" }
    guard isCandidate, !hasSpatiaLite else { return false }
    do throws(SpatiaLiteFailure) {
      authorizer.isOpen = true
      defer { authorizer.isOpen = false }
      try SpatiaLiteModule.load(into: connection)
    } catch {
      throw .withoutSpatiaLite(message: message, reason: error)
    }
    do throws(DatabaseError) {
      authorizer.isOpen = true
      try connection.execute("PRAGMA query_only = OFF")
      defer {
        try? connection.execute("PRAGMA query_only = ON")
        authorizer.isOpen = false
      }
      try SpatialLayers.add(to: connection)
    } catch {
      throw .database(error)
    }
    hasSpatiaLite = true
    return true
  }

  private func bindParameters(of statement: QueryStatement) throws(SQLFailure) {
    for (index, name) in statement.parameters.enumerated() {
      let key = name.map { String($0.dropFirst()) } ?? "\(index + 1)"
      guard let value = parameters[key] else {
        throw .missingParameter(name ?? "?\(index + 1)")
      }
      usedParameters.insert(key)
      statement.bind(value, at: Int32(index + 1))
    }
  }

  private func step(_ statement: QueryStatement) throws(SQLFailure) -> Bool {
    switch sqlite3_step(statement.handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let sql = sqlite3_sql(statement.handle).map { String(cString: $0) } ?? ""
      // SQLite runs VACUUM up to where it needs to write.
      if let action = StatementKind(sql).name { throw .refused(action: action) }
      throw failure(code, sql)
    }
  }

  /// The failure of a statement for a result code: what is wrong with the SQL, or with the store.
  private func failure(_ code: Int32, _ sql: String) -> SQLFailure {
    if let action = authorizer.refusal {
      return .refused(action: StatementKind(sql).refusal(atStep: action))
    }
    switch code & 0xFF {
    // What Roqua's own tables found damaged has a message of its own (SQLITE_CORRUPT_VTAB).
    case SQLITE_CORRUPT where code >> 8 == 1, SQLITE_ERROR, SQLITE_AUTH, SQLITE_CONSTRAINT,
      SQLITE_MISMATCH, SQLITE_RANGE,
      SQLITE_TOOBIG, SQLITE_READONLY, SQLITE_MISUSE:
      let text = String(cString: sqlite3_errmsg(connection.handle))
      return .rejected(
        message: SQLiteFailure(extendedCode: code, message: text, sql: nil).message)
    default: return .database(connection.error(code, sql: nil))
    }
  }
}

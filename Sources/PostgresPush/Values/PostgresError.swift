/// Why a push to a PostgreSQL server, or a pull from it, failed. The server's rows and the store
/// are then as before.
///
/// ```swift
/// import PostgresPush
///
/// do {
///   try await store.push(to: PostgresAddress("postgres://localhost/club"), as: "anna")
/// } catch let error as PostgresError {
///   print(error)
/// }
/// ```
public enum PostgresError: Error, Hashable, Sendable {
  /// The address cannot be read.
  case badAddress(reason: String)
  /// The address contains a password, which other users of the machine could see.
  case passwordInAddress
  /// The server cannot be reached, or does not let this user in.
  case cannotConnect(reason: String)
  /// The server wants a password, and none was given.
  case passwordNeeded
  /// The connection was lost.
  case connectionLost(reason: String)
  /// The server refused a statement: its SQLSTATE and its message.
  case refused(code: String, reason: String)
  /// The database does not have the extension PostGIS, and this user cannot add it.
  case noPostGIS(reason: String)
  /// The tables have another version than this program knows.
  case otherVersion(found: Int, supported: Int)
  /// The database has no tables of Roqua.
  case noTables
  /// The database knows nobody of this name.
  case unknownPerson(name: String, known: [String])
  /// The server has sources of this person that the store does not have: another device pushed
  /// them.
  case otherSources(name: String, count: Int)
  /// The server has less of some sources than the store, because another device deleted parts of
  /// them.
  case deletedElsewhere(name: String, count: Int)
  /// The store to be filled has sources or privacy zones already.
  case storeNotEmpty(path: String)
  /// Another person's name gives the same key.
  case nameTaken(name: String, by: String)
  /// What the server has of this person is not what a push writes.
  case damaged(table: String, reason: String)
  /// PostgreSQL's client library cannot be used.
  case unavailable(reason: String)
}

extension PostgresError: CustomStringConvertible {
  /// What went wrong, as a clause for one line.
  public var description: String {
    switch self {
    case .badAddress(let reason): "the address of the server cannot be read: \(reason)"
    case .passwordInAddress:
      "the address contains a password, which other users of this machine could see"
    case .cannotConnect(let reason): "cannot connect to the server: \(reason)"
    case .passwordNeeded: "the server wants a password"
    case .connectionLost(let reason): "the connection to the server was lost: \(reason)"
    case .refused(let code, let reason): "the server refused it: \(reason) (\(code))"
    case .noPostGIS(let reason): "the database has no PostGIS: \(reason)"
    case .otherVersion(let found, let supported):
      "the tables in the database have version \(found); this program knows version \(supported)"
    case .noTables: "the database has no tables of Roqua"
    case .unknownPerson(let name, let known):
      known.isEmpty
        ? "the database has nobody"
        : "the database has no \(name); it has \(known.joined(separator: ", "))"
    case .otherSources(let name, let count):
      "the database has \(count) \(count == 1 ? "source" : "sources") of \(name) that this store "
        + "does not have"
    case .deletedElsewhere(let name, let count):
      "parts of \(count) \(count == 1 ? "source" : "sources") of \(name) were deleted on another "
        + "device, and this store still has them"
    case .storeNotEmpty(let path):
      "\(path): the store has sources or privacy zones; a pull fills a new one"
    case .nameTaken(let name, let other):
      "\(name) cannot be used, because its key is that of \(other)"
    case .damaged(let table, let reason): "\(table) in the database is damaged: \(reason)"
    case .unavailable(let reason): reason
    }
  }
}

/// What a push changed on the server.
///
/// ```swift
/// import PostgresPush
///
/// let address = try PostgresAddress("postgres://anna@db.example.org/club")
/// let report = try await store.push(to: address, as: "anna")
/// print("\(report.written) rows written, \(report.deleted) deleted")
/// ```
public struct PushReport: Hashable, Sendable {
  /// How many rows of a table were written and deleted. A row in a group of rows of which one
  /// changed counts as deleted and written.
  package struct Table: Hashable, Sendable {
    /// The name of the table, without the schema.
    package let name: String
    /// The number of rows written.
    package var written = 0
    /// The number of rows deleted.
    package var deleted = 0
  }

  /// The name of the person.
  package internal(set) var person: String
  /// The person's key in every table.
  package internal(set) var key: Int64
  /// Whether this push made the tables.
  package internal(set) var madeTables = false
  /// Whether the person is new.
  package internal(set) var isNewPerson = false
  /// Whether others may learn that the person has been near a point.
  package internal(set) var isNearby = false
  /// Whether the person's tiles count in pictures for the public.
  package internal(set) var isPublic = false
  /// Whether the database has kept fixes one by one.
  package internal(set) var hasFixRows = false
  /// The tables in which something changed.
  package internal(set) var tables: [Table] = []

  /// The number of rows written to all tables.
  public var written: Int { tables.reduce(0) { $0 + $1.written } }
  /// The number of rows deleted from all tables.
  public var deleted: Int { tables.reduce(0) { $0 + $1.deleted } }
}

/// What a pull stored.
///
/// ```swift
/// import PostgresPush
///
/// let newStore = try Store(path: "/path/to/new.sqlite", creating: true)
/// let address = try PostgresAddress("postgres://anna@db.example.org/club")
/// let report = try await newStore.pull(from: address, as: "anna")
/// print("\(report.sources) sources and \(report.fixes) fixes of \(report.person)")
/// ```
public struct PullReport: Hashable, Sendable {
  /// The name of the person.
  public internal(set) var person: String
  /// The number of sources.
  public internal(set) var sources = 0
  /// The number of kept fixes.
  public internal(set) var fixes = 0
}

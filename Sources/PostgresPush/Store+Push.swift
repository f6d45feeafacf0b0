import GeoStore

extension Store {
  /// Makes the rows of a person in a PostgreSQL database those of this store. The first push makes
  /// the tables (`docs/formats/postgres.md`). Only what changed since the last push is written.
  /// Privacy zones are never sent; the store has nothing inside them.
  ///
  /// ```swift
  /// import PostgresPush
  ///
  /// let address = try PostgresAddress("postgres://anna@db.example.org/club")
  /// let report = try await store.push(to: address, as: "anna")
  /// print(report.written, report.deleted)
  /// ```
  ///
  /// - Parameters:
  ///   - address: the database.
  ///   - name: the name of the person; nil for that of the user who connects.
  ///   - options: what is shared, and how.
  /// - Returns: what changed in the database.
  /// - Throws: ``PostgresError``, `DatabaseError`, `CancellationError`. The database is then
  ///   unchanged.
  /// - Complexity: O(store) in time; memory for some megabytes of digests. The rows that differ are
  ///   sent.
  public func push(
    to address: PostgresAddress, as name: String? = nil, options: PushOptions = PushOptions()
  ) async throws -> PushReport {
    try await Self.onThread { _ in try self.push(to: address, as: name, options: options) }
  }

  /// Pushes, on this thread (``push(to:as:options:)``).
  package func push(
    to address: PostgresAddress, as name: String?, options: PushOptions = PushOptions()
  ) throws -> PushReport {
    let connection = try PostgresConnection(address)
    let run = PushRun(store: self, connection: connection, options: options)
    return try run.run(as: name ?? connection.user)
  }
}

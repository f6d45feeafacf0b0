import GeoStore

extension Store {
  /// Fills this store, which must be new, with what a database has of a person. Regions, visits and
  /// coverage are derived again from the kept fixes, so that they are those of the store that was
  /// pushed. Privacy zones were never sent.
  ///
  /// - Parameters:
  ///   - address: the database.
  ///   - name: the name of the person; nil for that of the user who connects.
  /// - Throws: ``PostgresError``, `DatabaseError`, `CancellationError`. The store is then as
  ///   before.
  /// - Complexity: O(kept fixes).
  public func pull(
    from address: PostgresAddress, as name: String? = nil
  ) async throws -> PullReport {
    try await Self.onThread { _ in try self.pull(from: address, as: name) }
  }

  /// Pulls, on this thread (``pull(from:as:)``).
  package func pull(from address: PostgresAddress, as name: String?) throws -> PullReport {
    let connection = try PostgresConnection(address)
    return try PullRun(connection: connection, store: self).run(as: name ?? connection.user)
  }
}

import ByteStreams
import SQLiteLayer

extension Store {
  /// Forgets sources, and erases their data from the store's files
  /// (``WriteSession/forget(sources:)``).
  ///
  /// - Parameters:
  ///   - selectors: each a source's number, its path, or the first eight or more digits of its
  ///     SHA-256.
  ///   - isDryRun: whether to only report what would be deleted.
  /// - Throws: ``StoreError`` for a selector that matches no source or several, and
  ///   `DatabaseError`.
  package func forget(
    sources selectors: [String], isDryRun: Bool = false
  ) throws -> MaintenanceReport {
    try erasing(isDryRun: isDryRun) { session in try session.forget(sources: selectors) }
  }

  /// Forgets sources by number, and erases their data from the store's files.
  ///
  /// - Parameters:
  ///   - ids: the numbers of the sources.
  ///   - isDryRun: whether to only report what would be deleted.
  /// - Throws: ``StoreError/noSuchSource(path:selector:)``, and `DatabaseError`.
  package func forget(
    sources ids: some Sequence<StoredSource.ID>, isDryRun: Bool = false
  ) throws -> MaintenanceReport {
    try erasing(isDryRun: isDryRun) { session in try session.forget(ids: ids) }
  }

  /// Deletes the data in a zone from every source, and erases it from the store's files
  /// (``WriteSession/forget(in:)``).
  ///
  /// - Parameters:
  ///   - zone: the zone.
  ///   - isDryRun: whether to only report what would be deleted.
  /// - Throws: `DatabaseError`.
  package func forget(in zone: PrivacyZone, isDryRun: Bool = false) throws -> MaintenanceReport {
    try erasing(isDryRun: isDryRun) { session in try session.forget(in: zone) }
  }

  /// Rebuilds regions, visits and coverage, with changed settings if given, and rewrites the file.
  ///
  /// - Throws: ``StoreError/setting(key:reason:)``, without changing anything; `DatabaseError`.
  package func rebuild(changing values: [SettingKey: Double] = [:]) throws -> MaintenanceReport {
    try erasing(isDryRun: false, isRewriting: true) { session in
      try Schema.mend(session.connection)
      let before = try session.connection.derivedSize()
      try session.rebuild(changing: values)
      return MaintenanceReport(
        sources: [], before: before, after: try session.connection.derivedSize(), isErased: false)
    }
  }

  /// Repairs the store as far as possible: restores Roqua's form of the tables that hold the
  /// store's own data, drops foreign objects attached to them, and rebuilds everything derived from
  /// the sources.
  ///
  /// - Throws: `DatabaseError` if the repair fails. It takes two transactions, so the tables may
  ///   have been restored while the derived data is still unchanged.
  package func repair() throws -> MaintenanceReport {
    try withWriter { (writer) throws(DatabaseError) in try Schema.restoreTables(writer) }
    return try rebuild()
  }

  /// Runs `body` in a transaction that deletes data, then erases the deleted data from the files.
  private func erasing(
    isDryRun: Bool, isRewriting: Bool = false, _ body: (WriteSession) throws -> MaintenanceReport
  ) throws -> MaintenanceReport {
    var result = try write { session in
      let result = try body(session)
      if isDryRun { session.cancel() } else { try session.oweErasure() }
      return result
    }
    guard !isDryRun else { return result }
    try checkPlace()
    result.isErased = erase(isRewriting: isRewriting)
    if result.isErased { InterruptHook.reach(.erased) {} }
    return result
  }
}

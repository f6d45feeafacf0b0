import ByteStreams
import SQLiteLayer

extension Store {
  /// Forgets sources, and erases their bytes from the store's files
  /// (``WriteSession/forget(sources:)``).
  ///
  /// - Parameters:
  ///   - selectors: each a source's number, its path, or the first eight or more digits of its
  ///     SHA-256.
  ///   - isDryRun: whether to find out what would be deleted, and change nothing.
  /// - Throws: ``StoreError`` for a selector that names no source or several, and
  ///   `DatabaseError`.
  package func forget(
    sources selectors: [String], isDryRun: Bool = false
  ) throws -> MaintenanceReport {
    try erasing(isDryRun: isDryRun) { session in try session.forget(sources: selectors) }
  }

  /// Forgets sources by their numbers, and erases their bytes from the store's files.
  ///
  /// - Parameters:
  ///   - ids: the numbers of the sources.
  ///   - isDryRun: whether to find out what would be deleted, and change nothing.
  /// - Throws: ``StoreError/noSuchSource(path:selector:)``, and `DatabaseError`.
  package func forget(
    sources ids: some Sequence<StoredSource.ID>, isDryRun: Bool = false
  ) throws -> MaintenanceReport {
    try erasing(isDryRun: isDryRun) { session in try session.forget(ids: ids) }
  }

  /// Deletes what lies in a zone from every source, and erases it from the store's files
  /// (``WriteSession/forget(in:)``).
  ///
  /// - Parameters:
  ///   - zone: the zone.
  ///   - isDryRun: whether to find out what would be deleted, and change nothing.
  /// - Throws: `DatabaseError`.
  package func forget(in zone: PrivacyZone, isDryRun: Bool = false) throws -> MaintenanceReport {
    try erasing(isDryRun: isDryRun) { session in try session.forget(in: zone) }
  }

  /// Rebuilds regions, visits and coverage, with other settings where some are given, and rewrites
  /// the file.
  ///
  /// - Throws: ``StoreError/setting(key:reason:)``; nothing is changed then. `DatabaseError`.
  package func rebuild(changing values: [SettingKey: Double] = [:]) throws -> MaintenanceReport {
    try erasing(isDryRun: false, isRewriting: true) { session in
      try Schema.mend(session.connection)
      let before = try session.connection.derivedSize()
      try session.rebuild(changing: values)
      return MaintenanceReport(
        sources: [], before: before, after: try session.connection.derivedSize(), isErased: false)
    }
  }

  /// Repairs what can be repaired: tables of the store's own data get the form that Roqua gives
  /// them, what is attached to them and is not Roqua's is dropped, and everything that follows from
  /// the sources is rebuilt.
  ///
  /// - Throws: `DatabaseError` where that cannot be done. Two transactions: the tables may have
  ///   their form then, while what follows from them is as it was.
  package func repair() throws -> MaintenanceReport {
    try withWriter { (writer) throws(DatabaseError) in try Schema.restoreTables(writer) }
    return try rebuild()
  }

  /// Runs `body` in a transaction that deletes something, then leaves nothing of it in the files.
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

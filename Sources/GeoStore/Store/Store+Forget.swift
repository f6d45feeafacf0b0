import ByteStreams
import Geodesy
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
    try erasing(isDryRun: isDryRun) { session in
      let report = try session.forget(in: zone)
      try session.connection.markCutForGood(report.sources.lazy.map(\.source.id))
      return report
    }
  }

  /// Adds a privacy zone, and erases its data from every source and from the store's files
  /// (``WriteSession/addZone(_:named:)``).
  ///
  /// - Parameter isDryRun: whether to only report what would be deleted.
  /// - Throws: ``StoreError/invalidZone(path:reason:)``, and `DatabaseError`.
  package func addZone(
    _ zone: PrivacyZone, named name: String?, isDryRun: Bool = false
  ) throws -> (zone: StoredZone, report: MaintenanceReport) {
    // Checked before the first change creates the store.
    if let reason = StoredZone.reasonToRefuse(zone, named: name) {
      throw StoreError.invalidZone(path: path, reason: reason)
    }
    var (added, isErased) = try erasing(
      isDryRun: isDryRun,
      returning: { session in
        try session.addZone(zone, named: name)
      })
    added.report.isErased = isErased
    return added
  }

  /// Removes a privacy zone by its number or name, and erases it from the store's files. Returns
  /// whether it is erased (``MaintenanceReport/isErased``).
  ///
  /// - Throws: ``StoreError/noSuchZone(path:selector:)``, and `DatabaseError`.
  @discardableResult
  package func removeZone(_ selector: String) throws -> Bool {
    try erasing(
      isDryRun: false,
      returning: { session in
        try session.removeZone(selector)
      }
    ).isErased
  }

  /// Forgets the sources that were replaced by importing them again
  /// (``WriteSession/forgetReplaced()``), and erases them from the store's files. Does nothing if
  /// there are no such sources.
  ///
  /// - Throws: `DatabaseError`.
  package func forgetReplaced() throws {
    let hasAny = try withSnapshot { (snapshot) throws(DatabaseError) in
      try snapshot.connection.integer("SELECT EXISTS (SELECT 1 FROM sources WHERE withheld = 4)")
    }
    guard hasAny == 1 else { return }
    _ = try erasing(isDryRun: false, returning: { session in try session.forgetReplaced() })
  }

  /// Erases deleted data from the store's files, if a transaction of this store has left any.
  package func eraseIfOwed() {
    let isOwed = try? withWriter { (writer) throws(DatabaseError) in try writer.owesErasure() }
    if isOwed == true { _ = erase(isRewriting: false) }
  }

  /// Rebuilds regions, visits and coverage, with changed settings if given, and rewrites the file.
  ///
  /// - Throws: ``StoreError/setting(key:reason:)``, without changing anything; `DatabaseError`.
  package func rebuild(changing values: [SettingKey: Double] = [:]) throws -> MaintenanceReport {
    try rebuild { settings in
      for (key, value) in values { try settings.set(key, to: value) }
    }
  }

  /// Rebuilds regions, visits and coverage after a change of the settings, and rewrites the file.
  ///
  /// - Throws: errors of `change` and ``StoreError/setting(key:reason:)``, without changing
  ///   anything; `DatabaseError`.
  package func rebuild(
    changing change: (inout StoreSettings) throws -> Void
  ) throws -> MaintenanceReport {
    try erasing(isDryRun: false, isRewriting: true) { session in
      try Schema.mend(session.connection)
      try session.forgetReplaced()
      // Not with a reader, which would not see tables that were just mended.
      let before = try session.connection.derivedSize()
      try session.rebuild(changing: change)
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
    try withWriter { (writer) throws(DatabaseError) in
      try Cancellation.watching(writer) { () throws(DatabaseError) in
        try Schema.restoreTables(writer)
      }
    }
    return try rebuild()
  }

  /// Runs `body` in a transaction that deletes data, then erases the deleted data from the files.
  private func erasing(
    isDryRun: Bool, isRewriting: Bool = false, _ body: (WriteSession) throws -> MaintenanceReport
  ) throws -> MaintenanceReport {
    var (result, isErased) = try erasing(
      isDryRun: isDryRun, isRewriting: isRewriting, returning: body)
    result.isErased = isErased
    return result
  }

  private func erasing<T>(
    isDryRun: Bool, isRewriting: Bool = false, returning body: (WriteSession) throws -> T
  ) throws -> (result: T, isErased: Bool) {
    let result = try write { session in
      let result = try body(session)
      if isDryRun { session.cancel() } else { try session.oweErasure() }
      return result
    }
    guard !isDryRun else { return (result, false) }
    try checkPlace()
    WorkMeter.current?.begin(.erasing)
    let isErased = erase(isRewriting: isRewriting)
    if isErased { InterruptHook.reach(.erased) {} }
    return (result, isErased)
  }
}

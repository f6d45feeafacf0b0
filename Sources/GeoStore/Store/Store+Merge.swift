extension Store {
  /// Adds the sources of another store that this one does not have (``WriteSession/merge(_:)``).
  ///
  /// - Parameter isDryRun: whether to only report what would be added.
  /// - Throws: `DatabaseError`; this store is then unchanged.
  package func merge(_ other: Store, isDryRun: Bool = false) throws -> MergeReport {
    let report = try other.read { snapshot in
      try write { session in
        let report = try session.merge(snapshot.history)
        if isDryRun { session.cancel() }
        return report
      }
    }
    if !isDryRun { eraseIfOwed() }
    return report
  }

  /// Adds the sources of another store that this one does not have, as if their files were imported
  /// now. Nothing is removed, and privacy zones and settings stay as they are. A source of which
  /// a privacy zone that was removed since had kept something out is replaced by the other store's
  /// if that one is complete.
  ///
  /// ```swift
  /// import GeoStore
  ///
  /// let guests = try Store(path: "/path/to/guests.sqlite", creating: false)
  /// let report = try await store.merge(guests)
  /// print(report.sourcesAdded, report.fixesAdded)
  /// ```
  ///
  /// - Parameters:
  ///   - other: the other store, which is only read.
  ///   - isDryRun: whether to only report what would be added.
  /// - Throws: `DatabaseError`, `CancellationError`; this store is then unchanged.
  /// - Complexity: O(kept fixes added), and O(all kept fixes) if a source came with cells or
  ///   regions.
  public func merge(_ other: Store, isDryRun: Bool = false) async throws -> MergeReport {
    try await Self.onThread { _ in try self.merge(other, isDryRun: isDryRun) }
  }
}

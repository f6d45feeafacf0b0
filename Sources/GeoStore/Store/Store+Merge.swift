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
}

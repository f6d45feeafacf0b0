import SQLiteLayer

extension WriteSession {
  /// Forgets sources: the store is then as if they had never been imported. Regions, visits and
  /// coverage are rebuilt from what is left.
  ///
  /// - Parameter selectors: each a source's number, its path, or at least eight first digits of its
  ///   SHA-256: the first of these by which there is a source.
  /// - Throws: ``StoreError/noSuchSource(path:selector:)`` and
  ///   ``StoreError/ambiguousSource(path:selector:ids:)``, before anything is changed.
  /// - Complexity: O(kept fixes that are left).
  package func forget(sources selectors: [String]) throws -> MaintenanceReport {
    var found: [Int64: StoredSource] = [:]
    for selector in selectors {
      let source = try connection.source(matching: selector)
      found[source.id] = source
    }
    return try forget(found)
  }

  /// Forgets sources by their numbers.
  ///
  /// - Throws: ``StoreError/noSuchSource(path:selector:)``, before anything is changed.
  func forget(ids: some Sequence<StoredSource.ID>) throws -> MaintenanceReport {
    var found: [Int64: StoredSource] = [:]
    for id in ids {
      guard let source = try connection.source(id: id) else {
        throw StoreError.noSuchSource(path: connection.path, selector: String(id))
      }
      found[id] = source
    }
    return try forget(found)
  }

  private func forget(
    _ found: [Int64: StoredSource]
  ) throws(DatabaseError) -> MaintenanceReport {
    let before = try connection.derivedSize()
    for id in found.keys {
      // Its fixes and cells go with it, by the tables' foreign keys.
      let delete = try connection.cached("DELETE FROM sources WHERE id = ?1")
      delete.bind(id, at: 1)
      try delete.run()
      change?.sourcesForgotten.insert(id)
    }
    if !found.isEmpty {
      try oweErasure()
      try rebuild()
    }
    let sources = found.values.sorted { $0.id < $1.id }
      .map {
        MaintenanceReport.Source(source: $0, kept: 0, regions: 0, cells: 0, isForgotten: true)
      }
    return MaintenanceReport(
      sources: sources, before: before, after: try connection.derivedSize(), isErased: false)
  }
}

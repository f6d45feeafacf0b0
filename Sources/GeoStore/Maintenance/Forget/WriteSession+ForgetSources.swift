import SQLiteLayer

extension WriteSession {
  /// Forgets sources: the store is then as if they had never been imported. Regions, visits and
  /// coverage change only near their fixes, but are rebuilt if a source came with regions or cells,
  /// or made up most of the store.
  ///
  /// - Parameter selectors: each a source's number, its path, or at least eight leading digits of
  ///   its SHA-256, tried in this order.
  /// - Throws: ``StoreError/noSuchSource(path:selector:)`` and
  ///   ``StoreError/ambiguousSource(path:selector:ids:)``, before anything is changed.
  /// - Complexity: O(kept fixes): the latitudes of all are read, and those near the sources' fixes
  ///   are assigned to regions again.
  package func forget(sources selectors: [String]) throws -> MaintenanceReport {
    try forgetReplaced()
    var found: [Int64: StoredSource] = [:]
    for selector in selectors {
      let source = try connection.source(matching: selector)
      found[source.id] = source
    }
    return try forget(found)
  }

  /// Forgets sources by number.
  ///
  /// - Throws: ``StoreError/noSuchSource(path:selector:)``, before anything is changed.
  func forget(ids: some Sequence<StoredSource.ID>) throws -> MaintenanceReport {
    try forgetReplaced()
    var found: [Int64: StoredSource] = [:]
    for id in ids {
      guard let source = try connection.source(id: id) else {
        throw StoreError.noSuchSource(path: connection.path, selector: String(id))
      }
      found[id] = source
    }
    return try forget(found)
  }

  /// Returns whether any of the sources came with regions or cells.
  private func broughtAnything(_ ids: some Sequence<Int64>) throws(DatabaseError) -> Bool {
    let select = try connection.cached(
      """
      SELECT EXISTS (SELECT 1 FROM source_tiles WHERE source_id = ?1)
        OR EXISTS (SELECT 1 FROM source_regions WHERE source_id = ?1)
      """)
    for id in ids {
      select.bind(id, at: 1)
      let isFound = try select.step() && select.int64(at: 0) != 0
      select.reset()
      if isFound { return true }
    }
    return false
  }

  /// Forgets sources.
  func forget(
    _ found: [Int64: StoredSource]
  ) throws(DatabaseError) -> MaintenanceReport {
    let before = try StoreBefore(self)
    defer { before.stop() }
    let update =
      try broughtAnything(found.keys)
      ? nil
      : derivedUpdate { () throws(DatabaseError) in
        try loader(removing: .ofSources(Set(found.keys)))
      }
    for id in found.keys {
      // Foreign keys delete its fixes and cells too.
      let delete = try connection.cached("DELETE FROM sources WHERE id = ?1")
      delete.bind(id, at: 1)
      try delete.run()
      change?.sourcesForgotten.insert(id)
    }
    var after: MaintenanceReport.Size?
    if !found.isEmpty {
      try connection.outdateEvaluations()
      try oweErasure()
      after = try carryOut(update, from: before)
    }
    let size = try before.size.value()
    let sources = found.values.sorted { $0.id < $1.id }
      .map {
        MaintenanceReport.Source(source: $0, kept: 0, regions: 0, cells: 0, isForgotten: true)
      }
    return MaintenanceReport(
      sources: sources, before: size, after: after ?? size, isErased: false)
  }
}

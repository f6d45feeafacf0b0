extension Store {
  /// Takes sources back, and their bytes out of the store's files (``WriteSession/forget(sources:)``).
  ///
  /// - Parameter isDryRun: whether to find out what it would come to, and change nothing.
  public func forget(
    sources selectors: [String], isDryRun: Bool = false
  ) throws(StoreError) -> TakenBack {
    try takeBack(isDryRun: isDryRun) { (session) throws(StoreError) in
      try session.forget(sources: selectors)
    }
  }

  /// Takes what lies in a zone out of every source, and out of the store's files (``WriteSession/forget(in:)``).
  ///
  /// - Parameter isDryRun: whether to find out what it would come to, and change nothing.
  public func forget(in zone: PrivacyZone, isDryRun: Bool = false) throws(StoreError) -> TakenBack {
    try takeBack(isDryRun: isDryRun) { (session) throws(StoreError) in try session.forget(in: zone) }
  }

  /// Builds regions, visits and coverage anew, with other settings where some are given, and writes the file anew.
  ///
  /// - Throws: ``StoreError/setting(key:reason:)``; nothing is changed then.
  public func rebuild(changing values: [SettingKey: Double] = [:]) throws(StoreError) -> TakenBack {
    try takeBack(isDryRun: false) { (session) throws(StoreError) in
      let before = try session.connection.derivedSize()
      try session.rebuild(changing: values)
      return TakenBack(
        sources: [], before: before, after: try session.connection.derivedSize(), isErased: false)
    }
  }

  /// Runs `body` in a transaction, then writes the file anew.
  private func takeBack(
    isDryRun: Bool, _ body: (WriteSession) throws(StoreError) -> TakenBack
  ) throws(StoreError) -> TakenBack {
    var result = try write { (session) throws(StoreError) in
      let result = try body(session)
      if isDryRun { session.cancel() }
      return result
    }
    if !isDryRun { result.isErased = erase() }
    return result
  }

  /// Leaves nothing in the store's files but what the tables hold; false where that was not possible now.
  ///
  /// What was deleted was overwritten in its place (`secure_delete`). But SQLite moves rows from page to page as tables
  /// grow, and does not clean the place where they were; so all pages are written anew (VACUUM). The old ones are in the
  /// file, and older states in the write-ahead log, until a checkpoint has moved the last page and cut the log to nothing,
  /// for which every reader of an older state must be done.
  private func erase() -> Bool {
    do {
      return try withWriter { (writer) throws(StoreError) in
        // The copy of a large store does not belong into memory. Its file has no name; SQLite deletes it at once.
        try writer.execute("PRAGMA temp_store = FILE")
        defer {
          try? writer.execute("PRAGMA temp_store = MEMORY")
          try? writer.execute("PRAGMA busy_timeout = \(Pragmas.busyTimeoutMilliseconds)")
        }
        try writer.execute("PRAGMA busy_timeout = \(options.eraseTimeoutMilliseconds)")
        try writer.execute("VACUUM")
        // Its first column is 1 where a reader was in the way.
        return try writer.integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0
      }
    } catch {
      return false  // what was asked for is done and stays so
    }
  }
}

extension WriteSession {
  /// Changes settings and builds regions, visits and coverage anew, once.
  ///
  /// - Throws: ``StoreError/setting(key:reason:)`` for a value out of range, and for another exploration radius while
  ///   sources have cells of their own.
  public func rebuild(changing values: [SettingKey: Double]) throws(StoreError) {
    for (key, value) in values { try change(key, to: value) }
    try rebuild()
  }
}

import ByteStreams

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
      try Schema.mend(session.connection)
      let before = try session.connection.derivedSize()
      try session.rebuild(changing: values)
      return TakenBack(
        sources: [], before: before, after: try session.connection.derivedSize(), isErased: false)
    }
  }

  /// Puts right what can be put right: tables of the store's own data get the form that Roqua gives them, what hangs on
  /// them and is not Roqua's is dropped, and what follows from the sources is built anew.
  ///
  /// - Throws: ``StoreError`` where that cannot be done. Two transactions: the tables may have their form then, while what
  ///   follows from them is as it was.
  public func repair() throws(StoreError) -> TakenBack {
    try withWriter { (writer) throws(StoreError) in try Schema.restoreTables(writer) }
    return try rebuild()
  }

  /// Runs `body` in a transaction that takes something back, then writes the file anew.
  private func takeBack(
    isDryRun: Bool, _ body: (WriteSession) throws(StoreError) -> TakenBack
  ) throws(StoreError) -> TakenBack {
    var result = try write { (session) throws(StoreError) in
      let result = try body(session)
      if isDryRun { session.cancel() } else { try session.oweErasure() }
      return result
    }
    guard !isDryRun else { return result }
    try checkPlace()
    result.isErased = erase()
    if result.isErased { InterruptCleanup.reach(.erased) {} }
    return result
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

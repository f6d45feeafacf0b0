import Dispatch

// The calls of `Store` for async code. SQLite blocks the thread that it works on, and the threads of Swift's concurrency
// are few: so these run on Dispatch's, and the task waits without a thread.
extension Store {
  /// Reads one unchanging state of the store, on a thread of its own.
  ///
  /// - Throws: ``StoreError`` from SQLite or from `body`.
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (Snapshot) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    try await Self.onThread { () throws(StoreError) in
      try self.read { (snapshot: Snapshot) throws(StoreError) in try body(snapshot) }
    }
  }

  /// Writes in one transaction, on a thread of its own: all of it or, where `body` throws, nothing. Waits for other writers.
  ///
  /// - Throws: ``StoreError`` from SQLite or from `body`.
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (WriteSession) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    try await Self.onThread { () throws(StoreError) in
      try self.write { (session: WriteSession) throws(StoreError) in try body(session) }
    }
  }

  fileprivate static func onThread<T: Sendable>(
    _ body: @escaping @Sendable () throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    let result: Result<T, StoreError> = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        do throws(StoreError) {
          continuation.resume(returning: .success(try body()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}

extension LiveSource {
  /// Stores kept fixes, in order, on a thread of its own. Calls that are made before another has ended may come to write before it.
  ///
  /// - Throws: ``StoreError``, as the call that blocks does.
  public func append(_ fixes: [KeptFix], points: Int) async throws(StoreError) -> SourceChanges {
    try await Store.onThread { () throws(StoreError) in try self.append(fixes, points: points) }
  }
}

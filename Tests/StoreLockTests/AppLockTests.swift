#if Sync
  import Foundation
  import GeoStore
  import Synchronization
  import TestSupport
  import Testing

  @testable import StoreLock

  /// The interface for apps.
  @Suite struct AppLockTests {
    private let bench: LockBench

    init() throws { bench = try LockBench() }

    @Test func `an app locks and unlocks, with progress`() async throws {
      try bench.makeStore(rows: 2_000)
      let before = try bench.contents(of: bench.copiedStore())
      let seen = Mutex<[Double]>([])
      func expectProgress() {
        seen.withLock { seen in
          #expect(seen.last == 1 && seen == seen.sorted() && seen.count > 1)
          seen = []
        }
      }
      try await bench.lock.lock(passphrase: "x y") { part in seen.withLock { $0.append(part) } }
      expectProgress()
      #expect(try bench.lock.isLocked)
      await #expect(throws: LockError.wrongPassphrase(path: bench.lockedPath)) {
        try await bench.lock.unlock(passphrase: "x")
      }
      await #expect(throws: LockError.emptyPassphrase) {
        try await bench.lock.unlock(passphrase: "")
      }
      try await bench.lock.unlock(passphrase: "x y") { part in seen.withLock { $0.append(part) } }
      expectProgress()
      #expect(try !bench.lock.isLocked)
      #expect(try bench.contents() == before)
      #expect(try !StoreLock(path: bench.path).isLocked)
    }

    /// A task that is canceled at the first progress.
    private func cancel(
      _ body: @escaping @Sendable (@escaping @Sendable (Double) -> Void) async throws -> Void
    ) async -> Bool {
      let running = Mutex<Task<Void, any Error>?>(nil)
      let gate = AsyncStream<Void>.makeStream()
      let task = Task {
        for await _ in gate.stream { break }
        try await body { _ in running.withLock { $0?.cancel() } }
      }
      running.withLock { $0 = task }
      gate.continuation.yield()
      do {
        try await task.value
        return false
      } catch {
        return error is CancellationError
      }
    }

    @Test func `what was canceled leaves everything as it was`() async throws {
      try bench.makeStore(rows: 2_000)
      let before = try bench.contents(of: bench.copiedStore())
      let lock = bench.lock
      #expect(await cancel { try await lock.lock(passphrase: "x", progress: $0) })
      #expect(try bench.lock.place.state() == .unlocked(hasLockedFile: false))
      #expect(try bench.contents() == before)
      try await lock.lock(passphrase: "x")
      #expect(await cancel { try await lock.unlock(passphrase: "x", progress: $0) })
      #expect(try bench.lock.isLocked)
      #expect(try bench.names() == ["store.sqlite.age"])
      try await lock.unlock(passphrase: "x")
      #expect(try bench.contents() == before)
    }
  }

  extension LockBench {
    /// A copy of the store and its log, because reading brings the log into the file.
    fileprivate func copiedStore() throws -> String {
      let place = folder.file("made copies/store.sqlite")
      try FileManager.default.createDirectory(
        atPath: folder.file("made copies"), withIntermediateDirectories: true)
      for ending in ["", "-wal"] { try? copy(path + ending, to: place + ending) }
      return place
    }
  }
#endif

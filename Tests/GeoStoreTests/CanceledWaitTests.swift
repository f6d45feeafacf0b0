import Foundation
import Synchronization
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Async calls that are canceled while they wait for their turn.
@Suite(.serialized) struct CanceledWaitTests {
  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(path: folder.file("s.sqlite"), creating: true)
  }

  private static let readers = ReaderPool.maximumReaderCount

  private func holdReaders(_ count: Int = readers) throws -> Holders {
    let holders = Holders(count) { [store] hold in try? store.read { _ in hold() } }
    try #require(holders.wait(), "a reader is lost")
    return holders
  }

  private func holdWriter(of store: Store) throws -> Holders {
    let holders = Holders(1) { hold in
      try? store.write { session in
        hold()
        session.cancel()
      }
    }
    try #require(holders.wait())
    return holders
  }

  private static func count(_ store: Store) async throws -> Int {
    try await store.read { try $0.counts().sources }
  }

  private static func add(_ name: String, to store: Store) async throws {
    try await store.write { session in _ = try session.beginSource().finish(.sample(name)) }
  }

  /// Expects that a call waits, and that canceling its task ends it within a fifth of a second. On a
  /// busy machine, one of several attempts must be that fast.
  private func expectCancelable(_ call: @escaping @Sendable () async throws -> Void) async throws {
    var shortest = Duration.seconds(1_000)
    for _ in 0..<5 where shortest > .milliseconds(200) {
      let hasEnded = Atomic(false)
      let task = Task {
        defer { hasEnded.store(true, ordering: .releasing) }
        try await call()
      }
      try await Task.sleep(for: .milliseconds(100))
      let hasWaited = !hasEnded.load(ordering: .acquiring)
      #expect(hasWaited)
      let start = ContinuousClock.now
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      shortest = min(shortest, .now - start)
    }
    #expect(shortest <= .milliseconds(200))
  }

  @Test func `a canceled question does not wait for a reader`() async throws {
    let holders = try holdReaders()
    try await expectCancelable { [store] in _ = try await Self.count(store) }
    holders.release()
    holders.end()
    #expect(try await Self.count(store) == 0)
  }

  @Test func `a canceled write does not wait for another writer`() async throws {
    let holder = try holdWriter(of: store)
    try await expectCancelable { [store] in try await Self.add("a", to: store) }
    holder.release()
    holder.end()
    #expect(try await Self.count(store) == 0)
    try await Self.add("b", to: store)
    #expect(try await Self.count(store) == 1)
  }

  /// Another `Store` of the same file waits for SQLite's lock, as one of another process does.
  @Test func `a canceled write does not wait for another process`() async throws {
    let holder = try holdWriter(of: Store(path: store.path, creating: false))
    try await expectCancelable { [store] in try await Self.add("a", to: store) }
    holder.release()
    holder.end()
    #expect(try await Self.count(store) == 0)
    try await Self.add("b", to: store)
    #expect(try await Self.count(store) == 1)
  }

  @Test func `a write that is not canceled gets its turn after another process`() async throws {
    let holder = try holdWriter(of: Store(path: store.path, creating: false))
    let store = store
    async let written: Void = Self.add("a", to: store)
    try await Task.sleep(for: .milliseconds(150))
    holder.release()
    try await written
    holder.end()
    #expect(try await Self.count(store) == 1)
  }

  @Test func `canceling does not end the wait for readers to erase data with an error`()
    async throws
  {
    try await Self.add("a", to: store)
    let reader = try holdReaders(1)
    let task = Task { [store] in
      try await Store.onThread { _ in try store.forget(sources: [1]) }
    }
    // Deleted and committed; the file is still to be erased.
    while try await Self.count(store) > 0 { try await Task.sleep(for: .milliseconds(5)) }
    try await Task.sleep(for: .milliseconds(50))
    let start = ContinuousClock.now
    task.cancel()
    #expect(try await task.value.isErased == false)
    #expect(.now - start < .seconds(5))
    reader.release()
    reader.end()
    #expect(try store.rebuild().isErased)
  }

  @Test(arguments: Seeds.sample(30))
  func `a waiter that is canceled at the moment it is served loses no reader`(seed: UInt64)
    async throws
  {
    var random = SplitMix64(seed: seed)
    let store = store
    for _ in 0..<3 {
      let holders = try holdReaders()
      let tasks = (0..<4).map { _ in Task { try await Self.count(store) } }
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &random)))
      let delays = tasks.map { _ in UInt32.random(in: 0...300, using: &random) }
      async let released: Void = holders.release()
      for (task, delay) in zip(tasks, delays) {
        if seed.isMultiple(of: 2) { try await Task.sleep(for: .microseconds(Int(delay))) }
        task.cancel()
      }
      await released
      for task in tasks {
        switch await task.result {
        case .success(let count): #expect(count == 0)
        case .failure(let error): #expect(error is CancellationError)
        }
      }
      holders.end()
    }
    // Exactly as many readers as before: that many work at a time, and another one waits.
    let holders = try holdReaders()
    let another = Task { try await Self.count(store) }
    try await Task.sleep(for: .milliseconds(60))
    another.cancel()
    await #expect(throws: CancellationError.self) { try await another.value }
    holders.release()
    holders.end()
  }

  @Test(arguments: Seeds.sample(30))
  func `a write that is canceled at the moment it is served is stored whole or not at all`(
    seed: UInt64
  ) async throws {
    var random = SplitMix64(seed: seed)
    let store = store
    let blocker = seed.isMultiple(of: 3) ? try Store(path: store.path, creating: false) : store
    var stored = 0
    for round in 0..<3 {
      let holder = try holdWriter(of: blocker)
      let tasks = (0..<4).map { index in
        Task { try await Self.add("\(round) \(index)", to: store) }
      }
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &random)))
      async let released: Void = holder.release()
      for task in tasks.shuffled(using: &random).prefix(3) {
        try await Task.sleep(for: .microseconds(Int.random(in: 0...300, using: &random)))
        task.cancel()
      }
      await released
      for task in tasks {
        switch await task.result {
        case .success: stored += 1
        case .failure(let error): #expect(error is CancellationError)
        }
      }
      holder.end()
    }
    #expect(stored >= 3)
    #expect(try await Self.count(store) == stored)
    try await Self.add("last", to: store)
    #expect(try await Self.count(store) == stored + 1)
  }
}

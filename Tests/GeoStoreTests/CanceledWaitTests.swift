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

  private static func write(_ name: String, to store: Store) throws {
    try store.write { session in _ = try session.beginSource().finish(.sample(name)) }
  }

  private static func add(_ name: String, to store: Store) async throws {
    try await store.write { session in _ = try session.beginSource().finish(.sample(name)) }
  }

  /// Expects that a call waits, and that canceling its task ends it: while the holders hold what it
  /// waits for.
  private func expectCancelable(_ call: @escaping @Sendable () async throws -> Void) async throws {
    for result in await canceled(times: 3, call) {
      #expect(throws: CancellationError.self) { try result.get() }
    }
  }

  @Test func `a canceled question does not wait for a reader`() async throws {
    let holders = try holdReaders()
    try await expectCancelable { [store] in _ = try await Self.count(store) }
    holders.release()
    holders.end()
    #expect(try await Self.count(store) == 0)
  }

  @Test func `calls that wait for a reader stop no other task`() async throws {
    let holders = try holdReaders()
    let (begun, ended) = (Counter(), Counter())
    let waiting = Task { [store] in
      try await withThrowingTaskGroup { group in
        for _ in 0..<200 {
          group.addTask {
            begun.increment()
            _ = try await Self.count(store)
          }
        }
        for try await _ in group { ended.increment() }
      }
    }
    // This task has to be scheduled again while all calls wait.
    while begun.value < 200 { try await Task.sleep(for: .milliseconds(50)) }
    #expect(ended.value == 0, "the tasks slept until the readers were released")
    holders.release()
    try await waiting.value
    holders.end()
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

  @Test func `a write that is not canceled gets its turn after another process`() throws {
    let holder = try holdWriter(of: Store(path: store.path, creating: false))
    let store = store
    let call = CancelableCall { try Self.write("a", to: store) }
    usleep(150_000)
    holder.release()
    #expect(try call.wait() != nil)
    holder.end()
    #expect(try store.read { try $0.counts().sources } == 1)
  }

  @Test func `canceling does not end the wait for readers to erase data with an error`()
    async throws
  {
    try await Self.add("a", to: store)
    let reader = try holdReaders(1)
    // Deletes and commits within the tenth of a second, then waits to erase the file.
    let results = await canceled { [store] in
      try await Store.onThread { _ in try store.forget(sources: [1]) }
    }
    let result = try #require(results.first)
    // On a busy machine it may have been canceled before it committed.
    if case .success(let report) = result {
      #expect(!report.isErased)
      #expect(try await Self.count(store) == 0)
    } else {
      #expect(throws: CancellationError.self) { try result.get() }
      #expect(try await Self.count(store) == 1)
    }
    reader.release()
    reader.end()
    try Self.write("b", to: store)
    #expect(
      try store.withWriter { (writer) throws(DatabaseError) in try writer.owesErasure() } == false)
  }

  @Test(arguments: Seeds.sample(30))
  func `a waiter that is canceled at the moment it is served loses no reader`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let store = store
    for _ in 0..<3 {
      let holders = try holdReaders()
      let calls = (0..<4).map { _ in CancelableCall { try store.read { try $0.counts().sources } } }
      usleep(.random(in: 0...60_000, using: &random))
      holders.release()
      for call in calls {
        if seed.isMultiple(of: 2) { usleep(.random(in: 0...300, using: &random)) }
        call.cancel()
      }
      for call in calls { #expect(try call.wait() ?? 0 == 0) }
      holders.end()
    }
    // Exactly as many readers as before: that many work at a time, and another one waits.
    let holders = try holdReaders()
    let another = CancelableCall { try store.read { try $0.counts().sources } }
    usleep(60_000)
    another.cancel()
    #expect(try another.wait() == nil)
    holders.release()
    holders.end()
  }

  @Test(arguments: Seeds.sample(30))
  func `a write that is canceled at the moment it is served is stored whole or not at all`(
    seed: UInt64
  ) throws {
    var random = SplitMix64(seed: seed)
    let store = store
    let blocker = seed.isMultiple(of: 3) ? try Store(path: store.path, creating: false) : store
    var stored = 0
    for round in 0..<3 {
      let holder = try holdWriter(of: blocker)
      let calls = (0..<4).map { index in
        CancelableCall { try Self.write("\(round) \(index)", to: store) }
      }
      usleep(.random(in: 0...60_000, using: &random))
      holder.release()
      for call in calls.shuffled(using: &random).prefix(3) {
        usleep(.random(in: 0...300, using: &random))
        call.cancel()
      }
      for call in calls where try call.wait() != nil { stored += 1 }
      holder.end()
    }
    #expect(stored >= 3)
    #expect(try store.read { try $0.counts().sources } == stored)
    #expect(try CancelableCall { try Self.write("last", to: store) }.wait() != nil)
    #expect(try store.read { try $0.counts().sources } == stored + 1)
  }
}

/// A number that several tasks increase.
private final class Counter: Sendable {
  private let count = Atomic(0)

  var value: Int { count.load(ordering: .acquiring) }

  func increment() { count.add(1, ordering: .acquiringAndReleasing) }
}

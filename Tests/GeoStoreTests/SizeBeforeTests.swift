import Dispatch
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Counting the store on another thread before a deletion.
@Suite struct SizeBeforeTests {
  private let folder: TemporaryFolder
  private let store: Store

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(path: folder.file("s.sqlite"), creating: true, options: StoreOptions())
    var random = SplitMix64(seed: 7)
    let track = wanderingTrack(count: 200, homes: Array(awkwardHomes.prefix(1)), using: &random)
    try store.add(track, as: "track")
  }

  @Test func `the count is that of the session`() throws {
    try store.write { session in
      let size = try SizeBefore(session)
      defer { size.stop() }
      let expected = try session.connection.derivedSize()
      #expect(expected.visitedRegions > 10 && expected.cells > 100)
      #expect(try size.value() == expected)
      // Asked again, it is the same, also when the session has changed the store since.
      _ = try session.forget(ids: [1])
      #expect(try size.value() == expected)
      #expect(try SizeBefore(session).value().visitedRegions == 0)
    }
  }

  @Test func `if no thread is free, the one that asks counts`() throws {
    let busy = DispatchQueue(label: "busy")
    busy.suspend()
    try store.write { session in
      let size = try SizeBefore(session, on: busy)
      #expect(try size.value() == session.connection.derivedSize())
      let unwanted = try SizeBefore(session, on: busy)
      unwanted.stop()
    }
    busy.resume()
    busy.sync {}
    #expect(try store.check().isSound)
  }

  @Test func `a canceled count is an error, and a deletion then changes nothing`() throws {
    let before = try StoreContents(store)
    let cancellation = Cancellation()
    #expect(throws: (any Error).self) {
      try Cancellation.$current.withValue(cancellation) {
        try store.write { session in
          cancellation.cancel()
          _ = try session.forget(ids: [1])
        }
      }
    }
    #expect(try StoreContents(store) == before)
  }
}

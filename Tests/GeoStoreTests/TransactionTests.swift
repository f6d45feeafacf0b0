import Geodesy
import GridHash
import Synchronization
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct TransactionTests {
  private struct Refusal: Error {}

  private func track(_ seed: UInt64) -> [KeptFix] {
    var random = SplitMix64(seed: seed)
    return wanderingTrack(count: 150, homes: awkwardHomes, using: &random)
  }

  @Test func `a canceled or failed source leaves nothing in the store`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    try store.add(track(1), as: "one")
    let (regions, coverage) = (try store.regions(), try store.coverage())
    let counts = try store.read { snapshot in try snapshot.counts() }

    try store.write { session in
      let writer = try session.beginSource()
      try writer.append(track(2))
      _ = try writer.finish(.sample("two"))
      session.cancel()
    }
    #expect(throws: DatabaseError.busy(path: "made up")) {
      try store.write { session in
        let writer = try session.beginSource()
        try writer.append(track(3))
        throw DatabaseError.busy(path: "made up")
      }
    }
    // The table itself rejects the same SHA-256.
    #expect(throws: DatabaseError.self) { try store.add(track(4), as: "one") }

    #expect(try store.regions() == regions)
    #expect(try store.coverage() == coverage)
    #expect(try store.read { snapshot in try snapshot.counts() } == counts)
    // The store continues as if nothing had happened.
    let fresh = try Store(path: folder.file("fresh.sqlite"), creating: true)
    for store in [store, fresh] where try store.regions().isEmpty {
      try store.add(track(1), as: "one")
    }
    for store in [store, fresh] { try store.add(track(5), as: "five") }
    #expect(try store.regions() == fresh.regions())
  }

  @Test func `a write inside a write traps, and says what to do`() async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let folder = try TemporaryFolder()
      let store = try Store(path: folder.file("s.sqlite"), creating: true)
      try store.write { _ in try store.write { _ in } }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("use the session of the outer one"), "\(text)")
  }

  @Test func `a failed part of a transaction is rolled back, and the rest stays`() throws {
    let folder = try TemporaryFolder()
    let (store, fresh) = (
      try Store(path: folder.file("s.sqlite"), creating: true),
      try Store(path: folder.file("fresh.sqlite"), creating: true)
    )
    var failure: (any Error)?
    try store.write { session in
      try add(1, to: session)
      do {
        try session.attempt { try failInTheMiddle(session) }
      } catch {
        failure = error
      }
      #expect(session.settings[.visitGapMinutes] == 30)
      try session.attempt { try add(4, to: session) }
    }
    #expect(failure as? DatabaseError == .busy(path: "made up"))
    for seed in [UInt64(1), 4] { try fresh.add(track(seed), as: "\(seed)") }
    try #expect(StoreContents(store) == StoreContents(fresh))
    #expect(try store.check().isSound)
  }

  private func add(_ seed: UInt64, to session: WriteSession) throws {
    let fixes = track(seed)
    let writer = try session.beginSource()
    try writer.append(fixes)
    _ = try writer.finish(.sample("\(seed)", of: fixes))
  }

  private func failInTheMiddle(_ session: WriteSession) throws {
    try add(2, to: session)
    try session.set(.visitGapMinutes, to: 3)
    try session.attempt { try add(3, to: session) }
    throw DatabaseError.busy(path: "made up")
  }

  @Test func `a reader sees one state while a writer commits`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    try store.add(track(1), as: "one")
    let before = try store.regions().count
    try store.read { snapshot in
      #expect(try snapshot.counts().sources == 1)
      _ = try store.write { session in
        let writer = try session.beginSource()
        try writer.append(track(2))
        return try writer.finish(.sample("two"))
      }
      #expect(try snapshot.counts().sources == 1)
      #expect(try snapshot.allRegions().count == before)
    }
    #expect(try store.read { snapshot in try snapshot.counts() }.sources == 2)
  }

  @Test func `concurrent readers never see a partial source`() async throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    let sources = 12
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for source in 0..<sources { try store.add(track(UInt64(source + 1)), as: "\(source)") }
      }
      for _ in 0..<4 {
        group.addTask {
          var last = 0
          while last < sources {
            let counts = try store.read { snapshot in try snapshot.counts() }
            #expect(counts.keptFixes == 150 * counts.sources)
            #expect(counts.sources >= last)
            last = counts.sources
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func `a setting out of range changes nothing`() throws {
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    for (key, value) in [
      (SettingKey.explorationRadiusMeters, 0.0), (.explorationRadiusMeters, 150.5),
      (.percentageDecimals, 2.5),
      (.maximumAccuracyMeters, -1), (.visitGapMinutes, .nan),
    ] {
      #expect(throws: StoreError.self) {
        try store.write { session in try session.set(key, to: value) }
      }
    }
    #expect(
      try store.read { snapshot in snapshot.settings } == StoreSettings())
  }

  @Test func `settings persist after a store is closed`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("s.sqlite")
    do {
      let store = try Store(path: path, creating: true)
      try store.write { session in
        try session.set(.maximumAccuracyMeters, to: 25)
      }
    }
    let settings = try Store(path: path, creating: false).read { snapshot in
      snapshot.settings
    }
    #expect(settings[.maximumAccuracyMeters] == 25)
    #expect(settings.isSet(.maximumAccuracyMeters))
    #expect(settings[.trackingDistanceMeters] == 50)
    #expect(!settings.isSet(.trackingDistanceMeters))
  }
}

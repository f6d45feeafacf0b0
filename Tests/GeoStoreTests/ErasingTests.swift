import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore

/// Forgotten data is no longer in the store's files: these tests search the bytes.
@Suite struct ErasingTests {
  private let folder: TemporaryFolder
  private let zone = PrivacyZone(center: Coordinate(41.008, 28.978), radiusMeters: 300)

  init() throws { folder = try TemporaryFolder() }

  /// A store with tracks inside, outside and through the zone; its log contains its whole history.
  private func filledStore() throws -> Store {
    var options = StoreOptions()
    options.eraseTimeoutMilliseconds = 50
    let store = try Store(path: folder.file("s.sqlite"), creating: true, options: options)
    var random = SplitMix64(seed: 11)
    let away = Coordinate(48.1, 11.5)
    for index in 0..<6 {
      let homes = [[zone.center], [away], [zone.center, away]][index % 3]
      try store.add(wanderingTrack(count: 1_000, homes: homes, using: &random), as: "\(index)")
    }
    return store
  }

  /// All runs of eight bytes in the packed fixes of a store, and in the positions of its regions,
  /// which SQLite writes as four bytes each here.
  private struct Traces {
    var runs: Set<UInt64> = []

    init(_ store: Store) throws {
      for payload in try store.payloads() { Self.forEachRun(in: payload) { runs.insert($0) } }
      for region in try store.regions() {
        let (latitude, longitude) = (region.coordinate.latitudeE7, region.coordinate.longitudeE7)
        runs.insert(
          UInt64(UInt32(bitPattern: latitude)) << 32 | UInt64(UInt32(bitPattern: longitude)))
      }
    }

    /// The number of these runs found in a store's files.
    func found(in path: String) -> Int {
      var seen: Set<UInt64> = []
      for bytes in rawBytes(ofStore: path) {
        Self.forEachRun(in: bytes) { if runs.contains($0) { seen.insert($0) } }
      }
      return seen.count
    }

    private static func forEachRun(in bytes: some Sequence<UInt8>, _ body: (UInt64) -> Void) {
      var run: UInt64 = 0
      for (index, byte) in bytes.enumerated() {
        run = run << 8 | UInt64(byte)
        if index >= 7 { body(run) }
      }
    }
  }

  /// The traces of data that was in the store before and is no longer in it.
  private func lostTraces(_ store: Store, _ before: Traces) throws -> Traces {
    var lost = before
    lost.runs.subtract(try Traces(store).runs)
    return lost
  }

  @Test func `forgetting a privacy zone erases its data from the file and the log`() throws {
    let store = try filledStore()
    let before = try Traces(store)
    // A few runs are split by the end of a page.
    #expect(
      before.found(in: store.path) > before.runs.count * 98 / 100,
      "what is searched for can be found")
    let result = try store.forget(in: zone)
    #expect(result.isErased && result.fixes > 1_500)
    let lost = try lostTraces(store, before)
    #expect(lost.runs.count > 10_000)
    #expect(lost.found(in: store.path) == 0)
  }

  @Test func `forgetting a source erases its data from the file and the log`() throws {
    let store = try filledStore()
    let before = try Traces(store)
    #expect(try store.forget(sources: ["1", "3"]).isErased)
    let lost = try lostTraces(store, before)
    #expect(lost.runs.count > 10_000)
    #expect(lost.found(in: store.path) == 0)
  }

  @Test func `forgetting also erases the names of places without regions`() throws {
    let options = StoreOptions(placeNames: {
      PlaceNames(country: "Land", city: "Town of \($0.latitudeE7) and \($0.longitudeE7)")
    })
    let store = try Store(path: folder.file("s.sqlite"), creating: true, options: options)
    var random = SplitMix64(seed: 12)
    for index in 0..<6 {
      let homes = [[zone.center], [Coordinate(48.1, 11.5)]][index % 2]
      try store.add(wanderingTrack(count: 500, homes: homes, using: &random), as: "\(index)")
    }
    func names() throws -> Set<String> { Set(try store.regions().compactMap(\.place.city)) }
    let before = try names()
    #expect(try store.forget(in: zone).isErased)
    #expect(try store.forget(sources: ["2"]).isErased)
    let left = try names()
    let gone = before.subtracting(left)
    #expect(gone.count > 20 && left.count > 20)
    let bytes = rawBytes(ofStore: store.path)
    for (names, areThere) in [(gone, false), (left, true)] {
      for name in names {
        #expect(bytes.contains { $0.range(of: Data(name.utf8)) != nil } == areThere, "\(name)")
      }
    }
  }

  @Test func `without clearing the file, forgotten data would still be in it`() throws {
    let store = try filledStore()
    let before = try Traces(store)
    _ = try store.write { session in try session.forget(in: zone) }
    #expect(try lostTraces(store, before).found(in: store.path) > 1_000)
  }

  @Test func `a reader of the old state delays erasing, and a rebuild completes it`() throws {
    let store = try filledStore()
    let before = try Traces(store)
    let other = try Store(path: store.path, creating: false)
    let fixes = try other.read { snapshot in
      let fixes = try snapshot.counts().keptFixes
      #expect(try store.forget(in: zone).isErased == false)
      #expect(try snapshot.counts().keptFixes == fixes, "the reader is not disturbed")
      return fixes
    }
    #expect(try other.read { snapshot in try snapshot.counts().keptFixes } < fixes)
    let lost = try lostTraces(store, before)
    #expect(lost.found(in: store.path) > 1_000)
    #expect(try store.rebuild().isErased)
    #expect(lost.found(in: store.path) == 0)
    #expect(try store.pragma("busy_timeout").writer == "60000")
    #expect(try store.pragma("temp_store").writer == "2")
    #expect(try store.check().isSound)
  }

  /// Fills the store, forgets a zone and kills the process before the file is rewritten.
  private func forgetAndDie() async throws -> (before: Traces, after: Traces) {
    let path = folder.file("s.sqlite")
    let before: Traces
    do {
      let store = try filledStore()
      before = try Traces(store)
    }
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      let zone = PrivacyZone(center: Coordinate(41.008, 28.978), radiusMeters: 300)
      let store = try Store(path: path, creating: false)
      _ = try store.write { session in try session.forget(in: zone) }
      kill(getpid(), SIGKILL)
    }
    let image = try TemporaryFolder()
    // Read a copy, so that the store stays as the process left it.
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: path + suffix, toPath: image.file("s.sqlite" + suffix))
    }
    let lost = try lostTraces(try Store(path: image.file("s.sqlite"), creating: false), before)
    #expect(lost.runs.count > 10_000)
    #expect(lost.found(in: path) > 1_000, "the bytes are in the file when the process is killed")
    return (before, lost)
  }

  /// Runs `body` while a snapshot of the store is open.
  private func whileReading(_ store: Store, _ body: () -> Void) throws {
    try store.read { snapshot in
      _ = try snapshot.counts()
      body()
    }
  }

  @Test func `after a kill right after the commit, the next write erases the data`() async throws {
    let (_, lost) = try await forgetAndDie()
    let store = try Store(path: folder.file("s.sqlite"), creating: false)
    for isQuick in [true, false] {
      let check = try store.check(isQuick: isQuick)
      #expect(!check.isSound && check.canBeRepaired)
      #expect(check.steps.first { $0.differenceCount > 0 }?.subject == .erasure)
    }
    #expect(lost.found(in: store.path) > 1_000, "a reader does not rewrite the file")
    try store.add([], as: "next")
    #expect(lost.found(in: store.path) == 0)
    #expect(try store.check().isSound)
    #expect(try store.pragma("busy_timeout").writer == "60000")
  }

  @Test func `a write does not wait for readers to erase data after a kill, a later one erases it`()
    async throws
  {
    let (_, lost) = try await forgetAndDie()
    let path = folder.file("s.sqlite")
    let other = try Store(path: path, creating: false)
    do {
      let store = try Store(path: path, creating: false)
      let start = ContinuousClock.now
      try whileReading(other) {
        for name in ["one more", "another"] {
          #expect(throws: Never.self) { try store.add([], as: name) }
        }
      }
      #expect(ContinuousClock.now - start < .seconds(10))
      #expect(try !store.check().isSound, "the mark stays until the log is empty")
    }
    let store = try Store(path: path, creating: false)
    try store.add([], as: "the last")
    #expect(lost.found(in: path) == 0)
    #expect(try store.check().isSound)
  }

  @Test func `data forgotten within a write session is erased by the next write`() throws {
    let store = try filledStore()
    let before = try Traces(store)
    _ = try store.write { session in try session.forget(sources: ["1"]) }
    let lost = try lostTraces(store, before)
    #expect(lost.found(in: store.path) > 1_000)
    try store.add([], as: "next")
    #expect(lost.found(in: store.path) == 0)
  }
}

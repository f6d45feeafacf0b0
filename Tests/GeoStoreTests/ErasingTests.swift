import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore

/// What was taken back is not in the store's files any more: the bytes themselves are searched.
@Suite struct ErasingTests {
  private let folder: TemporaryFolder
  private let zone = PrivacyZone(center: Coordinate(41.008, 28.978), radiusMeters: 300)

  init() throws { folder = try TemporaryFolder() }

  /// A store with tracks inside, outside, and through the zone; its log holds all of its history.
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

  /// Runs of eight bytes, at any place, of what is in the store: of packed fixes, and of geohashes.
  private struct Traces {
    var runs: Set<UInt64> = []

    init(_ store: Store) throws {
      for payload in try store.payloads() { Self.forEachRun(in: payload) { runs.insert($0) } }
      for region in try store.regions() {
        Self.forEachRun(in: region.geohash.utf8) { runs.insert($0) }
      }
    }

    /// How many of them are in a store's files.
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

  /// Traces of what was in the store before and is not now.
  private func lostTraces(_ store: Store, _ before: Traces) throws -> Traces {
    var lost = before
    lost.runs.subtract(try Traces(store).runs)
    return lost
  }

  @Test func `a zone is gone from the file and its log`() throws {
    let store = try filledStore()
    let before = try Traces(store)
    // Not those that a page's end cuts in two.
    #expect(before.found(in: store.path) > before.runs.count * 98 / 100, "what is searched for can be found")
    let result = try store.forget(in: zone)
    #expect(result.isErased && result.fixes > 1_500)
    let lost = try lostTraces(store, before)
    #expect(lost.runs.count > 10_000)
    #expect(lost.found(in: store.path) == 0)
  }

  @Test func `a source is gone from the file and its log`() throws {
    let store = try filledStore()
    let before = try Traces(store)
    #expect(try store.forget(sources: ["1", "3"]).isErased)
    let lost = try lostTraces(store, before)
    #expect(lost.runs.count > 10_000)
    #expect(lost.found(in: store.path) == 0)
  }

  @Test func `without writing the file anew it would still be there`() throws {
    let store = try filledStore()
    let before = try Traces(store)
    _ = try store.write { (session) throws(StoreError) in try session.forget(in: zone) }
    #expect(try lostTraces(store, before).found(in: store.path) > 1_000)
  }

  @Test func `a reader of the old state is told of, and a rebuild finishes the work`() throws {
    let store = try filledStore()
    let before = try Traces(store)
    let other = try Store(path: store.path, creating: false)
    let fixes = try other.read { (snapshot) throws(StoreError) in
      let fixes = try snapshot.counts().keptFixes
      #expect(try store.forget(in: zone).isErased == false)
      #expect(try snapshot.counts().keptFixes == fixes, "the reader is not disturbed")
      return fixes
    }
    #expect(try other.read { (snapshot) throws(StoreError) in try snapshot.counts().keptFixes } < fixes)
    let lost = try lostTraces(store, before)
    #expect(lost.found(in: store.path) > 1_000)
    #expect(try store.rebuild().isErased)
    #expect(lost.found(in: store.path) == 0)
    #expect(try store.pragma("busy_timeout").writer == "60000")
    #expect(try store.pragma("temp_store").writer == "2")
    #expect(try store.check().isSound)
  }
}

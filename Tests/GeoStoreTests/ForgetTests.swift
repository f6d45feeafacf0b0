import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Forgetting sources, and rebuilding.
@Suite struct ForgetTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func store(_ name: String = "s.sqlite") throws -> Store {
    let options = StoreOptions(placeNames: {
      PlaceNames(country: "Row \($0.latitudeE7 / 10_000_000)")
    })
    return try Store(path: folder.file(name), creating: true, options: options)
  }

  private func tracks(_ count: Int, seed: UInt64) -> [[KeptFix]] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { _ in
      wanderingTrack(count: 120, homes: Array(awkwardHomes.prefix(3)), using: &random)
    }
  }

  @Test(arguments: Seeds.sample(8))
  func `after forgetting a source the store equals one that never had it`(seed: UInt64) throws {
    let tracks = tracks(4, seed: seed)
    var cells = Coverage()
    cells.mark(contentsOf: tracks[3].map(\.coordinate))
    let (store, fresh) = (try store(), try store("fresh.sqlite"))
    for (index, track) in tracks.prefix(3).enumerated() {
      try store.add(track, as: "source-\(index)")
    }
    try store.add(cells, as: "cells")
    let gone = Int(seed % 4)
    let result = try store.forget(sources: [gone == 3 ? "cells" + ".gpx" : "source-\(gone).gpx"])
    for (index, track) in tracks.prefix(3).enumerated() where index != gone {
      try fresh.add(track, as: "source-\(index)")
    }
    if gone != 3 { try fresh.add(cells, as: "cells") }
    try #expect(StoreContents(store) == StoreContents(fresh))
    #expect(result.sources.map(\.source.id) == [Int64(gone + 1)])
    #expect(result.sources.allSatisfy { $0.isForgotten && $0.kept == 0 && $0.cells == 0 })
    #expect(result.fixes == (gone == 3 ? 0 : 120))
    #expect(result.cells == (gone == 3 ? cells.count : 0))
    #expect(try result.after.visitedRegions == store.regions().count)
    #expect(try result.after.cells == store.coverage().count)
    #expect(result.isErased)
    #expect(try store.check().isSound)
    // The source can be imported again, because its SHA-256 is unknown now. Both stores behave
    // alike.
    guard gone < 3 else { return }
    for store in [store, fresh] { try store.add(tracks[gone], as: "source-\(gone)") }
    try #expect(StoreContents(store) == StoreContents(fresh))
  }

  @Test func `a store is empty after all its sources are forgotten`() throws {
    let store = try store()
    for (index, track) in tracks(3, seed: 1).enumerated() {
      try store.add(track, as: "source-\(index)")
    }
    let result = try store.forget(sources: ["1", "2", "3", "2"])
    #expect(result.sources.count == 3)
    #expect(result.after == MaintenanceReport.Size(visitedRegions: 0, visits: 0, cells: 0))
    try #expect(StoreContents(store) == StoreContents(self.store("fresh.sqlite")))
    #expect(try store.check().isSound)
  }

  @Test func `a selector is matched as a number first, then as a path, then as a hash`() throws {
    let store = try store()
    let hashes = ["00", "11", "22", "33"].map { $0 + String(repeating: "0", count: 62) }
    for (hash, path) in zip(hashes, ["2", "3.gpx", "7", "00000000"]) {
      try store.write { session in
        var description = SourceDescription.sample(hash)
        description.path = path
        _ = try session.beginSource().finish(description)
      }
    }
    func ids(_ selector: String, isDryRun: Bool = true) throws -> [Int64] {
      try store.forget(sources: [selector], isDryRun: isDryRun).sources.map(\.source.id)
    }
    #expect(try ids("2") == [2] && ids("7") == [3])
    #expect(try ids("00000000") == [4] && ids("000000000") == [1])
    #expect(try ids("2", isDryRun: false) == [2])
    // No source has this number any more.
    #expect(try ids("2", isDryRun: false) == [1])
  }

  @Test func `a source is selected only by its number, path or hash`() throws {
    let store = try store()
    let hashes = ["abcdef0123", "abcdef0199", "12345678aa"].map {
      $0 + String(repeating: "0", count: 54)
    }
    for (hash, path) in zip(hashes, ["a.gpx", "b.gpx", "a.gpx"]) {
      try store.write { session in
        var description = SourceDescription.sample(hash)
        description.path = path
        _ = try session.beginSource().finish(description)
      }
    }
    func ids(_ selectors: String...) throws -> [Int64] {
      try store.forget(sources: selectors, isDryRun: true).sources.map(\.source.id)
    }
    #expect(try ids("2") == [2])
    #expect(try ids("b.gpx", "12345678", "2") == [2, 3])
    #expect(try ids("ABCDEF0123") == [1])
    #expect(try ids(hashes[1]) == [2])
    let path = store.path
    #expect(throws: StoreError.ambiguousSource(path: path, selector: "a.gpx", ids: [1, 3])) {
      try ids("a.gpx")
    }
    #expect(throws: StoreError.ambiguousSource(path: path, selector: "abcdef01", ids: [1, 2])) {
      try ids("abcdef01")
    }
    for wrong in ["abcdef0", "4", "02", "-1", "", "gpx", "%", "abcdef01234", hashes[0] + "0"] {
      #expect(throws: StoreError.noSuchSource(path: path, selector: wrong)) { try ids("1", wrong) }
    }
    #expect(try store.read { snapshot in try snapshot.sources().count } == 3)
  }

  @Test func `a dry run reports the result of forgetting and changes nothing`() throws {
    let store = try store()
    for (index, track) in tracks(3, seed: 7).enumerated() {
      try store.add(track, as: "source-\(index)")
    }
    let before = try StoreContents(store)
    let zone = PrivacyZone(center: awkwardHomes[1], radiusMeters: 400)
    for isZone in [false, true] {
      func forget(isDryRun: Bool) throws -> MaintenanceReport {
        try isZone
          ? store.forget(in: zone, isDryRun: isDryRun)
          : store.forget(sources: ["2"], isDryRun: isDryRun)
      }
      let current = try StoreContents(store)
      var preview = try forget(isDryRun: true)
      try #expect(StoreContents(store) == current)
      #expect(!preview.isErased && preview.fixes > 0)
      preview.isErased = true
      #expect(try forget(isDryRun: false) == preview)
    }
    try #expect(StoreContents(store) != before)
  }

  @Test(arguments: Seeds.sample(4))
  func `a rebuild with other settings equals a store created with them`(seed: UInt64) throws {
    let (store, fresh) = (try store(), try store("fresh.sqlite"))
    let values: [SettingKey: Double] = [
      .explorationRadiusMeters: 210, .clusteringRadiusMeters: 120, .visitGapMinutes: 10,
    ]
    try fresh.write { session in
      for (key, value) in values { try session.set(key, to: value) }
    }
    for (index, track) in tracks(2, seed: seed).enumerated() {
      for store in [store, fresh] { try store.add(track, as: "source-\(index)") }
    }
    let before = try StoreContents(store)
    let result = try store.rebuild(changing: values)
    try #expect(StoreContents(store) == StoreContents(fresh))
    #expect(result.before.visitedRegions == before.regions.count && result.isErased)
    #expect(result.after.cells == (try fresh.coverage().count))
    _ = try store.rebuild(
      changing: [.explorationRadiusMeters: 150, .clusteringRadiusMeters: 75, .visitGapMinutes: 30])
    try #expect(StoreContents(store) == before)
    // A value out of range changes nothing, including the other values given with it.
    #expect(throws: StoreError.self) {
      try store.rebuild(changing: [.clusteringRadiusMeters: 90, .explorationRadiusMeters: 0])
    }
    try #expect(StoreContents(store) == before)
    #expect(
      try store.read { snapshot in snapshot.settings[.clusteringRadiusMeters] } == 75)
  }
}

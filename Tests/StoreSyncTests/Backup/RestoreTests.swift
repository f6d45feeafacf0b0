import Foundation
import SQLiteLayer
import TestSupport
import Testing

@testable import GeoStore
@testable import StoreSync

/// Restoring a store from a folder on the disk.
@Suite struct RestoreTests {
  private let bench: BackupBench
  private let now = BackupBench.now

  init() throws { bench = try BackupBench() }

  private func replace(
    _ name: String, _ folder: SyncFolder, _ selector: String? = nil, now: Int64? = nil,
    profile: String? = nil
  ) throws -> SyncFolder.RestoreReport {
    try folder.replace(
      bench.path(name), with: folder.backups().entry(selector), now: now ?? self.now,
      present: { try? Store(path: bench.path(name), creating: false) },
      opening: { path in
        var options = StoreOptions()
        options.profileID = profile
        return try Store(path: path, creating: true, options: options)
      })
  }

  /// The names of the files next to the store and in its folder that a restore makes.
  private func leftovers(_ name: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: bench.path(name) + "-sync")) ?? [])
      .filter { $0.contains(".sqlite") }.sorted()
  }

  @Test func `the newest backup is the last of its device, although its clock was ahead`() throws {
    let a = try bench.store("a")
    try bench.add(20, to: a, as: "1", seed: 1)
    let folder = try bench.join("a")
    _ = try folder.backUp(a, note: "future", now: now + 400 * BackupBench.day)
    try bench.add(30, to: a, as: "2", seed: 2)
    _ = try folder.backUp(a, note: "newest", now: now)
    let catalog = try folder.backups()
    #expect(catalog.entries.map(\.manifest.note) == ["newest", "future"])
    #expect(try catalog.entry(nil).manifest.note == "newest")
  }

  @Test func `a store is replaced by a backup, and brought back`() throws {
    var changed: StoreContents?
    var original: StoreContents?
    try {
      let a = try bench.store("a")
      try bench.add(200, to: a, as: "1", seed: 1)
      try a.write { session in _ = try session.change(.units, to: 1) }
      original = try StoreContents(a)
      _ = try bench.join("a").backUp(a, now: now)
      try bench.add(100, to: a, as: "2", seed: 2)
      try bench.forget("1", in: a)
      try a.write { session in try session.reset(.units) }
      changed = try StoreContents(a)
    }()
    let folder = try bench.join("a")
    let report = try replace("a", folder, profile: "profile")
    #expect(report.keptFixes == 200 && report.forgottenSince == 0)
    #expect(try StoreContents(bench.store("a")) == original)
    #expect(try bench.store("a").profileID() == "profile")
    #expect(leftovers("a").count == 1)
    let replacement = StoreReplacement(storePath: bench.path("a"))
    #expect(try replacement.bringBack(now: now + 5) == now)
    #expect(try StoreContents(bench.store("a")) == changed)
    // And forth again.
    #expect(try replacement.bringBack(now: now + 6) == now + 5)
    #expect(try StoreContents(bench.store("a")) == original)
    // A day later it is gone.
    replacement.cleanUp(now: now + 6 + StoreReplacement.keptMilliseconds)
    #expect(leftovers("a").count == 1)
    replacement.cleanUp(now: now + 7 + StoreReplacement.keptMilliseconds)
    #expect(leftovers("a") == [])
    #expect(throws: BackupError.nothingKept(path: bench.path("a"))) {
      try replacement.bringBack(now: now)
    }
    #expect(try StoreContents(bench.store("a")) == original)
  }

  @Test func `a store that is missing or damaged is restored`() throws {
    let original = try {
      let a = try bench.store("a")
      try bench.add(100, to: a, as: "1", seed: 1)
      _ = try bench.join("a").backUp(a, now: now)
      return try StoreContents(a)
    }()
    let folder = try bench.join("a")
    try FileManager.default.removeItem(atPath: bench.path("a"))
    #expect(try replace("a", folder).kept == nil)
    #expect(try StoreContents(bench.store("a")) == original && leftovers("a") == [])
    try Data("no database at all".utf8).write(to: URL(fileURLWithPath: bench.path("a")))
    let report = try replace("a", folder)
    #expect(try StoreContents(bench.store("a")) == original)
    let kept = try #require(report.kept)
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "no database at all")
    // A log that SQLite would take for that of the new store is not left next to it.
    try Data("no database at all".utf8).write(to: URL(fileURLWithPath: bench.path("a")))
    try Data("a log".utf8).write(to: URL(fileURLWithPath: bench.path("a") + "-wal"))
    #expect(throws: BackupError.self) { try replace("a", folder) }
    #expect(try String(contentsOfFile: bench.path("a"), encoding: .utf8) == "no database at all")
    #expect(leftovers("a").count == 1)
    // Nor is a new store put next to it.
    try FileManager.default.removeItem(atPath: bench.path("a"))
    #expect(throws: BackupError.self) { try replace("a", folder) }
    #expect(!FileManager.default.fileExists(atPath: bench.path("a")))
    #expect(try String(contentsOfFile: bench.path("a") + "-wal", encoding: .utf8) == "a log")
  }

  @Test func `a store that another connection has open is not replaced`() throws {
    let a = try bench.store("a")
    try bench.add(100, to: a, as: "1", seed: 1)
    let folder = try bench.join("a")
    _ = try folder.backUp(a, now: now)
    let before = try StoreContents(a)
    #expect(throws: DatabaseError.self) { try replace("a", folder) }
    #expect(try StoreContents(a) == before && leftovers("a") == [])
  }

  @Test func `whatever a killed restore leaves, the store is whole`() throws {
    try {
      let a = try bench.store("a")
      try bench.add(100, to: a, as: "1", seed: 1)
    }()
    let before = try StoreContents(bench.store("a"))
    let replacement = StoreReplacement(storePath: bench.path("a"))
    // While the new store is filled.
    try {
      let new = try Store(path: replacement.newPath(), creating: true)
      try bench.add(10, to: new, as: "2", seed: 2)
    }()
    try Data(count: 5_000).write(to: URL(fileURLWithPath: replacement.newPath() + "-wal"))
    replacement.cleanUp(now: now)
    #expect(leftovers("a") == [])
    #expect(try StoreContents(bench.store("a")) == before)
    // After the old store got its second name.
    try FileManager.default.linkItem(
      atPath: bench.path("a"), toPath: bench.path("a") + "-sync/replaced-\(now).sqlite")
    #expect(try StoreContents(bench.store("a")) == before)
    replacement.cleanUp(now: now)
    #expect(leftovers("a") == [])
    try bench.add(10, to: bench.store("a"), as: "3", seed: 3)
    #expect(try bench.store("a").read { try $0.sources().count } == 2)
  }

  @Test func `a store behind a symbolic link is replaced where it is`() throws {
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("disk"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: bench.path("a"), withDestinationPath: bench.folder.file("disk/real.sqlite"))
    try {
      let a = try bench.store("a")
      try bench.add(50, to: a, as: "1", seed: 1)
      _ = try bench.join("a").backUp(a, now: now)
      try bench.forget("1", in: a)
    }()
    let report = try replace("a", bench.join("a"))
    #expect(report.kept?.contains("/disk/real.sqlite-sync/replaced-") == true)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: bench.path("a"))
        == bench.folder.file("disk/real.sqlite"))
    #expect(try bench.store("a").read { try $0.sources().count } == 1)
    #expect(try bench.store("a").read { try $0.sources().count } == 1)
  }

  @Test func `what was forgotten since comes back with a replacement until the next sync`() throws {
    try {
      let a = try bench.store("a")
      try bench.add(100, to: a, as: "1", seed: 1)
      try bench.add(70, to: a, as: "2", seed: 2)
      let folder = try bench.join("a")
      _ = try folder.backUp(a, now: now)
      try bench.forget("1", in: a)
      _ = try folder.sync(a, now: now)
    }()
    let folder = try bench.join("a")
    #expect(try replace("a", folder).forgottenSince == 1)
    let restored = try bench.store("a")
    #expect(try restored.read { try $0.sources().map(\.kept) }.sorted() == [70, 100])
    let sync = try folder.sync(restored, now: now + 1)
    #expect(sync.changes.sourcesForgotten == 1)
    #expect(try restored.read { try $0.sources().map(\.kept) } == [70])
    // A second device agrees.
    let b = try bench.store("b")
    _ = try folder.backUp(restored, now: now + 2)
    #expect(try folder.verify(store: nil).verification.isSound)
    try folder.add(publicKey: publicKey(of: "b"), displayName: "b", now: now)
    _ = try bench.join("b").sync(b, now: now)
    #expect(try SharedContents(b).differences(from: SharedContents(restored)) == [])
  }

  @Test func `a replacement counts the sources that only the replaced store has`() throws {
    let folder = try bench.join("a")
    try {
      let a = try bench.store("a")
      try bench.add(20, to: a, as: "1", seed: 1)
      _ = try folder.backUp(a, now: now)
      try bench.add(30, to: a, as: "2", seed: 2)
      _ = try folder.sync(a, now: now)
      try bench.add(40, to: a, as: "3", seed: 3)
    }()
    #expect(try replace("a", folder).unsynced == 1)
    #expect(try replace("b", folder).unsynced == nil)
  }

  private func publicKey(of name: String) throws -> String {
    do {
      _ = try bench.join(name)
    } catch SharingError.notAMember(_, let key) {
      return key
    }
    return ""
  }

  @Test func `merging adds what the store lacks, and nothing that was forgotten`() throws {
    let a = try bench.store("a")
    try bench.add(100, to: a, as: "1", seed: 1)
    try bench.add(70, to: a, as: "2", seed: 2)
    let folder = try bench.join("a")
    _ = try folder.backUp(a, now: now)
    try bench.forget("1", in: a)
    _ = try folder.sync(a, now: now)
    try bench.add(30, to: a, as: "3", seed: 3)
    let before = try SharedContents(a)
    var report = try folder.merge(folder.backups().entry(nil), into: a, now: now)
    #expect(report.forgottenSince == 1 && report.sync?.changes.sourcesAdded == 0)
    #expect(try SharedContents(a).differences(from: before) == [])
    // Another device has a backup of what was never shared otherwise.
    let b = try bench.store("b")
    try bench.add(20, to: b, as: "4", seed: 4)
    try folder.add(publicKey: publicKey(of: "b"), displayName: "b", now: now)
    let other = try bench.join("b")
    report = try other.merge(other.backups().entry(nil), into: b, now: now)
    #expect(try b.read { try $0.sources().map(\.kept) }.sorted() == [20, 30, 70])
  }

  @Test func `a merge reports what was forgotten since the last sync`() throws {
    let a = try bench.store("a")
    try bench.add(100, to: a, as: "1", seed: 1)
    try bench.add(70, to: a, as: "2", seed: 2)
    let folder = try bench.join("a")
    _ = try folder.backUp(a, now: now)
    try bench.forget("1", in: a)
    for _ in 1...2 {
      let report = try folder.merge(folder.backups().entry(nil), into: a, now: now)
      #expect(report.forgottenSince == 1 && report.sync?.changes.sourcesAdded == 0)
    }
    #expect(try a.read { try $0.sources().map(\.kept) } == [70])
  }
}

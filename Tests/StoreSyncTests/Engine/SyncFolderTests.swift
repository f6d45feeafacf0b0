import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import StoreSync

/// Stores that share a folder on the disk, encrypted.
@Suite struct SyncFolderTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("shared"), withIntermediateDirectories: false)
  }

  private static let now: Int64 = 1_700_000_000_000

  private func store(_ name: String) throws -> Store {
    try Store(path: folder.file(name + ".sqlite"), creating: true)
  }

  private func join(
    _ name: String, fingerprint: String? = nil, recoveryKey: String? = nil
  ) throws -> SyncFolder {
    try SyncFolder(
      LocalSyncDirectory(path: folder.file("shared")), path: "shared",
      home: SyncHome(storePath: folder.file(name + ".sqlite")), displayName: name,
      fingerprint: fingerprint, recoveryKey: recoveryKey, now: Self.now)
  }

  private func add(_ count: Int, to store: Store, as name: String, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let points = wanderingPoints(
      count: count, homes: [awkwardHomes[1]], strideMeters: 150, using: &random)
    let fixes = points.map {
      KeptFix(coordinate: $0.coordinate, time: $0.time, accuracyMeters: 5, startsSegment: false)
    }
    let times = fixes.compactMap(\.time)
    _ = try store.write { session in
      let writer = try session.beginSource()
      try writer.append(fixes)
      return try writer.finish(
        SourceDescription(
          sha256: String(repeating: name, count: 64), path: "\(name).gpx", format: "gpx",
          bytes: 10, points: count, firstTime: times.min(), lastTime: times.max(), report: "{}"))
    }
  }

  /// The public key that a device shows when it is not a member.
  private func publicKey(of name: String) throws -> String {
    do {
      _ = try join(name)
    } catch SharingError.notAMember(_, let key) {
      return key
    }
    Issue.record("\(name) is a member already")
    return ""
  }

  @Test func `two devices share what each of them has`() throws {
    let (a, b) = (try store("a"), try store("b"))
    try add(5_000, to: a, as: "1", seed: 1)
    try add(300, to: b, as: "2", seed: 2)
    let first = try join("a")
    #expect(try #require(first.recoveryKey).hasPrefix("AGE-SECRET-KEY-1"))
    let sent = try first.sync(a, now: Self.now)
    #expect(sent.filesWritten == 1 && sent.wroteManifest)
    let key = try publicKey(of: "b")
    try first.add(publicKey: key, displayName: "b", now: Self.now)
    #expect(throws: SharingError.self) { try join("b", fingerprint: "0000-0000-0000-0000") }
    let second = try join("b", fingerprint: first.fingerprint)
    #expect(Set(second.devices.map(\.displayName)) == ["a", "b"])
    let received = try second.sync(b, now: Self.now)
    #expect(received.changes.sourcesAdded == 1 && received.changes.fixesAdded == 5_000)
    let back = try first.sync(a, now: Self.now)
    #expect(back.changes.fixesAdded == 300)
    #expect(try SharedContents(a).differences(from: SharedContents(b)) == [])
    // Once more: nothing is new.
    let again = try first.sync(a, now: Self.now)
    #expect(again.filesRead == 0 && again.filesWritten == 0 && !again.wroteManifest)
    #expect(again.pending == [] && again.unreadable == [:] && again.rolledBack == [])
  }

  @Test func `a lost store comes back with the recovery key`() throws {
    let a = try store("a")
    try add(200, to: a, as: "1", seed: 3)
    let first = try join("a")
    _ = try first.sync(a, now: Self.now)
    let c = try store("c")
    let joined = try join("c", recoveryKey: first.recoveryKey)
    #expect(try joined.sync(c, now: Self.now).changes.fixesAdded == 200)
    #expect(try SharedContents(a).differences(from: SharedContents(c)) == [])
  }

  @Test func `a removed device reads nothing that is written later`() throws {
    let (a, b) = (try store("a"), try store("b"))
    let first = try join("a")
    try first.add(publicKey: publicKey(of: "b"), displayName: "b", now: Self.now)
    let second = try join("b")
    _ = try second.sync(b, now: Self.now)
    try first.remove("b")
    try add(50, to: a, as: "1", seed: 4)
    _ = try first.sync(a, now: Self.now)
    // With the keys that it has.
    let late = try second.sync(b, now: Self.now)
    #expect(late.changes.sourcesAdded == 0 && late.unreadable.count == 1)
    #expect(throws: (any Error).self) { try first.remove("b") }
  }

  @Test func `a file that was changed, moved or copied from another folder is named, not believed`()
    throws
  {
    let a = try store("a")
    try add(200, to: a, as: "1", seed: 5)
    try add(200, to: a, as: "2", seed: 6)
    let first = try join("a")
    _ = try first.sync(a, now: Self.now)
    let sources = folder.file("shared/sources")
    let names = try FileManager.default.contentsOfDirectory(atPath: sources).sorted()
    #expect(names.count == 2)
    // The two files are swapped; their sizes are equal.
    let contents = try names.map { try Data(contentsOf: URL(fileURLWithPath: sources + "/" + $0)) }
    try contents[1].write(to: URL(fileURLWithPath: sources + "/" + names[0]))
    var damaged = contents[1]
    damaged[damaged.count / 2] ^= 1
    try damaged.write(to: URL(fileURLWithPath: sources + "/" + names[1]))
    let b = try store("b")
    try first.add(publicKey: publicKey(of: "b"), displayName: "b", now: Self.now)
    let report = try join("b").sync(b, now: Self.now)
    #expect(report.changes.sourcesAdded == 0)
    #expect(Set(report.pending.map(\.path.name)) == Set(names))
    // The right files come back.
    for (name, content) in zip(names, contents) {
      try content.write(to: URL(fileURLWithPath: sources + "/" + name))
    }
    #expect(try join("b").sync(b, now: Self.now).changes.sourcesAdded == 2)
  }

  @Test func `a folder that went backwards is reported`() throws {
    let (a, b) = (try store("a"), try store("b"))
    let first = try join("a")
    _ = try first.sync(a, now: Self.now)
    let devices = folder.file("shared/devices")
    let old = try FileManager.default.contentsOfDirectory(atPath: devices)[0]
    let oldBytes = try Data(contentsOf: URL(fileURLWithPath: devices + "/" + old))
    try first.add(publicKey: publicKey(of: "b"), displayName: "b", now: Self.now)
    let second = try join("b")
    try add(20, to: a, as: "1", seed: 7)
    _ = try first.sync(a, now: Self.now)
    _ = try second.sync(b, now: Self.now)
    for name in try FileManager.default.contentsOfDirectory(atPath: devices)
    where name.hasPrefix(old.prefix(16)) {
      try FileManager.default.removeItem(atPath: devices + "/" + name)
    }
    try oldBytes.write(to: URL(fileURLWithPath: devices + "/" + old))
    let report = try second.sync(b, now: Self.now)
    #expect(report.rolledBack.count == 1)
    #expect(try b.read { try $0.sources().count } == 1)
  }

  @Test func `a store that was shared through another folder keeps everything`() throws {
    let a = try store("a")
    try add(120, to: a, as: "1", seed: 8)
    _ = try join("a").sync(a, now: Self.now)
    let before = try SharedContents(a)
    // The same store with the keys of another folder, and back again.
    let home = folder.file("a.sqlite-sync")
    try FileManager.default.moveItem(atPath: home, toPath: folder.file("first"))
    try FileManager.default.moveItem(
      atPath: folder.file("shared"), toPath: folder.file("first folder"))
    try FileManager.default.createDirectory(
      atPath: folder.file("shared"), withIntermediateDirectories: false)
    let other = try join("a").sync(a, now: Self.now)
    #expect(other.changes.sourcesForgotten == 0 && other.filesWritten == 1)
    #expect(try SharedContents(a).differences(from: before) == [])
    let (b, second) = (try store("b"), try join("a"))
    try second.add(publicKey: publicKey(of: "b"), displayName: "b", now: Self.now)
    try add(30, to: b, as: "2", seed: 9)
    _ = try join("b").sync(b, now: Self.now)
    _ = try second.sync(a, now: Self.now)
    #expect(try SharedContents(a).differences(from: SharedContents(b)) == [])
    #expect(try a.read { try $0.sources().map(\.kept) } == [120, 30])
  }

  @Test func `a file stays until what replaces it is there`() throws {
    let (a, b) = (try store("a"), try store("b"))
    try add(200, to: a, as: "1", seed: 10)
    let first = try join("a")
    _ = try first.sync(a, now: Self.now)
    try first.add(publicKey: publicKey(of: "b"), displayName: "b", now: Self.now)
    let second = try join("b")
    _ = try second.sync(b, now: Self.now)
    let sources = folder.file("shared/sources")
    let old = try FileManager.default.contentsOfDirectory(atPath: sources)
    let center = try #require(
      try a.write { session in
        session.cancel()
        return try session.history.chunks().first.map { chunk in
          try session.history.keptFixes(chunk.id...chunk.id, ofSource: chunk.source)[100].coordinate
        }
      })
    _ = try b.forget(in: PrivacyZone(center: center, radiusMeters: 200))
    _ = try second.sync(b, now: Self.now)
    // Only the manifest of the other device arrives.
    let new = try FileManager.default.contentsOfDirectory(atPath: sources)
    #expect(Set(new).isDisjoint(with: old) && !new.isEmpty)
    for name in new {
      try FileManager.default.moveItem(
        atPath: sources + "/" + name, toPath: folder.file("late " + name))
    }
    let waiting = try first.sync(a, now: Self.now)
    #expect(!waiting.pending.isEmpty)
    #expect(try a.read { try $0.sources().map(\.kept) } == [200])
    for name in new {
      try FileManager.default.moveItem(
        atPath: folder.file("late " + name), toPath: sources + "/" + name)
    }
    _ = try first.sync(a, now: Self.now)
    #expect(try SharedContents(a).differences(from: SharedContents(b)) == [])
  }

  @Test func `keys that are stated must be those of the folder`() throws {
    let key = try SecretKey.random().text()
    #expect(throws: SharingError.empty(path: "shared")) { try join("a", recoveryKey: key) }
    let none = "0000-0000-0000-0000"
    #expect(throws: SharingError.empty(path: "shared")) { try join("a", fingerprint: none) }
    do { _ = try join("a") }
    #expect(throws: SharingError.otherFingerprint(path: "shared")) {
      try join("a", fingerprint: none)
    }
    let first = try join("a")
    #expect(throws: SharingError.busy(path: "shared")) { try join("a") }
    let long = String(repeating: "ü", count: 400)
    try first.add(publicKey: publicKey(of: "b"), displayName: long, now: Self.now)
    let second = try join("b")
    #expect(!second.hasJoined || second.fingerprint == first.fingerprint)
    try first.remove(try #require(second.devices.first { $0.name == second.device }).displayName)
    let gone = try second.publicKeyText()
    #expect(throws: SharingError.removedKey(path: "shared")) {
      try first.add(publicKey: gone, displayName: "b", now: Self.now)
    }
  }
}

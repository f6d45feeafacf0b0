import CSQLite
import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Stores whose file has several names, or whose path leads to another file.
@Suite struct StorePlaceTests {
  private let folder: TemporaryFolder
  private var path: String { folder.file("s.sqlite") }
  private var other: String { folder.file("other.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private func track(_ seed: UInt64) -> [KeptFix] {
    var random = SplitMix64(seed: seed)
    return wanderingTrack(count: 150, homes: awkwardHomes, using: &random)
  }

  private func fill() throws {
    try Store(path: path, creating: true).add(track(1), as: "1")
  }

  private func sources(_ store: Store) throws -> Int {
    try store.read { snapshot in try snapshot.sources().count }
  }

  @Test func `a store with two hard links can be read by both names but not changed`() throws {
    try fill()
    #expect(link(path, other) == 0)
    let before = try Data(contentsOf: URL(fileURLWithPath: path))
    for name in [path, other] {
      let store = try Store(path: name, creating: true)
      #expect(try sources(store) == 1)
      #expect(try store.check().isSound)
      let expected = DatabaseError.linked(path: name, names: 2)
      #expect(throws: expected) { try store.add(track(2), as: "2") }
      #expect(throws: expected) { _ = try store.forget(sources: ["1"]) }
      #expect(throws: expected) { _ = try store.rebuild() }
      #expect(throws: expected) { try store.checkpoint() }
      try store.backup(to: folder.file("backup"), replacing: true)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
        "backup", "other.sqlite", "s.sqlite",
      ])
    unlink(other)
    #expect(throws: Never.self) { try Store(path: path, creating: false).add(track(2), as: "2") }
  }

  @Test func `a second hard link leaves the log readable and unchanged`()
    throws
  {
    let store = try Store(path: path, creating: true)
    try store.add(track(1), as: "1")
    #expect(link(path, other) == 0)
    // Opened before the link was made, and after.
    #expect(throws: DatabaseError.linked(path: path, names: 2)) { try store.add(track(2), as: "2") }
    #expect(try sources(store) == 1)
    #expect(try sources(Store(path: path, creating: false)) == 1)
    unlink(other)
    try store.add(track(2), as: "2")
    #expect(try sources(store) == 2)
    #expect(try store.check().isSound)
  }

  /// A file that cannot be written is read without a lock. Here the file has two names, and another
  /// program writes to it anyway.
  @Test
  func `a read during a change by another program throws, and the next read is right`()
    throws
  {
    try fill()
    #expect(link(path, other) == 0)
    let store = try Store(path: path, creating: false)
    #expect(try sources(store) == 1)
    func change(_ name: String) throws {
      let writer = try Connection(path: other, flags: SQLITE_OPEN_READWRITE)
      try writer.execute(
        "INSERT INTO sources (sha256, path, format, bytes, points, kept, report, imported_at) "
          + "SELECT '\(name)', path, format, bytes, points, 0, report, imported_at "
          + "FROM sources WHERE id = 1; "
          + "PRAGMA wal_checkpoint(TRUNCATE)"
      )
    }
    #expect(throws: DatabaseError.changedWhileRead(path: path)) {
      try store.read { snapshot in
        do { try change("two") } catch { Issue.record(error) }
      }
    }
    #expect(try sources(store) == 2)
    try change("three")
    #expect(try sources(store) == 3)
  }

  @Test func `a hard link made during a transaction rolls it back`() throws {
    let store = try Store(path: path, creating: true)
    try store.add(track(1), as: "1")
    let track = track(2)
    let error = #expect(throws: DatabaseError.self) {
      try store.write { session in
        let writer = try session.beginSource()
        try writer.append(track)
        _ = try writer.finish(.sample("2", of: track))
        #expect(link(path, other) == 0)
      }
    }
    #expect(error == .linked(path: path, names: 2))
    unlink(other)
    #expect(try sources(store) == 1)
    #expect(try store.check().isSound)
  }

  enum Fate: CaseIterable { case renamed, deleted, replaced, linkElsewhere }

  private func meet(_ fate: Fate) throws {
    switch fate {
    case .renamed: #expect(rename(path, other) == 0)
    case .deleted: #expect(unlink(path) == 0)
    case .replaced:
      try folder.write("another file", to: "new")
      #expect(rename(folder.file("new"), path) == 0)
    case .linkElsewhere:
      #expect(rename(path, other) == 0)
      try folder.write("another file", to: "new")
      #expect(symlink("new", path) == 0)
    }
  }

  @Test(arguments: Fate.allCases)
  func `a store is not written after its path leads to another file`(fate: Fate) throws {
    let store = try Store(path: path, creating: true)
    try store.add(track(1), as: "1")
    try meet(fate)
    // Nothing has read the store, so a reader would open what is at the path now.
    #expect(throws: DatabaseError.moved(path: path)) { _ = try store.forget(sources: ["1"]) }
    #expect(throws: DatabaseError.moved(path: path)) { try store.add(track(2), as: "2") }
    #expect(throws: DatabaseError.moved(path: path)) { try store.checkPlace() }
    #expect(throws: DatabaseError.moved(path: path)) { _ = try store.rebuild() }
    guard fate == .renamed || fate == .linkElsewhere else { return }
    #expect(rename(other, path) == 0)
    try store.add(track(2), as: "2")
    #expect(try sources(store) == 2)
  }

  @Test(arguments: Fate.allCases)
  func `moving a store during a transaction rolls it back`(fate: Fate) throws {
    let store = try Store(path: path, creating: true)
    try store.add(track(1), as: "1")
    let track = track(2)
    let error = #expect(throws: DatabaseError.self) {
      try store.write { session in
        let writer = try session.beginSource()
        try writer.append(track)
        _ = try writer.finish(.sample("2", of: track))
        do { try meet(fate) } catch { Issue.record(error) }
      }
    }
    #expect(error == .moved(path: path))
  }

  @Test func `a relative path stays valid after the working directory changes`() async throws {
    await #expect(processExitsWith: .success) { [folder = folder.path as String] in
      do {
        chdir(folder)
        let store = try Store(path: "s", creating: true)
        chdir("/")
        try store.write { session in try session.set(.visitGapMinutes, to: 5) }
        exit(access(folder + "/s", F_OK) == 0 ? 0 : 1)
      } catch {
        exit(2)
      }
    }
  }

  @Test(arguments: ["s", "~", "é", " ", "0"])
  func `a name of one character is a path like any other`(name: String) async throws {
    await #expect(processExitsWith: .success) {
      [folder = folder.path as String, name = name as String] in
      do {
        chdir(folder)
        let store = try Store(path: name, creating: true)
        try store.write { session in try session.set(.visitGapMinutes, to: 5) }
        try store.backup(to: name == "s" ? "b" : "s")
        exit(0)
      } catch {
        exit(2)
      }
    }
  }
}

import CSQLite
import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

@Suite struct BackupTests {
  private let folder: TemporaryFolder
  private var target: String { folder.file("backup.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  private static func track(_ seed: UInt64) -> [KeptFix] {
    var random = SplitMix64(seed: seed)
    return wanderingTrack(count: 150, homes: awkwardHomes, using: &random)
  }

  private func filledStore() throws -> Store {
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    for seed in 1...3 { try store.add(Self.track(UInt64(seed)), as: "\(seed)") }
    return store
  }

  @Test
  func `a backup equals the store, passes the check and is readable only by its owner`() throws {
    let store = try filledStore()
    var steps: [(Int, Int)] = []
    let bytes = try store.backup(to: target) { steps.append(($0, $1)) }
    let attributes = try FileManager.default.attributesOfItem(atPath: target)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(attributes[.size] as? Int == bytes)
    #expect(steps.last.map { $0 == $1 && $0 > 10 } == true)
    #expect(zip(steps, steps.dropFirst()).allSatisfy { $0.0 <= $1.0 })
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
        $0.hasPrefix("backup")
      }.count
        == 1)
    let copy = try Store(path: target, creating: false)
    try #expect(StoreContents(copy) == StoreContents(store))
    #expect(try copy.check().isSound)
    // The copy can be used like any other store.
    for store in [store, copy] { try store.add(Self.track(9), as: "9") }
    try #expect(StoreContents(copy) == StoreContents(store))
  }

  @Test
  func `a backup does not overwrite an existing file unless replacing it is allowed`() throws {
    let store = try filledStore()
    try folder.write("mine", to: "backup.sqlite")
    #expect(throws: DatabaseError.self) { try store.backup(to: target) }
    #expect(try String(contentsOfFile: target, encoding: .utf8) == "mine")
    try store.backup(to: target, replacing: true)
    #expect(try Store(path: target, creating: false).check().isSound)
  }

  @Test func `a backup does not replace a database that is open, even if its log is empty`()
    throws
  {
    let store = try filledStore()
    let old = try Store(path: target, creating: true)
    try old.add(Self.track(9), as: "9")
    let before = try StoreContents(old)
    for isLogEmpty in [false, true] {
      if isLogEmpty {
        try old.checkpoint()
        let size = try FileManager.default.attributesOfItem(atPath: target + "-wal")[.size]
        #expect(size as? Int == 0)
      }
      let error = #expect(throws: DatabaseError.self) {
        try store.backup(to: target, replacing: true)
      }
      #expect(error?.description.contains("has the existing database open") == true)
      // The open database keeps working and loses nothing.
      try #expect(StoreContents(old) == before)
      #expect(try old.check().isSound)
    }
    #expect(try names().contains { $0.hasPrefix("backup.sqlite.") } == false)
  }

  @Test func `a backup replaces a closed database and leaves no other files`() throws {
    let store = try filledStore()
    for mode in ["wal", "delete"] {
      try? FileManager.default.removeItem(atPath: target)
      do {
        let old = try Connection(path: target, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
        _ = try old.text("PRAGMA journal_mode = \(mode)")
        try old.execute("CREATE TABLE t (x); INSERT INTO t VALUES (zeroblob(100000))")
      }
      try store.backup(to: target, replacing: true)
      #expect(try names().filter { $0.hasPrefix("backup") } == ["backup.sqlite"])
      let copy = try Store(path: target, creating: false)
      try #expect(StoreContents(copy) == StoreContents(store))
      #expect(try copy.check().isSound)
    }
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `a backup to an impossible path fails and changes nothing`() throws {
    let store = try filledStore()
    let before = try StoreContents(store)
    try folder.write("a log", to: "busy.sqlite-wal")
    for (path, word) in [
      (store.path, "store itself"), (folder.path, "a folder"),
      (folder.file("no/where"), "No such file"),
      ("", "empty"), (folder.file("busy.sqlite"), "busy.sqlite-wal exists"),
      ("/dev/null", "not a file"),
    ] {
      for isReplacing in [false, true] {
        let error = #expect(throws: DatabaseError.self) {
          try store.backup(to: path, replacing: isReplacing)
        }
        #expect(error?.description.contains(word) == true, "\(path): \(error?.description ?? "")")
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names) == ["s.sqlite", "s.sqlite-wal", "s.sqlite-shm", "busy.sqlite-wal"])
    try #expect(StoreContents(store) == before)
  }

  @Test func `a log file next to the target of a symbolic link also prevents a backup`() throws {
    let store = try filledStore()
    for name in ["real.sqlite", "real.sqlite-wal"] { try folder.write("theirs", to: name) }
    let link = folder.file("link.sqlite")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "real.sqlite")
    let error = #expect(throws: DatabaseError.self) { try store.backup(to: link, replacing: true) }
    #expect(error?.description.contains("real.sqlite-wal exists") == true)
  }

  @Test func `backups during imports are consistent and do not restart`()
    async throws
  {
    let store = try filledStore()
    let (sources, folder) = (30, folder.path)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for seed in 4...sources { try store.add(Self.track(UInt64(seed)), as: "\(seed)") }
      }
      group.addTask {
        var (round, last) = (0, 0)
        while last < sources {
          let path = folder + "/backup-\(round).sqlite"
          var pages = 0
          try store.backup(to: path) { done, _ in
            #expect(done >= pages, "the progress of a restarted backup would decrease")
            pages = done
          }
          let copy = try Store(path: path, creating: false)
          let counts = try copy.read { snapshot in try snapshot.counts() }
          #expect(counts.keptFixes == 150 * counts.sources && counts.sources >= last)
          if round % 4 == 0 { #expect(try copy.check().isSound) }
          (round, last) = (round + 1, counts.sources)
        }
      }
      try await group.waitForAll()
    }
  }
}

import Foundation
import StoreSync
import Testing
import TestSupport

@Suite struct LocalSyncDirectoryTests {
  let folder: TemporaryFolder
  let directory: LocalSyncDirectory

  init() throws {
    folder = try TemporaryFolder()
    directory = LocalSyncDirectory(path: folder.file("Sync"))
    try directory.create()
  }

  func names(_ folder: String) throws -> [String] {
    try directory.entries(of: folder).map(\.name).sorted()
  }

  @Test func `a file is written, listed, read and removed`() throws {
    try directory.write([1, 2, 3], to: "a", in: "keys")
    #expect(try directory.read("a", in: "keys", limit: 3) == [1, 2, 3])
    let entries = try directory.entries(of: "keys")
    #expect(entries.map(\.name) == ["a"])
    #expect(entries.map(\.byteCount) == [3])
    let now = Int64(Date().timeIntervalSince1970 * 1000)
    #expect(entries.allSatisfy { abs($0.modifiedMilliseconds - now) < 60_000 && $0.isFile })
    #expect(try names("") == ["keys"])
    #expect(try directory.entries(of: "").map(\.isFile) == [false])
    try directory.remove("a", in: "keys")
    try directory.remove("a", in: "keys")
    try directory.remove("a", in: "nothing")
    #expect(try names("keys").isEmpty)
  }

  @Test func `a file is never replaced, and the same bytes count as written`() throws {
    try directory.write([1, 2], to: "a", in: "keys")
    try directory.write([1, 2], to: "a", in: "keys")
    for other: [UInt8] in [[1, 3], [1], [1, 2, 3], []] {
      #expect(throws: SyncDirectoryError.exists(path: folder.file("Sync/keys/a"))) {
        try directory.write(other, to: "a", in: "keys")
      }
    }
    #expect(try directory.read("a", in: "keys", limit: 9) == [1, 2])
    #expect(try names("keys") == ["a"], "nothing is left of the attempts")
  }

  @Test func `the text for people is written once, and another one is kept`() throws {
    try directory.writeAbout()
    try directory.writeAbout()
    let name = FoundName.about
    let text = try directory.read(name, in: "", limit: 10_000)
    #expect(String(decoding: text, as: UTF8.self).contains("Roqua"))
    try directory.remove(name, in: "")
    try directory.write([1], to: name, in: "")
    try directory.writeAbout()
    #expect(try directory.read(name, in: "", limit: 10_000) == [1])
    #expect(try directory.listing().unknown.isEmpty)
  }

  @Test func `a renamed copy is read by its own name`() throws {
    let path = SyncPath.backup(FileName(number: 1))
    try directory.write([1], to: path)
    try directory.write([2], to: "0000000000000001 2.age", in: "backups")
    #expect(try directory.read(path) == [1])
    #expect(try directory.read(path, name: "0000000000000001 2.age") == [2])
  }

  @Test func `a missing sync folder is not an empty one, but a missing folder in it is`() throws {
    #expect(try directory.entries(of: "sources").isEmpty)
    let path = folder.file("Stick")
    let missing = LocalSyncDirectory(path: path)
    #expect(throws: SyncDirectoryError.missing(path: path)) { try missing.entries(of: "") }
    #expect(throws: SyncDirectoryError.missing(path: path)) { try missing.entries(of: "sources") }
    #expect(throws: SyncDirectoryError.missing(path: path)) {
      try missing.write([1], to: "a", in: "sources")
    }
    #expect(!FileManager.default.fileExists(atPath: path), "it is not created by writing")
    #expect(throws: SyncDirectoryError.missing(path: folder.file("Sync/keys/a"))) {
      try directory.read("a", in: "keys", limit: 1)
    }
  }

  @Test func `a file that is too large is not read`() throws {
    try directory.write([1, 2, 3], to: "a", in: "keys")
    let path = folder.file("Sync/keys/a")
    #expect(throws: SyncDirectoryError.tooLarge(path: path, limit: 2)) {
      try directory.read("a", in: "keys", limit: 2)
    }
  }

  @Test func `links, pipes and folders are neither read nor written through`() throws {
    try folder.write("secret", to: "secret")
    try directory.write([1], to: "a", in: "keys")
    let keys = folder.file("Sync/keys")
    try FileManager.default.createSymbolicLink(
      atPath: keys + "/link", withDestinationPath: folder.file("secret"))
    #expect(mkfifo(keys + "/pipe", 0o600) == 0)
    try FileManager.default.createDirectory(
      atPath: keys + "/folder", withIntermediateDirectories: false)
    for name in ["link", "pipe", "folder"] {
      #expect(throws: SyncDirectoryError.notAFile(path: "\(keys)/\(name)")) {
        try directory.read(name, in: "keys", limit: 100)
      }
      #expect(throws: SyncDirectoryError.exists(path: "\(keys)/\(name)")) {
        try directory.write([2], to: name, in: "keys")
      }
    }
    #expect(try directory.entries(of: "keys").filter(\.isFile).map(\.name) == ["a"])
    // A folder that is a link leads nowhere.
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("Sync/sources"), withDestinationPath: folder.path)
    #expect(throws: SyncDirectoryError.notAFile(path: folder.file("Sync/sources"))) {
      try directory.entries(of: "sources")
    }
    #expect(throws: SyncDirectoryError.notAFile(path: folder.file("Sync/sources"))) {
      try directory.write([2], to: "b", in: "sources")
    }
    #expect(!FileManager.default.fileExists(atPath: folder.file("b")))
  }

  #if os(Linux)  // other systems refuse such names
    @Test func `a name that is not UTF-8 is listed as no file`() throws {
      try directory.write([1], to: "a", in: "keys")
      let path = Array((folder.file("Sync/keys/") + "x").utf8).map { CChar(bitPattern: $0) }
      let descriptor = open(path + [CChar(bitPattern: 0xff), 0], O_WRONLY | O_CREAT, 0o600)
      #expect(descriptor >= 0)
      close(descriptor)
      #expect(
        try directory.entries(of: "keys").map(\.isFile).sorted { !$0 && $1 } == [false, true])
    }
  #endif

  @Test func `a failed write says which file, and leaves nothing`() throws {
    try directory.write([1], to: "a", in: "keys")
    let name = String(repeating: "n", count: 300)
    #expect(throws: SyncDirectoryError.self) { try directory.write([1], to: name, in: "keys") }
    do throws(SyncDirectoryError) {
      try directory.write([1], to: name, in: "keys")
    } catch {
      #expect(error.description.hasPrefix(folder.file("Sync/keys/n")))
    }
    #expect(try names("keys") == ["a"])
    // The folder's name is taken by a file.
    try folder.write("x", to: "Sync/sources")
    #expect(throws: SyncDirectoryError.notAFile(path: folder.file("Sync/sources"))) {
      try directory.write([1], to: "a", in: "sources")
    }
  }

  @Test func `the folder in memory behaves like the one on disk`() throws {
    var random = SplitMix64(seed: 11)
    let memory = MemorySyncDirectory()
    for _ in 0..<400 {
      let name = ["a", "b", "c"].randomElement(using: &random) ?? "a"
      let part = ["keys", "sources"].randomElement(using: &random) ?? "keys"
      let bytes = [UInt8](repeating: 7, count: .random(in: 0...2, using: &random))
      let limit = Int.random(in: 0...2, using: &random)
      func outcome(_ directory: some SyncDirectory, _ operation: Int) -> String {
        do throws(SyncDirectoryError) {
          switch operation {
          case 0:
            try directory.write(bytes, to: name, in: part)
            return "written"
          case 1: return "\(try directory.read(name, in: part, limit: limit))"
          case 2:
            try directory.remove(name, in: part)
            return "removed"
          default:
            let entries = try directory.entries(of: part).map { "\($0.name) \($0.byteCount)" }
            return "\(entries.sorted())"
          }
        } catch {
          switch error {
          case .missing: return "missing"
          case .exists: return "exists"
          case .tooLarge: return "too large"
          default: return "\(error)"
          }
        }
      }
      let operation = Int.random(in: 0...3, using: &random)
      #expect(outcome(memory, operation) == outcome(directory, operation))
    }
  }

  @Test func `the folder in memory fails when it should`() throws {
    let memory = MemorySyncDirectory(seed: 1)
    memory.faults.operationsUntilFailure = 1
    try memory.write([1], to: "a", in: "keys")
    #expect(throws: SyncDirectoryError.self) { try memory.write([1], to: "b", in: "keys") }
    try memory.write([1], to: "b", in: "keys")
    memory.faults.operationsUntilKill = 0
    #expect(throws: SyncDirectoryError.self) { try memory.write([1, 2], to: "c", in: "keys") }
    #expect(throws: SyncDirectoryError.self) { try memory.entries(of: "keys") }
    memory.faults = .init()
    #expect(try memory.listing().partials.count == 1)
    memory.faults.lostWrites = 1
    try memory.write([1], to: "d", in: "keys")
    #expect(memory.files[.init(folder: "keys", name: "d")] == nil)
    memory.faults.isMissing = true
    #expect(throws: SyncDirectoryError.self) { try memory.listing() }
  }

  @Test(arguments: Seeds.sample(20))
  func `what a cloud carries arrives everywhere in the end`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let replicas = (0..<3).map { MemorySyncDirectory(seed: $0) }
    var cloud = MemoryCloud(replicas: replicas)
    var written: Set<SyncPath> = []
    for number in 1...10 as ClosedRange<UInt64> {
      let path = SyncPath.key(number: number, FileName(number: number))
      try replicas.randomElement(using: &random)?.write(
        [UInt8](repeating: 1, count: 1100), to: path)
      written.insert(path)
      cloud.carry(using: &random)
      for replica in replicas {
        let listing = try replica.listing()
        #expect(Set(listing.keys).isSubset(of: written))
        #expect(Set(listing.awaited.keys).isSubset(of: written))
        #expect(listing.unknown.isEmpty)
      }
    }
    cloud.settle()
    for replica in replicas {
      let listing = try replica.listing()
      #expect(Set(listing.keys) == written)
      #expect(listing.awaited.isEmpty)
      #expect(listing.keys.allSatisfy { listing.files[$0]?[0].byteCount == 1100 })
    }
  }
}

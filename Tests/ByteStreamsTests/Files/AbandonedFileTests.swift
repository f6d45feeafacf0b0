import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ByteStreams

/// Files left by killed processes, and files that must not be mistaken for them.
@Suite struct AbandonedFileTests {
  private func names(_ folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private func write(_ bytes: [UInt8], to path: String, replacing isReplacing: Bool) throws {
    let file = try OutputFile(path: path, replacing: isReplacing)
    #expect(file.write(bytes))
    try file.finish()
  }

  @Test
  func `the next output removes the partial file of a killed process, and nothing else`()
    async throws
  {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.file("a") as String] in
      let file = try OutputFile(path: path, replacing: false)
      guard file.write([1, 2, 3]) else { exit(3) }
      kill(getpid(), SIGKILL)
      sleep(30)
      withExtendedLifetime(file) {}
    }
    let left = try #require(try names(folder).first)
    #expect(try names(folder).count == 1 && left.hasPrefix("a.roqua-"))
    // SQLite's journal of a copy, the file of another output, and a user's files: one that others
    // may read, and one with a longer name.
    for other in [
      left + "-journal", "b.roqua-abcdef.partial", "a.roqua-abcdefg.partial", "a.roqua-abcdef",
    ] {
      try folder.write("x", to: other)
      chmod(folder.file(other), 0o600)
    }
    try folder.write("x", to: "a.roqua-public.partial")
    chmod(folder.file("a.roqua-public.partial"), 0o644)
    try write([4], to: folder.file("a"), replacing: false)
    #expect(
      try names(folder) == [
        "a", "a.roqua-abcdef", "a.roqua-abcdefg.partial", "a.roqua-public.partial",
        "b.roqua-abcdef.partial",
      ])
  }

  @Test func `temporary folders that are made at once do not remove each other`() {
    let failures = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: 500) { _ in
      do { _ = try SpoolFile(kind: "roqua-at-once") } catch { failures.withLock { $0 += 1 } }
    }
    #expect(failures.withLock { $0 } == 0)
  }

  @Test func `an output that another process is writing is left alone`() throws {
    let folder = try TemporaryFolder()
    let first = try OutputFile(path: folder.file("a"), replacing: false)
    #expect(first.write([1]))
    try write([2], to: folder.file("a"), replacing: false)
    #expect(try names(folder).count == 2)
    // The path is taken now.
    #expect(throws: OutputFailure.exists(path: folder.file("a"))) { try first.finish() }
    #expect(try FilePath(folder.file("a")).contents() == [2])
  }

  @Test func `a partial name left after the rename is removed later`() throws {
    let folder = try TemporaryFolder()
    try folder.write([1], to: "a.roqua-abcdef.partial")
    chmod(folder.file("a.roqua-abcdef.partial"), 0o600)
    #expect(link(folder.file("a.roqua-abcdef.partial"), folder.file("a")) == 0)
    #expect(throws: OutputFailure.exists(path: folder.file("a"))) {
      try write([2], to: folder.file("a"), replacing: false)
    }
    #expect(try names(folder) == ["a"])
    // Additional names of any other file belong to a user.
    #expect(link(folder.file("a"), folder.file("a.roqua-ghijkl.partial")) == 0)
    try write([3], to: folder.file("b"), replacing: false)
    #expect(link(folder.file("b"), folder.file("c.roqua-ghijkl.partial")) == 0)
    try write([4], to: folder.file("c"), replacing: false)
    #expect(try names(folder).contains("c.roqua-ghijkl.partial"))
  }

  @Test func `a name of 255 bytes can be written`() throws {
    let folder = try TemporaryFolder()
    let name = String(repeating: "ü", count: 127) + "a"
    #expect(name.utf8.count == 255)
    for _ in 0..<2 { try write([1], to: folder.file(name), replacing: true) }
    #expect(try names(folder) == [name])
  }

  @Test
  func `an output replaces a file only on request, and never a protected one`()
    throws
  {
    let folder = try TemporaryFolder()
    let kept = try folder.write([7], to: "kept")
    try folder.write([8], to: "other")
    #expect(link(kept, folder.file("hard")) == 0 && symlink("kept", folder.file("soft")) == 0)
    let identity = try #require(FileIdentity(path: kept))
    for name in ["kept", "hard", "soft", "../\(FilePath(folder.path).name)/kept"] {
      for isReplacing in [false, true] {
        #expect(
          throws: OutputFailure.failed(FileFailure(path: folder.file(name), reason: "it is mine"))
        ) {
          _ = try OutputFile(
            path: folder.file(name), replacing: isReplacing, keeping: [identity: "mine"])
        }
      }
    }
    #expect(throws: OutputFailure.exists(path: folder.file("other"))) {
      _ = try OutputFile(path: folder.file("other"), replacing: false)
    }
    #expect(try FilePath(kept).contents() == [7])
    #expect(try FilePath(folder.file("other")).contents() == [8])
    #expect(try names(folder) == ["hard", "kept", "other", "soft"])
  }

  @Test func `the next temporary folder removes that of a killed process`()
    async throws
  {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.path as String] in
      setenv("TMPDIR", path, 1)
      let scratch = try ScratchFolder(kind: "kind", for: ["one", "two"])
      try FilePath(scratch.path + "/one").write { [] }
      kill(getpid(), SIGKILL)
      sleep(30)
      withExtendedLifetime(scratch) {}
    }
    let left = try #require(try names(folder).first)
    #expect(try names(folder).count == 1 && left.hasPrefix("kind-"))
    try folder.write("x", to: "kind-file1")
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      setenv("TMPDIR", path, 1)
      do {
        let scratch = try ScratchFolder(kind: "kind", for: ["one", "two"])
        // Folders of running processes are left alone.
        let other = try ScratchFolder(kind: "kind", for: ["one", "two"])
        guard access(scratch.path, F_OK) == 0, access(other.path, F_OK) == 0,
          scratch.path != other.path
        else {
          exit(1)
        }
        try FilePath(scratch.path + "/two").write { [] }
      } catch {
        exit(2)
      }
      exit(0)
    }
    #expect(try names(folder).filter { $0.hasPrefix("kind-") && $0 != "kind-file1" }.isEmpty)
  }
}

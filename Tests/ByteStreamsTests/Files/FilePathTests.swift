import Foundation
import TestSupport
import Testing

@testable import ByteStreams

@Suite struct FilePathTests {
  @Test(arguments: [
    ("a", "a", "."), ("~", "~", "."), ("é", "é", "."), (" ", " ", "."), ("", "", "."),
    (".", ".", "."),
    ("..", "..", "."), ("/", "", "/"), ("//", "", "/"), ("/a", "a", "/"), ("//a", "a", "/"),
    ("a/", "a", "."), ("a//", "a", "."), ("a/b", "b", "a"), ("a/b/", "b", "a"), ("a//b", "b", "a"),
    ("/a/b", "b", "/a"), ("../a", "a", ".."), ("./~", "~", "."), ("ä/ö", "ö", "ä"),
  ])
  func `names and folders equal those of dirname and basename`(
    text: String, name: String, folder: String
  ) {
    #expect(FilePath(text).name == name)
    #expect(FilePath(text).folder == folder)
  }

  /// Uses the POSIX commands as the oracle. `basename /` is `/`, which is not a name in a folder.
  @Test(arguments: Seeds.sample(40))
  func `random paths are split as by dirname and basename`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 1...6, using: &random)
    let text = (0..<count).map { _ in
      ["a", "/", ".", "b c", "~"].randomElement(using: &random) ?? "a"
    }
    .joined()
    func said(_ command: String) throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = [command, "--", text]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      return String(decoding: data.dropLast(), as: UTF8.self)
    }
    #expect(try said("dirname") == FilePath(text).folder, "\(text)")
    let name = try said("basename")
    #expect((name == "/" ? "" : name) == FilePath(text).name, "\(text)")
  }

  @Test func `a name is joined to a folder with one slash`() {
    #expect(FilePath("").appending("a") == "a")
    #expect(FilePath("/").appending("a") == "/a")
    #expect(FilePath("b").appending("a") == "b/a")
    #expect(FilePath("b/").appending("a") == "b/a")
  }

  @Test func `folders are private to their owner with any umask`() async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .success) { [path = folder.path as String] in
      umask(0)
      let (made, code) = FilePath(path + "/a/b/c").makeFolders()
      guard code == 0, made == [path + "/a", path + "/a/b", path + "/a/b/c"] else { exit(1) }
      for folder in made {
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & 0o777 == 0o700 else { exit(2) }
      }
      guard FilePath(path + "/a/b/c").makeFolders() == ([], 0) else { exit(3) }
      chdir(path)
      guard FilePath("d").makeFolders() == (["d"], 0), FilePath(".").makeFolders() == ([], 0) else {
        exit(4)
      }
      exit(0)
    }
    try folder.write("a file", to: "f")
    #expect(FilePath(folder.file("f/g")).makeFolders().error == ENOTDIR)
    #expect(FilePath(folder.file("f")).makeFolders().error == ENOTDIR)
    #expect(FilePath("").makeFolders().error == ENOENT)
  }

  @Test func `a file is read completely, and a failure has the system's reason`() throws {
    let folder = try TemporaryFolder()
    let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    #expect(try FilePath(folder.write(bytes, to: "a")).contents() == bytes)
    let failure = #expect(throws: FileFailure.self) { try FilePath(folder.file("none")).contents() }
    #expect(failure?.reason == "No such file or directory")
    #expect(throws: FileFailure.self) { try FilePath(folder.path).contents() }
  }

  @Test func `a full disk has the words of a database for it`() {
    for code in [ENOSPC, EDQUOT] {
      #expect(FileFailure(path: "a", code: code).reason == "the disk is full")
    }
    #expect(FileFailure(path: "a", code: EFBIG).reason == String(cString: strerror(EFBIG)))
  }
}

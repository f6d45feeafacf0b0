#if Sync || canImport(CryptoKit)
  import Foundation
  import TestSupport
  import Testing

  @testable import AgeFile

  /// Files exchanged with the program `age`, in both directions.
  @Suite struct InteroperabilityTests {
    private static let sizes = [0, 1, 65_535, 65_536, 65_537, 131_072, 5_000_000]

    @Test(arguments: sizes)
    func `age reads what Roqua writes`(size: Int) throws {
      let folder = try TemporaryFolder()
      let identities = try (0..<3).map { _ in try AgeIdentity.generate() }
      let bytes = [UInt8].random(size, seed: 11)
      let path = try folder.write(
        Age.encrypt(bytes, to: identities.map(\.recipient)), to: "file.age")
      for identity in identities {
        let key = try folder.write(identity.secretText + "\n", to: "key.txt")
        try Self.run("age", ["-d", "-i", key, "-o", folder.file("read"), path])
        // age makes no file for an empty one.
        if size > 0 { #expect(try Self.contents(folder.file("read")) == bytes) }
      }
    }

    @Test(arguments: sizes)
    func `Roqua reads what age writes`(size: Int) throws {
      let folder = try TemporaryFolder()
      let bytes = [UInt8].random(size, seed: 12)
      let path = try folder.write(bytes, to: "plain")
      try Self.run("age-keygen", ["-o", folder.file("key.txt")])
      let lines = try String(contentsOfFile: folder.file("key.txt"), encoding: .utf8)
        .split(separator: "\n")
      let identity = try AgeIdentity(String(#require(lines.last)))
      // age-keygen names the recipient in a comment.
      #expect(lines.contains { $0.hasSuffix(identity.recipient.text) })
      let other = try AgeIdentity.generate()
      try Self.run(
        "age",
        [
          "-r", other.recipient.text, "-r", identity.recipient.text, "-o", folder.file("file.age"),
          path,
        ])
      let file = try Self.contents(folder.file("file.age"))
      #expect(try Age.decrypt(file, with: [identity]) == bytes)
      #expect(try Age.decrypt(file, with: [other]) == bytes)
    }

    @Test func `a file that age wrote as text is recognized`() throws {
      let folder = try TemporaryFolder()
      let identity = try AgeIdentity.generate()
      let path = try folder.write("explored", to: "plain")
      try Self.run("age", ["-a", "-r", identity.recipient.text, "-o", folder.file("text"), path])
      let file = try Self.contents(folder.file("text"))
      #expect(throws: AgeError.armored) { try Age.decrypt(file, with: [identity]) }
    }

    private static func contents(_ path: String) throws -> [UInt8] {
      try Array(Data(contentsOf: URL(fileURLWithPath: path)))
    }

    /// Runs a program to its end.
    private static func run(_ program: String, _ arguments: [String]) throws {
      let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      let paths = (folders.map(String.init) + ["/usr/bin", "/opt/homebrew/bin"]).map {
        "\($0)/\(program)"
      }
      let path = try #require(
        paths.first { FileManager.default.isExecutableFile(atPath: $0) },
        "\(program) is missing: run scripts/install-dependencies")
      let process = Process()
      process.executableURL = URL(fileURLWithPath: path)
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      try #require(process.terminationStatus == 0, "\(program) \(arguments)")
    }
  }
#endif

import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A separate folder for one test, with a path for a store, and the tool to use on both.
final class Bench {
  let folder: TemporaryFolder
  /// The path of the store that the tool uses by default. At first there is no store.
  var storePath: String { folder.file("home/store.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// A process of the tool in the folder, isolated from the user's environment.
  func process(_ arguments: [String], environment: [String: String] = [:]) -> RoquaProcess {
    var variables = [
      "HOME": folder.file("home"), "XDG_DATA_HOME": folder.file("home/data"),
      "ROQUA_STORE": storePath,
      "PATH": "/usr/bin:/bin", "LLVM_PROFILE_FILE": folder.file("profile"),
    ]
    // The path of the Swift runtime, if it is in an unusual place.
    variables["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    variables.merge(environment) { $1 }
    return RoquaProcess(
      arguments: arguments, environment: variables.filter { !$0.value.isEmpty }, folder: folder.path
    )
  }

  /// Runs the tool.
  func roqua(
    _ arguments: String..., input: String? = nil, environment: [String: String] = [:]
  ) throws -> RoquaResult {
    try roqua(arguments, input: input, environment: environment)
  }

  /// Runs the tool.
  func roqua(
    _ arguments: [String], input: String? = nil, environment: [String: String] = [:]
  ) throws -> RoquaResult {
    var process = process(arguments, environment: environment)
    if let input {
      let path = try folder.write(input, to: "input-\(UUID().uuidString)")
      let file = try #require(FileHandle(forReadingAtPath: path))
      process.input = file
      unlink(path)
    }
    return try process.run()
  }

  /// Runs the tool with standard output on a terminal, which holds at most 4 KB. Its lines end with
  /// CR and LF.
  func roquaOnTerminal(_ arguments: String...) throws -> RoquaResult {
    try roquaOnTerminal(arguments)
  }

  /// Runs the tool with standard output on a terminal.
  func roquaOnTerminal(_ arguments: [String]) throws -> RoquaResult {
    #if canImport(Darwin)
      let terminal = posix_openpt(O_RDWR | O_NOCTTY)
      defer { close(terminal) }
      try #require(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0)
      let name = String(cString: try #require(ptsname(terminal)))
    #else
      let terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      defer { close(terminal) }
      // ioctl_tty(2): TIOCSPTLCK unlocks, TIOCGPTN returns the number. The Glibc module does not
      // have the functions for them.
      var (isLocked, number): (Int32, UInt32) = (0, 0)
      try #require(terminal >= 0 && ioctl(terminal, 0x4004_5431, &isLocked) == 0)
      try #require(ioctl(terminal, 0x8004_5430, &number) == 0)
      let name = "/dev/pts/\(number)"
    #endif
    // What the tool wrote can be read as long as somebody has the other side open.
    let other = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(other >= 0)
    defer { close(other) }
    var process = process(arguments)
    process.wrapper = ["/bin/sh", "-c", "exec \"$0\" \"$@\" > \(name)"]
    let result = try process.run()
    _ = fcntl(terminal, F_SETFL, O_NONBLOCK)
    var output = Data()
    var block = [UInt8](repeating: 0, count: 1 << 13)
    while case let count = read(terminal, &block, block.count), count > 0 {
      output += block[..<count]
    }
    return RoquaResult(
      status: result.status, wasKilled: result.wasKilled, standardOutput: output,
      standardError: result.standardError)
  }

  /// Runs the tool with `--json` and expects one document on standard output and, on success,
  /// nothing on standard error.
  func json(
    _ arguments: String..., status: Int32 = 0, input: String? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> JSONTree {
    let result = try roqua(arguments + ["--json"], input: input)
    #expect(result.status == status, "\(result.err)", sourceLocation: sourceLocation)
    if status == 0 { #expect(result.err == "", sourceLocation: sourceLocation) }
    // One line: no second document and no other text.
    #expect(result.out.split(separator: "\n").count == 1, sourceLocation: sourceLocation)
    _ = try JSONSerialization.jsonObject(with: result.standardOutput)
    return try JSONTree(parsing: result.out)
  }

  /// Whether there is a file at the store's path.
  var hasStore: Bool { FileManager.default.fileExists(atPath: storePath) }

  /// Imports two sample tracks: Strasbourg to Kehl on 14 September 2024, and across ±180° in Fiji
  /// on 19 March 2024.
  func importSamples() throws {
    for name in ["2024-09-14-strasbourg-kehl.gpx", "2024-03-20-taveuni-boat.gpx"] {
      let result = try roqua("import", PackageFolder.sample(name))
      try #require(result.status == 0, "\(result.err)")
    }
  }
}

/// The bytes of a file.
func bytes(of path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

extension RoquaResult {
  /// Characters that control a terminal: control characters except line ends, DEL, and C1 in UTF-8.
  var controlCharacters: [UInt32] {
    (out + err).unicodeScalars.map(\.value).filter {
      ($0 < 0x20 && $0 != 0x0A) || (0x7F...0x9F).contains($0)
    }
  }
}

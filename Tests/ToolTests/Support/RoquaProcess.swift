import Foundation
import Testing

/// What a run of the tool came to.
struct RoquaResult {
  /// The exit status, or the signal's number where a signal ended it.
  let status: Int32
  /// Whether a signal ended it.
  let wasKilled: Bool
  let standardOutput: Data
  let standardError: Data

  var out: String { String(decoding: standardOutput, as: UTF8.self) }
  var err: String { String(decoding: standardError, as: UTF8.self) }
  /// The lines on standard error.
  var errorLines: [String] { err.split(separator: "\n").map(String.init) }
}

/// Why the tool could not be run.
enum RoquaProcessError: Error, CustomStringConvertible {
  case notBuilt(beside: String)
  case hangs(arguments: [String], seconds: Double)

  var description: String {
    switch self {
    case .notBuilt(let path):
      "there is no executable `roqua` beside \(path): build all products, "
        + "as `swift build --build-tests` does"
    case .hangs(let arguments, let seconds):
      "roqua \(arguments.joined(separator: " ")) was still running after \(seconds) s"
    }
  }
}

/// Runs the `roqua` that was built with these tests.
struct RoquaProcess {
  var arguments: [String]
  /// Nothing of the tests' own environment is passed on but this.
  var environment: [String: String]
  var folder: String
  /// A command that runs the tool, which is its last argument but for the tool's own.
  var wrapper: [String] = []
  /// Whether the wrapper runs alone, with the arguments.
  var isToolLeftOut = false
  /// A file to be read as standard input; nil for none.
  var input: FileHandle?
  /// Where standard error goes in place of the result; nil for the result.
  var errorOutput: FileHandle?
  /// A run of these tests takes a second or two; a machine that builds at the same time takes
  /// longer.
  var timeoutSeconds = 120.0

  /// Runs it to its end.
  func run() throws -> RoquaResult {
    let running = try start()
    guard running.wait(seconds: timeoutSeconds) else {
      running.kill()
      _ = running.wait(seconds: 10)
      throw RoquaProcessError.hangs(arguments: arguments, seconds: timeoutSeconds)
    }
    return try running.result()
  }

  /// Starts it. Its output goes to files, so that however much there is, nobody waits for a reader.
  func start() throws -> RunningRoqua {
    let process = Process()
    let command = try wrapper + (isToolLeftOut ? [] : [Self.executable.get()]) + arguments
    process.executableURL = URL(fileURLWithPath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = environment
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let output = try Self.emptyFile()
    let error = try Self.emptyFile()
    process.standardInput = input ?? FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errorOutput ?? error
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    // The threads that tests run on block all signals, and a process would inherit that.
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
    return RunningRoqua(process: process, output: output, error: error, ended: ended)
  }

  /// A file without a name: gone when it is closed.
  private static func emptyFile() throws -> FileHandle {
    let path = NSTemporaryDirectory() + "/roqua-output-" + UUID().uuidString
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0, "\(path) cannot be made")
    unlink(path)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The tool beside the running test bundle.
  static let executable: Result<String, RoquaProcessError> = {
    let bundle = testBundlePath()
    var folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
    // On macOS the tests are some folders deep inside a bundle, on Linux the executable is the
    // bundle.
    for _ in 0..<5 {
      let candidate = folder.appendingPathComponent("roqua").path
      var isFolder: ObjCBool = false
      if FileManager.default.fileExists(atPath: candidate, isDirectory: &isFolder),
        !isFolder.boolValue,
        FileManager.default.isExecutableFile(atPath: candidate)
      {
        return .success(candidate)
      }
      folder.deleteLastPathComponent()
    }
    return .failure(.notBuilt(beside: bundle))
  }()

  /// The file that holds this code.
  private static func testBundlePath() -> String {
    #if canImport(Darwin)
      var info = Dl_info()
      if dladdr(#dsohandle, &info) != 0, let name = info.dli_fname { return String(cString: name) }
    #endif
    return Bundle.main.executablePath ?? CommandLine.arguments[0]
  }
}

/// A run of the tool that may be ended before its time.
struct RunningRoqua {
  fileprivate let process: Process
  fileprivate let output: FileHandle
  fileprivate let error: FileHandle
  fileprivate let ended: DispatchSemaphore

  /// Waits for its end; false where it takes longer than that.
  func wait(seconds: Double) -> Bool { ended.wait(timeout: .now() + seconds) == .success }

  /// Ends it with a signal that it cannot catch.
  func kill() { send(SIGKILL) }

  /// The number by which the system knows it.
  var processIdentifier: Int32 { process.processIdentifier }

  /// Sends it a signal.
  func send(_ signal: Int32) { Foundation.kill(process.processIdentifier, signal) }

  /// What it came to, once it has ended.
  func result() throws -> RoquaResult {
    process.waitUntilExit()
    return RoquaResult(
      status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
      standardOutput: try Self.contents(output), standardError: try Self.contents(error))
  }

  private static func contents(_ file: FileHandle) throws -> Data {
    try file.seek(toOffset: 0)
    return try file.readToEnd() ?? Data()
  }
}

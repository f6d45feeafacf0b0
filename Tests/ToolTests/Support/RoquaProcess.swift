import Foundation
import Testing

/// The result of a run of the tool.
struct RoquaResult {
  /// The exit status, or the number of the signal that ended it.
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
  case notExecutable(String)
  case hangs(arguments: [String], seconds: Double)

  var description: String {
    switch self {
    case .notBuilt(let path):
      "there is no executable `roqua` next to \(path): build all products, "
        + "as `swift build --build-tests` does"
    case .notExecutable(let path):
      "ROQUA_TEST_TOOL names \(path), which is no executable"
    case .hangs(let arguments, let seconds):
      "roqua \(arguments.joined(separator: " ")) was still running after \(seconds) s"
    }
  }
}

/// Runs the `roqua` that was built from the same sources as these tests.
struct RoquaProcess {
  var arguments: [String]
  /// The complete environment: nothing of the tests' own environment is inherited.
  var environment: [String: String]
  var folder: String
  /// A command that runs the tool. The tool's path and arguments follow it.
  var wrapper: [String] = []
  /// Whether the wrapper runs alone, with the arguments.
  var isToolLeftOut = false
  /// A file to read as standard input; nil for none.
  var input: FileHandle?
  /// Where standard error goes instead of the result; nil for the result.
  var errorOutput: FileHandle?
  /// Most runs take a second or two, but a busy machine takes longer.
  var timeoutSeconds = 120.0

  /// Runs the tool and waits for its end.
  func run() throws -> RoquaResult {
    let running = try start()
    guard running.wait(seconds: timeoutSeconds) else {
      running.kill()
      _ = running.wait(seconds: 10)
      throw RoquaProcessError.hangs(arguments: arguments, seconds: timeoutSeconds)
    }
    return try running.result()
  }

  /// Starts the tool. Its output goes to files, so that it never blocks on a full pipe.
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
    // The threads that run tests block all signals, and a process would inherit that.
    var (none, before) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    try process.run()
    return RunningRoqua(process: process, output: output, error: error, ended: ended)
  }

  /// A file without a name, which disappears when it is closed.
  private static func emptyFile() throws -> FileHandle {
    let path = NSTemporaryDirectory() + "/roqua-output-" + UUID().uuidString
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0, "\(path) cannot be created")
    unlink(path)
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  /// The tool that `ROQUA_TEST_TOOL` names, as in `make test`, whose tool is built for release and
  /// starts ten times as fast; else the one next to the running test bundle.
  static let executable: Result<String, RoquaProcessError> = {
    if let named = ProcessInfo.processInfo.environment["ROQUA_TEST_TOOL"], !named.isEmpty {
      return FileManager.default.isExecutableFile(atPath: named)
        ? .success(named) : .failure(.notExecutable(named))
    }
    let bundle = testBundlePath()
    var folder = URL(fileURLWithPath: bundle).deletingLastPathComponent()
    // On macOS the tests are a few folders deep inside a bundle; on Linux the executable is the
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

  /// The file that contains this code.
  private static func testBundlePath() -> String {
    #if canImport(Darwin)
      var info = Dl_info()
      if dladdr(#dsohandle, &info) != 0, let name = info.dli_fname { return String(cString: name) }
    #endif
    return Bundle.main.executablePath ?? CommandLine.arguments[0]
  }
}

/// A run of the tool that can be stopped early.
struct RunningRoqua {
  fileprivate let process: Process
  fileprivate let output: FileHandle
  fileprivate let error: FileHandle
  fileprivate let ended: DispatchSemaphore

  /// Waits for the end of the process; returns false after the timeout.
  func wait(seconds: Double) -> Bool { ended.wait(timeout: .now() + seconds) == .success }

  /// Kills the process with a signal that it cannot catch.
  func kill() { send(SIGKILL) }

  /// What the process has written to standard output so far. Reads without moving the position,
  /// which the process shares.
  func outputSoFar() -> String {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let count = pread(output.fileDescriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// The process id.
  var processIdentifier: Int32 { process.processIdentifier }

  /// Sends a signal to the process.
  func send(_ signal: Int32) { Foundation.kill(process.processIdentifier, signal) }

  /// What the process has written so far. Its own place in the file stays as it is.
  func partialOutput() throws -> String {
    var status = stat()
    guard fstat(output.fileDescriptor, &status) == 0 else { return "" }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = pread(output.fileDescriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// The result of the run, once the process has ended.
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

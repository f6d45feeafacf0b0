import ByteStreams
import Foundation

/// Runs exiftool (https://exiftool.org), which reads and writes the metadata of photos.
struct ExifTool {
  /// What a run printed.
  struct Output {
    let standardOutput: Data
    let standardError: String
  }

  private let path: String

  /// Finds exiftool on the search path.
  ///
  /// - Throws: `Console.Failure` if it is not installed.
  init() throws {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(
      separator: ":")
    guard
      let path = folders.map({ $0 + "/exiftool" }).first(where: {
        FileManager.default.isExecutableFile(atPath: $0)
      })
    else {
      throw Console.Failure(
        "exiftool is not installed; install it, on Debian with "
          + "apt install libimage-exiftool-perl, on macOS with brew install exiftool")
    }
    self.path = path
  }

  /// Runs it with these arguments, one a line of a file, because a command line has a limit.
  ///
  /// exiftool's configuration of the user is not read, since it can change what tags mean.
  func run(_ arguments: [String]) throws -> Output {
    let (input, errors) = ("arguments", "errors")
    let folder = try ScratchFolder(kind: "roqua-photos", for: [input, errors])
    let (inputPath, errorPath) = (
      FilePath(folder.path).appending(input), FilePath(folder.path).appending(errors)
    )
    try Data((arguments.joined(separator: "\n") + "\n").utf8)
      .write(to: URL(fileURLWithPath: inputPath))
    try Data().write(to: URL(fileURLWithPath: errorPath))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = ["-config", "", "-@", inputPath]
    process.standardInput = FileHandle.nullDevice
    let output = Pipe()
    process.standardOutput = output
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: errorPath))
    do {
      try process.run()
    } catch {
      throw Console.Failure("exiftool cannot be started; check its installation")
    }
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let messages = (try? Data(contentsOf: URL(fileURLWithPath: errorPath))) ?? Data()
    return Output(
      standardOutput: bytes, standardError: String(decoding: messages, as: UTF8.self))
  }

  /// A path as an argument: no option, no comment, and no space at its start.
  static func argument(_ path: String) -> String { path.hasPrefix("/") ? path : "./" + path }
}

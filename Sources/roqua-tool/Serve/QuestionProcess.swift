import Foundation
import HomeServer

/// Answers questions by running this tool: the answer is exactly what the command prints, and a
/// question that takes long, or much memory, does not touch the server.
struct QuestionProcess: Sendable {
  /// The path of the store.
  let storePath: String

  /// The maximum number of bytes of an answer.
  private static let mostBytes = 64 << 20
  /// The time in seconds after which a question is stopped.
  private static let patience = 60
  /// As many run at the same time as the machine has processors, at most four.
  private static let queue: OperationQueue = {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = min(4, ProcessInfo.processInfo.activeProcessorCount)
    return queue
  }()

  /// Runs the command of a question.
  @Sendable func answer(
    _ question: Question
  ) async -> (status: Int32, output: [UInt8], error: String) {
    await withCheckedContinuation { continuation in
      Self.queue.addOperation { continuation.resume(returning: run(question)) }
    }
  }

  private func run(_ question: Question) -> (status: Int32, output: [UInt8], error: String) {
    let process = Process()
    process.executableURL = Self.tool
    process.arguments = question.arguments
    var environment = ProcessInfo.processInfo.environment
    environment["ROQUA_STORE"] = storePath
    process.environment = environment
    let (output, error) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (output, error)
    do {
      try process.run()
    } catch {
      return (1, [], "the question cannot be run")
    }
    let stop = DispatchWorkItem { Self.end(process) }
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.patience), execute: stop)
    // Errors are a few lines, which fit into the pipe.
    var bytes: [UInt8] = []
    while bytes.count <= Self.mostBytes,
      let piece = try? output.fileHandleForReading.read(upToCount: 1 << 16), !piece.isEmpty
    {
      bytes += piece
    }
    if bytes.count > Self.mostBytes { Self.end(process) }
    let text = (try? error.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    stop.cancel()
    guard process.terminationReason == .exit, bytes.count <= Self.mostBytes else {
      return (1, [], "the question took too long")
    }
    let sentence = QuestionError.sentence(of: String(decoding: text, as: UTF8.self))
    return (process.terminationStatus, bytes, sentence)
  }

  /// Ends a process at once. It has inherited from the server that SIGTERM is ignored.
  private static func end(_ process: Process) {
    if process.isRunning { _ = kill(process.processIdentifier, SIGKILL) }
  }

  /// This tool.
  private static var tool: URL {
    #if os(Linux)
      URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    #else
      URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    #endif
  }
}

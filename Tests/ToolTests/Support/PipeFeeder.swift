import Foundation
import Synchronization
import Testing

/// Writes into a pipe on a thread of its own, until there is no more to write or nobody reads.
final class PipeFeeder: Sendable {
  /// The end to read from.
  let output: FileHandle
  private let input: Int32
  private let written = Mutex(0)
  private let end = DispatchSemaphore(value: 0)

  /// Writes `first`, then `piece` again and again; only `first` where there is no piece.
  init(_ first: [UInt8], repeating piece: [UInt8]? = nil) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    // A child that had the writing end too would never see the end of the pipe.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    input = ends[1]
    output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    Thread { [self] in feed(first, piece) }.start()
  }

  /// Bytes that went into the pipe, once there are no more or nobody reads.
  func bytesWritten() -> Int {
    try? output.close()
    end.wait()
    return written.withLock { $0 }
  }

  private func feed(_ first: [UInt8], _ piece: [UInt8]?) {
    // A pipe that nobody reads is an error of `write` then, and no signal.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    var isRead = write(first)
    if let piece {
      let block = (0..<max(1, (1 << 18) / piece.count)).flatMap { _ in piece }
      while isRead { isRead = write(block) }
    }
    close(input)
    end.signal()
  }

  /// Writes bytes; false where nobody reads them.
  private func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Foundation.write(
          input, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
        written.withLock { $0 += count }
      }
      return true
    }
  }
}

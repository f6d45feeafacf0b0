import Foundation
import Synchronization
import TestSupport
import Testing

/// Writes into a pipe on its own thread until everything is written or the reader closes the pipe.
final class PipeFeeder: Sendable {
  /// The end to read from.
  let output: FileHandle
  private let input: Int32
  private let written = Mutex(0)
  private let end = DispatchSemaphore(value: 0)

  /// Writes `first`, then `piece` repeatedly; only `first` if there is no piece.
  init(_ first: [UInt8], repeating piece: [UInt8]? = nil) throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    // A child process that inherited the writing end would never see the end of the pipe.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    input = ends[1]
    output = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
    Thread { [self] in feed(first, piece) }.start()
  }

  /// The number of bytes written into the pipe, once everything is written or the pipe is closed.
  func bytesWritten() -> Int {
    try? output.close()
    end.wait()
    return written.withLock { $0 }
  }

  private func feed(_ first: [UInt8], _ piece: [UInt8]?) {
    NamedPipe.blockSignalOfClosedPipes()
    var isRead = write(first)
    if let piece {
      let block = (0..<max(1, (1 << 18) / piece.count)).flatMap { _ in piece }
      while isRead { isRead = write(block) }
    }
    close(input)
    end.signal()
  }

  /// Writes bytes; returns false if the reader closed the pipe.
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

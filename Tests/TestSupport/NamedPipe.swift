import Foundation

/// A named pipe, which programs read like a file.
public enum NamedPipe {
  /// The system did not create the pipe.
  public struct Failure: Error {
    /// The system's `errno`.
    public let code: Int32
  }

  /// Creates a pipe and writes pieces into it on another thread, which waits for a reader. A reader
  /// that closes the pipe early ends the writing.
  public static func feed(_ pieces: [ArraySlice<UInt8>], to path: String) throws {
    guard mkfifo(path, 0o600) == 0 else { throw Failure(code: errno) }
    Thread {
      blockSignalOfClosedPipes()
      let descriptor = open(path, O_WRONLY)
      for piece in pieces {
        guard piece.withUnsafeBytes({ write(descriptor, $0.baseAddress, $0.count) }) >= 0 else {
          break
        }
      }
      close(descriptor)
    }.start()
  }

  /// Makes writing to a closed pipe an error of `write` on this thread, instead of a signal that
  /// ends the process.
  public static func blockSignalOfClosedPipes() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }
}

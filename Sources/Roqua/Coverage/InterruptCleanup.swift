import Foundation

/// Removes a half-written file when a signal ends the program.
///
/// For a program of one's own, such as the command line tool: an app has handlers of its own, so nothing is done before
/// ``install()`` is called. A signal that nobody can catch leaves the file, whose name ends in a dot and six letters.
public enum InterruptCleanup {
  /// The path to remove, ending in 0; empty where there is none. Plain memory, since a handler may not do more than read
  /// it.
  ///
  /// `nonisolated(unsafe)`: allocated once; changed only while the signals are blocked in the thread that writes a file.
  nonisolated(unsafe) private static let pending: UnsafeMutablePointer<CChar> = {
    let bytes = UnsafeMutablePointer<CChar>.allocate(capacity: capacity)
    bytes.initialize(repeating: 0, count: capacity)
    return bytes
  }()
  private static let capacity = Int(PATH_MAX) + 1
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Handles the signals that end a program, as far as nothing else does: the half-written file goes, and then the program
  /// ends as it would have.
  public static func install() {
    _ = pending  // made now: a handler must not allocate
    for number in signals {
      let before = signal(number, SIG_IGN)
      // What was ignored, as under nohup, stays ignored.
      if before == nil {
        signal(number) { number in
          if InterruptCleanup.pending[0] != 0 { unlink(InterruptCleanup.pending) }
          signal(number, SIG_DFL)
          raise(number)
        }
      } else {
        signal(number, before)
      }
    }
  }

  /// Makes a file beside another, that its owner alone may read and write. Its descriptor is negative where that fails, as
  /// `errno` tells.
  static func makeFile(beside path: String) -> (descriptor: Int32, path: String?) {
    var template = Array((path + ".XXXXXX").utf8CString)
    return blockingSignals {
      let descriptor = mkstemp(&template)  // mode 0600
      guard descriptor >= 0 else { return (descriptor, nil) }
      if template.count <= capacity { pending.update(from: template, count: template.count) }
      return (descriptor, String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
  }

  /// Gives such a file its name; false where that fails, as `errno` tells.
  static func move(_ partialPath: String, to path: String) -> Bool {
    blockingSignals {
      guard rename(partialPath, path) == 0 else { return false }
      pending[0] = 0
      return true
    }
  }

  /// Removes such a file.
  static func remove(_ partialPath: String) {
    blockingSignals {
      unlink(partialPath)
      pending[0] = 0
    }
  }

  private static func blockingSignals<Result>(_ body: () -> Result) -> Result {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigemptyset(&blocked)
    for number in signals { sigaddset(&blocked, number) }
    pthread_sigmask(SIG_BLOCK, &blocked, &before)
    let result = body()
    let code = errno
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = code
    return result
  }
}

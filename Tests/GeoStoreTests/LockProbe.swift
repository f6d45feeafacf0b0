import Foundation

/// Reports which bytes of a file are locked, also by this process.
///
/// The system asks on behalf of an open file, not of a process (`F_OFD_GETLK`), so that the
/// locks of this process count as those of somebody else. A process loses all its locks on a file
/// when it closes any descriptor of it: keep the probe as long as those locks matter.
final class LockProbe {
  private let descriptor: CInt

  /// - Returns: `nil` when the file cannot be opened.
  init?(path: String) {
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  deinit { close(descriptor) }

  /// The locked ranges of bytes in order, or nothing where the system cannot report them.
  func ranges() -> [Range<Int>] {
    #if os(Linux)
      let command: CInt = 36  // F_OFD_GETLK of <fcntl.h>, which Glibc's module map does not show.
      var found: [Range<Int>] = []
      // The answer is the first range that conflicts, so the next question begins after it.
      while true {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = found.last?.upperBound ?? 0
        guard fcntl(descriptor, command, &lock) == 0, lock.l_type != Int16(F_UNLCK) else {
          return found
        }
        if lock.l_len == 0 { return found + [lock.l_start..<Int.max] }
        found.append(lock.l_start..<lock.l_start + lock.l_len)
      }
    #else
      return []
    #endif
  }
}

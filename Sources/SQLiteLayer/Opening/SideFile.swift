import Foundation

/// A log next to a database, opened for reading. SQLite holds no locks on logs, so closing one
/// releases none.
package final class SideFile {
  private let descriptor: Int32

  /// Opens a log; nil if there is none, or it cannot be read.
  package init?(path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Returns `count` bytes from `offset` on; nil if the file ends before.
  package func bytes(at offset: Int, count: Int) -> [UInt8]? {
    let bytes = someBytes(at: offset, count: count)
    return bytes.count == count ? bytes : nil
  }

  /// Returns at most `count` bytes from `offset` on; fewer if the file ends before.
  ///
  /// Sound: only the bytes that `pread` has written count as initialized.
  package func someBytes(at offset: Int, count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var filled = 0
      while filled < count {
        // Sound: `filled` is below `count`, and `pread` writes at most the rest of the buffer.
        let read = pread(
          descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(offset + filled)
        )
        if read < 0, errno == EINTR { continue }
        guard read > 0 else { break }
        filled += read
      }
      initialized = filled
    }
  }
}

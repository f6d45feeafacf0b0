import ByteStreams
import Foundation

/// An open file that this process alone has locked (`flock`), until it ends or this object does.
final class HeldFile {
  /// The number of its bytes when it was opened.
  let byteCount: Int
  private let descriptor: Int32
  private let path: String

  /// Opens and locks a file; nil if it does not exist. On a file system without such locks, others
  /// are not kept out.
  ///
  /// - Throws: ``LockError/inUse(path:)`` of the store if another process has the lock.
  convenience init?(path: String, ofStore store: String) throws(LockError) {
    try self.init(reading: path)
    if FileLock.take(descriptor) == EWOULDBLOCK { throw .inUse(path: store) }
  }

  /// Opens a file without locking it; nil if it does not exist.
  init?(reading path: String) throws(LockError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    var status = stat()
    guard descriptor >= 0 else {
      byteCount = 0
      if errno == ENOENT { return nil }
      throw LockError(FileFailure(path: path, code: errno))
    }
    byteCount = fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .unsuitable(path: path, reason: "it is not a file")
    }
  }

  deinit { if descriptor >= 0 { FileLock.release(descriptor) } }

  /// Whether the path still names this file.
  var isAtItsPath: Bool { FileIdentity(descriptor: descriptor) == FileIdentity(path: path) }

  /// Lets what was written to disk be read from there, and not from the system's memory. Does
  /// nothing where the system has no such call.
  func forgetCached() {
    #if os(Linux)
      _ = posix_fadvise(descriptor, 0, 0, Int32(POSIX_FADV_DONTNEED))
    #endif
  }

  /// Reads the whole file in pieces, each valid during the call.
  func read(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    // Sound: `pread` writes at most `buffer.count` bytes, and the buffer is freed at the end.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { buffer.deallocate() }
    var offset = 0
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw LockError(FileFailure(path: path, code: errno)) }
      if count == 0 { return }
      offset += count
      try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
  }
}

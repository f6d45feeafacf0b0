import ByteStreams
import Foundation

/// A lock of a file or folder between processes (`flock`). It ends with its object, or with the
/// process.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Why there is no lock.
  enum Failure: Error, Hashable {
    /// Another process has it.
    case taken
    /// The file or folder is missing.
    case missing
    /// The system refuses, for this reason.
    case failed(reason: String)
  }

  /// Locks a folder that exists, without changing it.
  ///
  /// - Parameter isShared: whether other processes may have the lock too, if theirs is shared.
  init(folder path: String, shared isShared: Bool) throws(Failure) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
    try Self.lock(descriptor, shared: isShared, waiting: false)
  }

  /// Locks a file, which is created if it is missing. No other process has the lock then.
  ///
  /// - Parameter waits: whether to wait for another process.
  init(file path: String, waiting waits: Bool) throws(Failure) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    try Self.lock(descriptor, shared: false, waiting: waits)
  }

  private static func lock(
    _ descriptor: Int32, shared isShared: Bool, waiting waits: Bool
  ) throws(Failure) {
    guard descriptor >= 0 else {
      throw errno == ENOENT ? .missing : .failed(reason: FileFailure(path: "", code: errno).reason)
    }
    let code = FileLock.take(descriptor, shared: isShared, waiting: waits)
    if code == EWOULDBLOCK { throw .taken }
    guard code == 0 else { throw .failed(reason: FileFailure(path: "", code: code).reason) }
  }

  deinit { if descriptor >= 0 { FileLock.release(descriptor) } }

  /// Whether a path still names the locked file or folder.
  func isAt(_ path: String) -> Bool {
    FileIdentity(descriptor: descriptor) == FileIdentity(path: path)
  }
}

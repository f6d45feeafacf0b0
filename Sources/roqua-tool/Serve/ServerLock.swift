import ByteStreams
import Foundation

/// The lock that lets only one server record into a store. It ends with the process.
final class ServerLock {
  private let descriptor: Int32

  /// Why there is no lock.
  enum Failure: Error, CustomStringConvertible {
    case taken(path: String)
    case failed(path: String, reason: String)

    var description: String {
      switch self {
      case .taken(let path): "\(path): another server records into this store already"
      case .failed(let path, let reason): "\(path): cannot be locked: \(reason)"
      }
    }
  }

  /// Takes the lock of a store.
  ///
  /// - Throws: ``Failure``.
  init(ofStore store: String) throws {
    let path = FilePath(store).resolved + ".serve"
    let (_, code) = FilePath(FilePath(path).folder).makeFolders()
    guard code == 0 else {
      throw Failure.failed(path: path, reason: String(cString: strerror(code)))
    }
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure.failed(path: path, reason: String(cString: strerror(errno)))
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let code = errno
      close(descriptor)
      throw code == EWOULDBLOCK
        ? Failure.taken(path: store)
        : Failure.failed(path: path, reason: String(cString: strerror(code)))
    }
  }

  deinit { close(descriptor) }
}

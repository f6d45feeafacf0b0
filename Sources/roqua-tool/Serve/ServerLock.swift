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

    fileprivate static func failed(_ path: String, code: Int32) -> Failure {
      .failed(path: path, reason: FileFailure(path: path, code: code).reason)
    }
  }

  /// Takes the lock of a store, and creates its file and its folder if they are missing.
  ///
  /// - Throws: ``Failure``.
  init(ofStore store: String) throws(Failure) {
    let path = Self.path(ofStore: store)
    let (_, code) = FilePath(FilePath(path).folder).makeFolders()
    guard code == 0 else { throw .failed(path, code: code) }
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .failed(path, code: errno) }
    try Self.lock(descriptor, path, store)
  }

  /// Takes the lock of a store if its file exists; nil if it does not. Creates nothing.
  ///
  /// - Throws: ``Failure``.
  init?(ofExistingFileOf store: String) throws(Failure) {
    let path = Self.path(ofStore: store)
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    try Self.lock(descriptor, path, store)
  }

  private static func lock(
    _ descriptor: Int32, _ path: String, _ store: String
  ) throws(Failure) {
    let code = FileLock.take(descriptor)
    guard code == 0 else {
      throw code == EWOULDBLOCK ? .taken(path: store) : .failed(path, code: code)
    }
  }

  private static func path(ofStore store: String) -> String { FilePath(store).resolved + ".serve" }

  deinit { FileLock.release(descriptor) }
}

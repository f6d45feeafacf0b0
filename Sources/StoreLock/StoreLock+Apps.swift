import AgeFile
import ByteStreams
import Foundation
import GeoStore

/// Locking for apps: on a thread of its own, with progress and cancellation.
extension StoreLock {
  /// The lock of the store at a path. Nothing is read or changed.
  public init(path: String) {
    self.init(
      path: path, runtimeFolder: ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"])
  }

  /// The lock of the store in a file. Nothing is read or changed.
  ///
  /// - Precondition: `url` is a file URL.
  public init(url: URL) { self.init(path: url.filePath) }

  /// Whether the store is locked: only its encrypted file is there.
  ///
  /// - Throws: ``LockError/unsuitable(path:reason:)``.
  public var isLocked: Bool { get throws { try place.state() == .locked } }

  /// Whether the store was unlocked into memory, which was emptied since: what was added and not
  /// locked is lost. Unlocking the store ends this.
  public var hasLostMemory: Bool { place.isEmptied }

  /// Encrypts the store, reads the encrypted file back, and only then removes the store. No program
  /// may have it open.
  ///
  /// ```swift
  /// import StoreLock
  ///
  /// let lock = StoreLock(path: "/path/to/history.sqlite")
  /// try await lock.lock(passphrase: "correct horse battery staple") { done in print(done) }
  /// print(try lock.isLocked)
  /// try await lock.unlock(passphrase: "correct horse battery staple")
  /// ```
  ///
  /// - Parameters:
  ///   - passphrase: any text that is not empty. Without it, nobody can read the store.
  ///   - progress: called on the thread of the work with what is done of it, 0 to 1.
  /// - Throws: ``LockError``, `DatabaseError`, `CancellationError`, and an error if the program has
  ///   no passphrases. The store is then as it was, except that
  ///   ``LockError/notRemoved(path:reason:)`` leaves both.
  /// - Complexity: O(bytes of the store); deriving the key takes about a second and 256 MiB.
  public func lock(
    passphrase: String, progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    try await Store.onThread { _ in
      _ = try lock(with: AgePassphrase(passphrase)) { progress?(Self.fraction($0, of: $1)) }
    }
  }

  /// Decrypts the store into a file that only its owner may read. The encrypted file stays until
  /// the store is locked again.
  ///
  /// - Parameters:
  ///   - passphrase: the passphrase with which it was locked.
  ///   - isInMemory: whether to unlock into memory, on Linux. The usual path is then a symbolic
  ///     link to it, and a power cut, a restart or logging out loses what was changed since.
  ///   - progress: called on the thread of the work with what is done of it, 0 to 1.
  /// - Throws: as ``lock(passphrase:progress:)``; ``LockError/wrongPassphrase(path:)``. The store
  ///   is then still locked.
  public func unlock(
    passphrase: String, inMemory isInMemory: Bool = false,
    progress: (@Sendable (Double) -> Void)? = nil
  ) async throws {
    try await Store.onThread { _ in
      _ = try unlock(with: AgePassphrase(passphrase), inMemory: isInMemory) {
        progress?(Self.fraction($0, of: $1))
      }
    }
  }

  private static func fraction(_ done: Int, of total: Int) -> Double {
    total > 0 ? min(1, Double(done) / Double(total)) : 1
  }
}

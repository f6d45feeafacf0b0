import ByteStreams
import Foundation
import SQLiteLayer

/// Where a store and its encrypted file are.
package struct LockPlace: Hashable, Sendable {
  /// The usual path of the store.
  package let path: String
  /// The path of the encrypted file.
  package var lockedPath: String { path + LockedFile.ending }

  /// The state of a store.
  package enum State: Hashable, Sendable {
    /// There is neither the store nor its encrypted file.
    case missing
    /// The store is at its usual path. An encrypted file next to it has an older state.
    case unlocked(hasLockedFile: Bool)
    /// The store was unlocked into memory, to this file. The encrypted file has an older state.
    case inMemory(file: String)
    /// There is only the encrypted file.
    case locked
  }

  /// The place of a store.
  package init(path: String) { self.path = path }

  /// Returns the state.
  ///
  /// - Throws: ``LockError/unsuitable(path:reason:)`` if the path is a symbolic link to a store, or
  ///   is not a file.
  package func state() throws(LockError) -> State {
    let hasLockedFile = Self.kind(of: lockedPath) != nil
    switch Self.kind(of: path) {
    case nil: return hasLockedFile ? .locked : .missing
    case S_IFREG: return .unlocked(hasLockedFile: hasLockedFile)
    case S_IFLNK where hasLockedFile:
      return LockedFile.memoryPath(of: path).map { .inMemory(file: $0) } ?? .locked
    case S_IFLNK:
      throw .unsuitable(path: path, reason: "its path is a symbolic link; give the file itself")
    default: throw .unsuitable(path: path, reason: "it is not a file")
    }
  }

  /// Whether the usual path is a symbolic link.
  var isLink: Bool { Self.kind(of: path) == S_IFLNK }

  /// Whether the store is locked, and its usual path still leads to memory that was emptied.
  package var isEmptied: Bool {
    var status = stat()
    return (try? state()) == .locked && isLink && stat(path, &status) != 0 && errno == ENOENT
  }

  /// Whether another user, who owns the encrypted file, has unlocked the store into memory.
  var isInMemoryOfOther: Bool {
    var (target, encrypted) = (stat(), stat())
    return isLink && stat(path, &target) == 0 && lstat(lockedPath, &encrypted) == 0
      && target.st_uid == encrypted.st_uid && target.st_uid != geteuid()
  }

  /// The type of what is at a path, and not of what a link names; nil if there is nothing.
  static func kind(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }

  /// Removes a file; does nothing if it does not exist.
  static func remove(_ path: String) throws(LockError) {
    guard unlink(path) == 0 || errno == ENOENT else {
      throw .notRemoved(path: path, reason: FileFailure(path: path, code: errno).reason)
    }
  }
}

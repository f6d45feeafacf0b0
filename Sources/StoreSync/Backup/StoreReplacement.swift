import ByteStreams
import Foundation
import SQLiteLayer

/// Puts another file in the place of a store, and keeps the old one for a day.
///
/// The old file gets a second name, and the new one takes the store's name by one `rename`. So the
/// path always names a whole store: the old one or the new one. Call it only while the lock of
/// ``SyncHome`` is held.
package struct StoreReplacement {
  /// A store that was replaced.
  package struct Kept: Hashable, Sendable {
    /// Its path.
    package let path: String
    /// When it was replaced, in milliseconds since 1970.
    package let milliseconds: Int64
  }

  /// How long a store is kept, in milliseconds: a day.
  package static let keptMilliseconds: Int64 = 86_400_000

  private static let (newPrefix, keptPrefix, ending) = ("restoring-", "replaced-", ".sqlite")
  /// The store, without symbolic links.
  private let target: String
  /// The path as a person gave it.
  private let storePath: String
  /// The folder of new and old files: on the file system of the store, and private to its owner.
  private let folder: String

  /// - Parameter storePath: the path of the store, which need not exist.
  package init(storePath: String) {
    self.storePath = storePath
    target = FilePath(storePath).resolved
    folder = target + "-sync"
  }

  /// Returns the path of a file for a new store, which does not exist.
  package func newPath() throws(BackupError) -> String {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw failure(errno) }
    var random = SystemRandomNumberGenerator()
    return FilePath(folder).appending(
      Self.newPrefix + FileName(number: random.next()).hexadecimal + Self.ending)
  }

  /// The stores that were replaced, the last one first.
  package var kept: [Kept] {
    names.compactMap { name -> Kept? in
      guard name.hasPrefix(Self.keptPrefix), name.hasSuffix(Self.ending),
        let time = Int64(name.dropFirst(Self.keptPrefix.count).dropLast(Self.ending.count))
      else { return nil }
      return Kept(path: FilePath(folder).appending(name), milliseconds: time)
    }.sorted { $0.milliseconds > $1.milliseconds }
  }

  /// Mends what a killed program left, and deletes stores that were replaced more than a day ago.
  package func cleanUp(now: Int64) {
    for name in names where name.hasPrefix(Self.newPrefix) {
      unlink(FilePath(folder).appending(name))
    }
    for kept in kept {
      if FileIdentity(path: kept.path) == FileIdentity(path: target) {
        // It got its second name, and was not replaced.
        unlink(kept.path)
      } else if now - kept.milliseconds > Self.keptMilliseconds {
        delete(kept.path)
      }
    }
  }

  /// Returns the stores that were replaced, the last one first. Those of more than a day ago are
  /// deleted first, unless a sync or restore is running.
  package static func kept(storePath: String, now: Int64) -> [Kept] {
    let replacement = StoreReplacement(storePath: storePath)
    if !replacement.kept.isEmpty, let lock = try? SyncHome(storePath: storePath).lock() {
      withExtendedLifetime(lock) { replacement.cleanUp(now: now) }
    }
    return replacement.kept
  }

  /// Puts a file in the place of the store.
  ///
  /// - Parameters:
  ///   - new: the file, which no process has open.
  ///   - isChecked: whether the file must be a database that can be read.
  /// - Returns: the path of the old store; nil if there was none.
  /// - Throws: ``BackupError/cannotReplace(path:reason:)``, or `DatabaseError` if another program
  ///   has the store open. The store is then unchanged.
  package func replace(
    with new: String, now: Int64, isChecked: Bool = true
  ) throws -> String? {
    // Closed before the file gets its new name.
    guard try Self.closeLog(of: new) || !isChecked else {
      throw BackupError.cannotReplace(path: storePath, reason: "\(new) is not a database")
    }
    try checkLogs(of: new)
    guard FileIdentity(path: target) != nil else {
      // SQLite would read the log of a store that is gone into the new one.
      try checkLogs(of: target)
      guard link(new, target) == 0 else { throw failure(errno) }
      unlink(new)
      flush()
      return nil
    }
    // Nobody else opens it until it has its other name.
    let old = try ReplacedDatabase(path: target)
    try old?.leaveLog()
    try checkLogs(of: target)
    return try withExtendedLifetime(old) {
      var time = now
      func path() -> String {
        FilePath(folder).appending("\(Self.keptPrefix)\(time)\(Self.ending)")
      }
      while FileIdentity(path: path()) != nil { time += 1 }
      let kept = path()
      try InterruptHook.reach(.committed) { () throws(BackupError) in
        guard link(target, kept) == 0 else { throw failure(errno) }
        guard rename(new, target) == 0 else {
          let code = errno
          unlink(kept)
          throw failure(code)
        }
      }
      flush()
      return kept
    }
  }

  /// Brings back the store that was replaced last, and keeps the present one in its place.
  ///
  /// - Returns: when it was replaced, in milliseconds since 1970.
  /// - Throws: ``BackupError/nothingKept(path:)``, and as ``replace(with:now:isChecked:)``.
  package func bringBack(now: Int64) throws -> Int64 {
    guard let last = kept.first else { throw BackupError.nothingKept(path: storePath) }
    _ = try replace(with: last.path, now: max(now, last.milliseconds + 1), isChecked: false)
    return last.milliseconds
  }

  /// Brings back the store that was replaced last, unless another sync or restore is running.
  ///
  /// - Throws: ``SharingError/busy(path:)``, and as ``bringBack(now:)``.
  package static func bringBack(storePath: String, now: Int64) throws -> Int64 {
    let replacement = StoreReplacement(storePath: storePath)
    guard FileIdentity(path: replacement.folder) != nil else {
      throw BackupError.nothingKept(path: storePath)
    }
    guard let lock = try SyncHome(storePath: storePath).lock() else {
      throw SharingError.busy(path: storePath)
    }
    return try withExtendedLifetime(lock) {
      replacement.cleanUp(now: now)
      return try replacement.bringBack(now: now)
    }
  }

  // MARK: - Files

  /// Makes a database one file. Returns false if the file is not a readable database.
  private static func closeLog(of path: String) throws(DatabaseError) -> Bool {
    guard let database = try ReplacedDatabase(path: path) else { return false }
    try database.leaveLog()
    return true
  }

  /// SQLite would take the log of one database for that of another.
  private func checkLogs(of path: String) throws(BackupError) {
    for suffix in DatabaseFile.logSuffixes {
      var status = stat()
      guard stat(path + suffix, &status) == 0, status.st_size > 0 else { continue }
      throw .cannotReplace(
        path: storePath,
        reason: "\(path + suffix) belongs to a database that cannot be read; move both away")
    }
  }

  private func delete(_ path: String) {
    for suffix in ["-shm"] + DatabaseFile.logSuffixes { unlink(path + suffix) }
    unlink(path)
  }

  /// The names in the folder.
  private var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  /// Writes the names of the new and the old file to the disk.
  private func flush() {
    for path in [FilePath(target).folder, folder] { FilePath.flush(folder: path) }
  }

  private func failure(_ code: Int32) -> BackupError {
    let hasNoLinks = [EPERM, ENOTSUP, EOPNOTSUPP, EMLINK, ENOSYS].contains(code)
    return .cannotReplace(
      path: storePath,
      reason: hasNoLinks
        ? "its file system has no second names for files (hard links)"
        : FileFailure(path: storePath, code: code).reason)
  }
}

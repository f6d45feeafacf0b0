import ByteStreams
import Foundation

/// The state of a database that its owner keeps encrypted: the database `STORE` is then the file
/// `STORE.age` while it is not in use.
///
/// The encrypted file stays while the database is unlocked, and the database counts. It is a file
/// at its usual path, or, if it was unlocked into memory, that path is a symbolic link to a file in
/// a folder that is private to the owner.
package enum LockedFile {
  /// What the name of the encrypted file has after that of the database.
  package static let ending = ".age"

  /// Returns whether a database cannot be opened because it is locked. Its path may be a symbolic
  /// link to its place.
  ///
  /// - Complexity: one or two system calls, unless the path is a symbolic link.
  package static func isLocked(path: String) -> Bool {
    guard !path.isEmpty else { return false }
    var path = path
    let most = 40  // Linux's limit
    for _ in 0...most {
      var status = stat()
      if lstat(path, &status) != 0 { return errno == ENOENT && exists(path + ending) }
      guard status.st_mode & S_IFMT == S_IFLNK else { return false }
      // A link to memory: after a restart another person may have made a file of that name.
      if exists(path + ending) { return memoryPath(of: path) == nil }
      guard let link = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
        return false
      }
      path = link.hasPrefix("/") ? link : FilePath(FilePath(path).folder).appending(link)
    }
    return false
  }

  /// Returns the path of the file in memory to which the database was unlocked; nil if it is not
  /// in memory, or if what is there does not belong to this user alone.
  package static func memoryPath(of path: String) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, exists(path + ending),
      let target = try? OutputFile.resolvingLinks(path),
      lstat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
      isPrivate(folder: FilePath(target).folder)
    else { return nil }
    return target
  }

  /// Returns whether a path is a folder, and not a link to one, that only this user may enter.
  package static func isPrivate(folder: String) -> Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
      && status.st_uid == geteuid() && status.st_mode & 0o077 == 0
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }
}

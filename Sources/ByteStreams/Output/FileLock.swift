import Foundation

/// Locks of files, which also distinguish those of running processes from those of killed ones.
///
/// They are those of `flock`, which belong to an open file, and end when it is unlocked or when the
/// last process that has it open closes it. On Linux they are independent of SQLite's own locks
/// (`fcntl`).
package enum FileLock {
  /// Locks an open file. A signal does not end the call.
  ///
  /// - Parameters:
  ///   - isShared: whether other processes may have the lock too, if theirs is shared.
  ///   - waits: whether to wait for another process.
  /// - Returns: 0, or the system's error number; `EWOULDBLOCK` if another process has the lock.
  package static func take(
    _ descriptor: Int32, shared isShared: Bool = false, waiting waits: Bool = false
  ) -> Int32 {
    while flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)) != 0 {
      if errno != EINTR { return errno }
    }
    return 0
  }

  /// Unlocks and closes a file.
  ///
  /// A process that another thread is starting has a copy of every open file until it begins its
  /// program. With `close` alone, it would keep the lock until then.
  ///
  /// - Parameter descriptor: an open file, locked with `flock` or not.
  package static func release(_ descriptor: Int32) {
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Removes a file that no process has locked, if it looks like one of this program: a regular
  /// file, private to this user, with one name. Returns whether it was removed.
  ///
  /// - Parameter output: a file that may be its second name, if a process was killed after it gave
  ///   the file its name and before it removed the partial one.
  static func removeAbandoned(_ path: String, of output: FileIdentity? = nil) -> Bool {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
      status.st_nlink == 1 || status.st_nlink == 2 && FileIdentity(status) == output,
      flock(descriptor, LOCK_EX | LOCK_NB) == 0
    else { return false }
    // Checked under the lock: the name may belong to another file by now.
    return FileIdentity(status) == FileIdentity(path: path) && unlink(path) == 0
  }
}

import Foundation

/// The lock by which the living recognize what the killed have left.
///
/// It is `flock`'s, which belongs to an open file and ends with the last process that has it, and
/// which SQLite's own locks (`fcntl`) do not meet on Linux.
enum FileLock {
  /// Removes a file that nobody has locked, if it is of the kind that this program makes: a regular
  /// file, this user's and nobody else's to read, of one name. Returns whether it is gone.
  ///
  /// - Parameter output: a file that may be its second name: a process was killed after it had
  ///   given the file its name and before it had removed the first one.
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
    // Under the lock: the name may be another file's by now.
    return FileIdentity(status) == FileIdentity(path: path) && unlink(path) == 0
  }
}

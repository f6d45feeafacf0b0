import Foundation

/// A temporary folder that is private to its owner. It is removed with its files when its object is
/// released or the process is interrupted. If the process is killed, it is removed when the next
/// folder of its kind is created.
///
/// The folder is locked while the process is running (``FileLock``).
package final class ScratchFolder {
  /// The folder.
  package let path: String
  private let names: [String]
  private let descriptor: Int32

  /// The letters that `mkdtemp` appends to the kind.
  private static let letterCount = 6

  /// Creates a folder, after removing those of its kind that killed processes left.
  ///
  /// - Parameters:
  ///   - kind: the beginning of its name.
  ///   - names: the files that may be created in it: only these are removed.
  /// - Throws: ``FileFailure``.
  package init(kind: String, for names: [String]) throws(FileFailure) {
    let parent = FilePath.temporaryFolder
    Self.removeAbandoned(kind: kind, in: parent, names)
    self.names = names
    while true {
      guard
        let path = TransientFile.makeFolder(FilePath(parent).appending(kind + "-"), for: names)
      else { throw FileFailure(path: parent, code: errno) }
      let descriptor = Self.open(path)
      // Between the two calls another process may have removed the folder as abandoned.
      let isGone = descriptor < 0 && errno == ENOENT
      let isLocked = !isGone && flock(descriptor, LOCK_EX | LOCK_NB) == 0
      let isTaken =
        isLocked
        ? FileIdentity(descriptor: descriptor) != FileIdentity(path: path)
        : isGone || errno == EWOULDBLOCK
      guard isTaken else {
        (self.path, self.descriptor) = (path, descriptor)
        return
      }
      TransientFile.removeFolder(path, with: names)
      if descriptor >= 0 { close(descriptor) }
    }
  }

  deinit {
    TransientFile.removeFolder(path, with: names)
    close(descriptor)
  }

  private static func open(_ path: String) -> Int32 {
    Foundation.open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
  }

  private static func removeAbandoned(kind: String, in parent: String, _ names: [String]) {
    let beginning = kind + "-"
    for name in PartialFile.names(in: parent) where name.hasPrefix(beginning) {
      guard name.utf8.count == beginning.utf8.count + letterCount else { continue }
      let folder = FilePath(parent).appending(name)
      let descriptor = open(folder)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
        status.st_mode & 0o077 == 0,
        flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      for name in names { unlink(folder + "/" + name) }
      rmdir(folder)
    }
  }
}

import Foundation

/// A file that is written beside its place, by its owner alone, and moved there when it is whole.
final class BackupFile {
  /// Where it is until then.
  let partialPath: String
  private let path: String
  private let isReplacing: Bool
  /// Keeps others from what is replaced; nil where it is no database, or nothing is there.
  private let replaced: ReplacedDatabase?
  private var isFinished = false

  /// Makes an empty file beside `path`.
  ///
  /// - Parameter store: the store's own file, which is never replaced.
  /// - Throws: ``StoreError/cannotBackUp(path:reason:)`` where the place is taken or cannot be written to.
  init(path: String, of store: String, isReplacing: Bool) throws(StoreError) {
    self.path = path
    self.isReplacing = isReplacing
    guard !path.isEmpty else { throw .cannotBackUp(path: path, reason: "its path is empty") }
    var (status, own) = (stat(), stat())
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFREG else {
        throw .cannotBackUp(
          path: path, reason: status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is not a file")
      }
      if stat(store, &own) == 0, own.st_ino == status.st_ino, own.st_dev == status.st_dev {
        throw .cannotBackUp(path: path, reason: "it is the store itself")
      }
      guard isReplacing else { throw Self.taken(path) }
    }
    // SQLite would take a log that stands there for the new file's.
    for file in Set([path, StoreFile.resolved(path)]) {
      for suffix in StoreFile.logSuffixes where stat(file + suffix, &status) == 0 && status.st_size > 0 {
        throw .cannotBackUp(
          path: path,
          reason: "\(file)\(suffix) stands there: a database of that name is open, or was not closed well")
      }
    }
    replaced = isReplacing ? try ReplacedDatabase(path: path) : nil
    let (descriptor, partialPath) = InterruptCleanup.makeFile(beside: path)
    guard descriptor >= 0, let partialPath else {
      throw .cannotBackUp(path: path, reason: String(cString: strerror(errno)))
    }
    close(descriptor)
    self.partialPath = partialPath
  }

  deinit { if !isFinished { InterruptCleanup.remove(partialPath) } }

  /// Brings the file to the disk and puts it in its place.
  ///
  /// - Throws: ``StoreError/cannotBackUp(path:reason:)``; what stood in its place stays.
  func finish() throws(StoreError) {
    guard Self.synchronize(partialPath) else { throw failure() }
    try replaced?.leaveLog()
    var failed: StoreError?
    isFinished = InterruptCleanup.place(partialPath) {
      failed = place()
      return failed == nil
    }
    if let failed { throw failed }
    let folder = (path as NSString).deletingLastPathComponent
    _ = Self.synchronize(folder.isEmpty ? "." : folder)  // the name, too
  }

  /// Gives the file its name; what is wrong where that fails.
  private func place() -> StoreError? {
    if isReplacing { return rename(partialPath, path) == 0 ? nil : failure() }
    // A link, unlike a move, is never made over a file that has come there meanwhile.
    if link(partialPath, path) == 0 {
      unlink(partialPath)
      return nil
    }
    let code = errno
    if code == EEXIST { return Self.taken(path) }
    // Some file systems (FAT) know no links.
    var status = stat()
    guard code == EPERM || code == ENOTSUP || code == EMLINK, stat(path, &status) != 0,
      rename(partialPath, path) == 0
    else { return .cannotBackUp(path: path, reason: String(cString: strerror(code))) }
    return nil
  }

  private static func taken(_ path: String) -> StoreError {
    .cannotBackUp(path: path, reason: "there is a file of that name already (--force replaces it)")
  }

  private func failure() -> StoreError {
    .cannotBackUp(path: path, reason: String(cString: strerror(errno)))
  }

  private static func synchronize(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }
}

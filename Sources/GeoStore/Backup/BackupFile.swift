import Foundation

/// A file that is written beside its place, by its owner alone, and moved there when it is whole.
final class BackupFile {
  /// Where it is until then.
  let partialPath: String
  private let path: String
  private let isReplacing: Bool
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
    var template = Array((path + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)  // mode 0600
    guard descriptor >= 0 else {
      throw .cannotBackUp(path: path, reason: String(cString: strerror(errno)))
    }
    close(descriptor)
    partialPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { if !isFinished { unlink(partialPath) } }

  /// Brings the file to the disk and puts it in its place.
  ///
  /// - Throws: ``StoreError/cannotBackUp(path:reason:)``; what stood in its place stays.
  func finish() throws(StoreError) {
    guard Self.synchronize(partialPath) else { throw failure() }
    if isReplacing {
      guard rename(partialPath, path) == 0 else { throw failure() }
    } else {
      try placeWithoutReplacing()
    }
    isFinished = true
    let folder = (path as NSString).deletingLastPathComponent
    _ = Self.synchronize(folder.isEmpty ? "." : folder)  // the name, too
  }

  /// A link, unlike a move, is never made over a file that has come there meanwhile.
  private func placeWithoutReplacing() throws(StoreError) {
    if link(partialPath, path) == 0 {
      unlink(partialPath)
      return
    }
    let code = errno
    if code == EEXIST { throw Self.taken(path) }
    // Some file systems (FAT) know no links.
    var status = stat()
    guard code == EPERM || code == ENOTSUP || code == EMLINK, stat(path, &status) != 0,
      rename(partialPath, path) == 0
    else { throw .cannotBackUp(path: path, reason: String(cString: strerror(code))) }
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

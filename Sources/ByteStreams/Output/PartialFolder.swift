import Foundation

/// A folder of output until it is complete: next to its final path, private to its owner, and
/// locked while the process that writes it is running.
///
/// Its name is a dot, the output's, `.roqua-partial-` and six letters. It is removed when its
/// object is released. If the process is killed, the next writer of the same output removes it.
package final class PartialFolder {
  private static let mark = ".roqua-partial-"
  private static let letterCount = 6

  /// The folder until it is complete.
  package let path: String
  private let target: String
  private let descriptor: Int32
  private let flusher = FileFlusher()
  private var isFinished = false
  /// The folders in it.
  private var folders: [String] = []

  /// Creates a folder for the files of an output.
  ///
  /// - Parameter target: the final path, which does not exist or is an empty folder, without a
  ///   slash at its end.
  /// - Throws: ``OutputFailure``; nothing is created then.
  package init(for target: String) throws(OutputFailure) {
    self.target = try OutputFile.resolvingLinks(target)
    var status = stat()
    if lstat(self.target, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw .exists(path: target) }
      guard PartialFile.names(in: self.target).allSatisfy({ $0 == "." || $0 == ".." }) else {
        throw .failed(FileFailure(path: target, reason: "the folder is not empty"))
      }
    }
    let output = FilePath(self.target)
    let beginning = "." + output.name.prefix(100) + Self.mark
    Self.removeAbandoned(beginning, in: output.folder)
    var template = Array((FilePath(output.folder).appending(beginning) + "XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {  // mode 0700
      throw .failed(FileFailure(path: target, code: errno))
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    descriptor = Self.open(path)
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
  }

  deinit {
    _ = flusher.wait()
    if !isFinished { Self.remove(path) }
    close(descriptor)
  }

  /// Writes a file of the folder. It is on the disk when ``finish()`` has returned.
  ///
  /// - Parameter name: its name; folders before it, divided by `/`, are made.
  /// - Throws: ``FileFailure``, also of a file that was written before.
  package func write(_ bytes: [UInt8], to name: String) throws(FileFailure) {
    try makeFolders(of: name)
    let file = FilePath(path).appending(name)
    let descriptor = Foundation.open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure(path: file, code: errno) }
    let code = FilePath.write(bytes, to: descriptor)
    guard code == 0 else {
      close(descriptor)
      throw FileFailure(path: file, code: code)
    }
    try flusher.flush(descriptor, of: file)
  }

  private func makeFolders(of name: String) throws(FileFailure) {
    var folder = path
    for part in name.split(separator: "/").dropLast() {
      folder = FilePath(folder).appending(String(part))
      guard !folders.contains(folder) else { continue }
      guard mkdir(folder, 0o700) == 0 else { throw FileFailure(path: folder, code: errno) }
      folders.append(folder)
    }
  }

  /// Gives the folder its name, once its files are on the disk.
  ///
  /// - Throws: ``OutputFailure``, for example if another folder has got the name meanwhile.
  package func finish() throws(OutputFailure) {
    if let failure = flusher.wait() { throw .failed(failure) }
    for folder in folders {
      // Not by `FilePath.flush(folder:)`, which follows symbolic links.
      let descriptor = Self.open(folder)
      guard descriptor >= 0 else { continue }
      _ = fsync(descriptor)
      close(descriptor)
    }
    _ = fsync(descriptor)
    // An empty folder of that name gives way.
    rmdir(target)
    guard rename(path, target) == 0 else {
      throw .failed(FileFailure(path: target, code: errno))
    }
    isFinished = true
  }

  private static func open(_ path: String) -> Int32 {
    Foundation.open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW)
  }

  /// Removes the folders of an output that killed processes left.
  private static func removeAbandoned(_ beginning: String, in parent: String) {
    for name in PartialFile.names(in: parent)
    where name.hasPrefix(beginning) && name.utf8.count == beginning.utf8.count + letterCount {
      let folder = FilePath(parent).appending(name)
      let descriptor = open(folder)
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
        status.st_mode & 0o077 == 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      remove(folder)
    }
  }

  private static func remove(_ folder: String) {
    for name in PartialFile.names(in: folder) where name != "." && name != ".." {
      let path = FilePath(folder).appending(name)
      // What is no file, and no link to anything, is a folder.
      if unlink(path) != 0 { remove(path) }
    }
    rmdir(folder)
  }
}

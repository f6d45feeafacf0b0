import Foundation

/// Why an output cannot be written.
package enum OutputFailure: Error, Hashable {
  /// A file of that name exists, and it may not be replaced.
  case exists(path: String)
  /// Anything else, in one line.
  case failed(FileFailure)
}

/// A file that is written beside its place and moved there when it is whole; or standard output,
/// for the path `-`.
///
/// Where the path is a symbolic link, the link stays and the file that it names is written. What a
/// process that was killed left of the same output is removed first (``PartialFile``).
package final class OutputFile {
  /// Where the file is until it is whole; nil for standard output, a device or a pipe, which are
  /// written in place.
  package let partialPath: String?
  /// Where the file goes: the path, or what it links to.
  package let target: String
  private let path: String
  private let isReplacing: Bool
  private let descriptor: Int32
  private var failure: FileFailure?
  private var isFinished = false

  /// Begins a file that only its owner may read and write.
  ///
  /// - Parameters:
  ///   - isReplacing: Whether a file that exists may be replaced.
  ///   - kept: Files that are never written over, by whatever name, and what each is.
  /// - Throws: ``OutputFailure``; nothing was made then.
  package init(
    path: String, replacing isReplacing: Bool, keeping kept: [FileIdentity: String] = [:]
  ) throws(OutputFailure) {
    self.path = path
    self.isReplacing = isReplacing
    guard !path.isEmpty else { throw .failed(FileFailure(path: path, reason: "its path is empty")) }
    let place = path == "-" ? path : try Self.resolvingLinks(path)
    let standardOutput = FileIdentity(descriptor: STDOUT_FILENO)
    let identity = path == "-" ? standardOutput : FileIdentity(path: place)
    if let identity, let name = kept[identity] {
      throw .failed(FileFailure(path: path, reason: "it is \(name)"))
    }
    target = place
    var status = stat()
    if path == "-" || identity != nil && identity == standardOutput {
      (partialPath, descriptor) = (nil, STDOUT_FILENO)
    } else if stat(place, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      guard status.st_mode & S_IFMT != S_IFDIR else {
        throw .failed(FileFailure(path: path, reason: "it is a folder"))
      }
      (partialPath, descriptor) = (nil, open(place, O_WRONLY | O_CLOEXEC))
      guard descriptor >= 0 else { throw .failed(FileFailure(path: path, code: errno)) }
    } else {
      PartialFile.removeAbandoned(of: place, keeping: Set(kept.keys))
      guard isReplacing || identity == nil else { throw .exists(path: path) }
      do {
        let partial = try PartialFile.make(beside: place)
        (partialPath, descriptor) = (partial.path, partial.descriptor)
      } catch {
        throw .failed(FileFailure(path: path, reason: error.reason))
      }
    }
  }

  deinit {
    // Removed before its lock ends.
    if !isFinished, let partialPath { InterruptCleanup.remove(partialPath) }
    if descriptor != STDOUT_FILENO { close(descriptor) }
  }

  /// The path that a chain of symbolic links ends at, whether or not there is a file.
  package static func resolvingLinks(_ path: String) throws(OutputFailure) -> String {
    var path = path
    let most = 40  // as the system's own limit
    for _ in 0...most {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
      // Links to open files, which may have no name: only the system can follow them.
      if path.hasPrefix("/proc/") || path.hasPrefix("/dev/fd/") { return path }
      var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let length = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map {
          readlink(path, $0.assumingMemoryBound(to: CChar.self), buffer.count)
        } ?? -1
      }
      guard length > 0, length < bytes.count else { break }
      let link = String(decoding: bytes[..<length], as: UTF8.self)
      path = link.hasPrefix("/") ? link : FilePath(FilePath(path).folder).appending(link)
    }
    throw .failed(FileFailure(path: path, code: ELOOP))
  }

  /// Writes bytes; false where that fails, which ``finish()`` then reports.
  package func write(_ bytes: [UInt8]) -> Bool {
    let code = FilePath.write(bytes, to: descriptor)
    if code != 0 { failure = FileFailure(path: path, code: code) }
    return code == 0
  }

  /// Puts the file in its place, for good: its bytes are on the disk before it has its name, and
  /// its name is before this returns.
  ///
  /// - Throws: ``OutputFailure`` where writing failed, or where a file has come to its place that
  ///   may not be replaced; what is in its place stays.
  package func finish() throws(OutputFailure) {
    if let failure { throw .failed(failure) }
    if let partialPath {
      guard fsync(descriptor) == 0 else { throw failed() }
      var failure: OutputFailure?
      isFinished = InterruptCleanup.place(partialPath) {
        failure = place(partialPath)
        return failure == nil
      }
      if let failure { throw failure }
      Self.synchronize(folder: FilePath(target).folder)
    }
    isFinished = true
  }

  /// Gives the file its name; what is wrong where that fails.
  private func place(_ partialPath: String) -> OutputFailure? {
    if isReplacing { return rename(partialPath, target) == 0 ? nil : failed() }
    // A link, unlike a move, is never made over a file that has come there meanwhile.
    if link(partialPath, target) == 0 {
      unlink(partialPath)
      return nil
    }
    let code = errno
    if code == EEXIST { return .exists(path: path) }
    // Some file systems (FAT) know no links.
    guard code == EPERM || code == ENOTSUP || code == EMLINK, FileIdentity(path: target) == nil,
      rename(partialPath, target) == 0
    else { return .failed(FileFailure(path: path, code: code)) }
    return nil
  }

  private func failed() -> OutputFailure { .failed(FileFailure(path: path, code: errno)) }

  /// Writes a folder's names to the disk. Some file systems cannot; then there is nothing to be
  /// done about it.
  private static func synchronize(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}

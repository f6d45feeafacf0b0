import Foundation

/// The reason why an output cannot be written.
package enum OutputFailure: Error, Hashable {
  /// A file of that name exists, and it may not be replaced.
  case exists(path: String)
  /// Any other reason, in one line.
  case failed(FileFailure)
}

/// A file that is written next to its place and moved there when it is complete; or standard
/// output, for the path `-`.
///
/// If the path is a symbolic link, the link is kept and its target is written. A partial file of
/// the same output that a killed process left behind is removed first (``PartialFile``).
package final class OutputFile {
  /// The path of the file until it is complete; nil for standard output, a device or a pipe, which
  /// are written in place.
  package let partialPath: String?
  /// The final path: the path, or the target of its link.
  package let target: String
  private let path: String
  private let isReplacing: Bool
  private let descriptor: Int32
  private var failure: FileFailure?
  private var isFinished = false

  /// Creates a file that only its owner may read and write.
  ///
  /// - Parameters:
  ///   - isReplacing: true to replace an existing file.
  ///   - kept: files that are never overwritten under any name, each with a description.
  /// - Throws: ``OutputFailure``; nothing is created then.
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
        let partial = try PartialFile.make(nextTo: place)
        (partialPath, descriptor) = (partial.path, partial.descriptor)
      } catch {
        throw .failed(FileFailure(path: path, reason: error.reason))
      }
    }
  }

  deinit {
    // Removed before its lock ends.
    if !isFinished, let partialPath { TransientFile.remove(partialPath) }
    if descriptor != STDOUT_FILENO { close(descriptor) }
  }

  /// The path at the end of a chain of symbolic links, whether or not a file exists there.
  package static func resolvingLinks(_ path: String) throws(OutputFailure) -> String {
    var path = path
    let most = 40  // Linux's limit
    for _ in 0...most {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
      // Links to open files, which may have no name: only the system can follow them.
      if path.hasPrefix("/proc/") || path.hasPrefix("/dev/fd/") { return path }
      var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
      // Sound: `readlink` writes at most `buffer.count` bytes and keeps no pointer.
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

  /// Writes bytes; false if that fails, which ``finish()`` then reports.
  package func write(_ bytes: [UInt8]) -> Bool {
    let code = FilePath.write(bytes, to: descriptor)
    if code != 0 { failure = FileFailure(path: path, code: code) }
    return code == 0
  }

  /// Writes the bytes so far to disk, where the output is a file that has not its name yet.
  ///
  /// - Throws: ``OutputFailure`` if this or writing failed.
  package func synchronize() throws(OutputFailure) {
    if let failure { throw .failed(failure) }
    guard partialPath == nil || fsync(descriptor) == 0 else { throw failed() }
  }

  /// Moves the file to its final path durably: its bytes are on disk before it gets its name, and
  /// the name is on disk before this returns.
  ///
  /// - Throws: ``OutputFailure`` if writing failed, or if meanwhile another file was created at the
  ///   path that may not be replaced; that file is kept.
  package func finish() throws(OutputFailure) {
    try synchronize()
    if let partialPath {
      var failure: OutputFailure?
      isFinished = TransientFile.place(partialPath) {
        failure = place(partialPath)
        return failure == nil
      }
      if let failure { throw failure }
      FilePath.flush(folder: FilePath(target).folder)
    }
    isFinished = true
  }

  /// Gives the file its name; returns the failure, or nil.
  private func place(_ partialPath: String) -> OutputFailure? {
    if isReplacing { return rename(partialPath, target) == 0 ? nil : failed() }
    // Unlike `rename`, `link` never replaces a file that appeared meanwhile.
    if link(partialPath, target) == 0 {
      unlink(partialPath)
      return nil
    }
    let code = errno
    if code == EEXIST { return .exists(path: path) }
    // Some file systems (FAT) have no links.
    guard code == EPERM || code == ENOTSUP || code == EMLINK, FileIdentity(path: target) == nil,
      rename(partialPath, target) == 0
    else { return .failed(FileFailure(path: path, code: code)) }
    return nil
  }

  private func failed() -> OutputFailure { .failed(FileFailure(path: path, code: errno)) }
}

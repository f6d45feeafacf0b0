import Foundation
import GeoStore

/// A file that is written beside its place and moved there when it is whole; or standard output, for the path `-`.
///
/// Where the path is a symbolic link, the link stays and the file that it names is written.
final class OutputFile {
  private let path: String
  /// Where the file goes: the path, or what it links to.
  private let target: String
  /// Nil for what is written in place.
  private let partialPath: String?
  private let descriptor: Int32
  private var failure: Int32 = 0
  private var isFinished = false

  /// Begins a file that only its owner may read and write.
  ///
  /// - Throws: ``ExplorerError/file(path:reason:)``.
  init(path: String) throws(ExplorerError) {
    self.path = path
    guard path != "-" else {
      (partialPath, target) = (nil, path)
      descriptor = STDOUT_FILENO
      return
    }
    target = try Self.resolvingLinks(path)
    // A device or a pipe is written to in place.
    var status = stat()
    if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      guard status.st_mode & S_IFMT != S_IFDIR else { throw .file(path: path, reason: "it is a folder") }
      partialPath = nil
      descriptor = open(target, O_WRONLY | O_CLOEXEC)
    } else {
      (descriptor, partialPath) = InterruptCleanup.makeFile(beside: target)
    }
    guard descriptor >= 0 else { throw .file(path: path, reason: String(cString: strerror(errno))) }
  }

  deinit {
    if descriptor >= 0, descriptor != STDOUT_FILENO { close(descriptor) }
    if !isFinished, let partialPath { InterruptCleanup.remove(partialPath) }
  }

  /// The path that a chain of symbolic links ends at, whether or not there is a file.
  private static func resolvingLinks(_ path: String) throws(ExplorerError) -> String {
    var path = path
    let most = 40  // as the system's own limit
    for _ in 0...most {
      var status = stat()
      guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
      var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let length = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { readlink(path, $0.assumingMemoryBound(to: CChar.self), buffer.count) } ?? -1
      }
      guard length > 0, length < bytes.count else { break }
      let link = String(decoding: bytes[..<length], as: UTF8.self)
      path = link.hasPrefix("/") ? link : folder(of: path) + "/" + link
    }
    throw .file(path: path, reason: String(cString: strerror(ELOOP)))
  }

  /// The folder that a path lies in.
  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Writes bytes; false where that fails, which ``finish()`` then reports.
  func write(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else {
          failure = errno
          return false
        }
        rest = rest.dropFirst(count)
      }
      return true
    }
  }

  /// Puts the file in its place, for good: its bytes are on the disk before it has its name, and its name is before this
  /// returns.
  ///
  /// - Throws: ``ExplorerError/file(path:reason:)`` where writing failed; what stood in its place stays.
  func finish() throws(ExplorerError) {
    if failure == 0, let partialPath {
      if fsync(descriptor) != 0 || !InterruptCleanup.place(partialPath, { rename(partialPath, target) == 0 })
      {
        failure = errno
      } else {
        isFinished = true
        Self.synchronize(folder: Self.folder(of: target))
      }
    }
    guard failure == 0 else { throw .file(path: path, reason: String(cString: strerror(failure))) }
    isFinished = true
  }

  /// Writes a folder's names to the disk. Some file systems cannot; then there is nothing to be done about it.
  private static func synchronize(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}

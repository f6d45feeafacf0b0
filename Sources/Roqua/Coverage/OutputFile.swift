import Foundation

/// A file that is written beside its place and moved there when it is whole; or standard output, for the path `-`.
final class OutputFile {
  private let path: String
  /// Nil for standard output.
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
      partialPath = nil
      descriptor = STDOUT_FILENO
      return
    }
    // A device or a pipe is written to in place.
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      guard status.st_mode & S_IFMT != S_IFDIR else { throw .file(path: path, reason: "it is a folder") }
      partialPath = nil
      descriptor = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      var template = Array((path + ".XXXXXX").utf8CString)
      descriptor = mkstemp(&template)  // mode 0600
      partialPath = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
    guard descriptor >= 0 else { throw .file(path: path, reason: String(cString: strerror(errno))) }
  }

  deinit {
    if descriptor >= 0, descriptor != STDOUT_FILENO { close(descriptor) }
    if !isFinished, let partialPath { unlink(partialPath) }
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

  /// Puts the file in its place.
  ///
  /// - Throws: ``ExplorerError/file(path:reason:)`` where writing failed; what stood in its place stays.
  func finish() throws(ExplorerError) {
    if failure == 0, let partialPath {
      if fsync(descriptor) != 0 || rename(partialPath, path) != 0 { failure = errno }
    }
    guard failure == 0 else { throw .file(path: path, reason: String(cString: strerror(failure))) }
    isFinished = true
  }
}

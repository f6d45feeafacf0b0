import Foundation

/// A path of the file system as POSIX defines it: `/` separates names, and no other
/// character is special. A leading `~` is a name like any other.
///
/// Foundation's `deletingLastPathComponent` traps on a relative path of one character on Linux, so
/// all paths are split here.
package struct FilePath: Hashable, Sendable {
  /// The path as given.
  package let text: String

  /// Creates a path.
  package init(_ text: String) { self.text = text }

  /// The last name of the path: `b.txt` of `a/b.txt` and of `a/b.txt/`. Empty for `/` and for an
  /// empty path.
  package var name: String { String(decoding: text.utf8[nameRange], as: UTF8.self) }

  /// The folder of the last name: `a` of `a/b`, `/` of `/b`, `.` of `b`.
  package var folder: String {
    var end = nameRange.lowerBound
    guard end > text.utf8.startIndex else { return text.utf8.first == Self.slash ? "/" : "." }
    while end > text.utf8.startIndex, text.utf8[text.utf8.index(before: end)] == Self.slash {
      end = text.utf8.index(before: end)
    }
    return end == text.utf8.startIndex ? "/" : String(decoding: text.utf8[..<end], as: UTF8.self)
  }

  /// The path of a name in this folder.
  package func appending(_ name: String) -> String {
    text.isEmpty || text.utf8.last == Self.slash ? text + name : text + "/" + name
  }

  /// The absolute path; the path itself if it is absolute.
  package var absolute: String {
    guard text.utf8.first != Self.slash, let folder = getcwd(nil, 0) else { return text }
    defer { free(folder) }
    // If the folder's name is not UTF-8, the relative path is right until the working directory
    // changes.
    guard let folder = String(validatingCString: folder) else { return text }
    return FilePath(folder).appending(text)
  }

  /// The path without symbolic links; the path itself if no file exists.
  package var resolved: String {
    guard let resolved = realpath(text, nil) else { return text }
    defer { free(resolved) }
    return String(validatingCString: resolved) ?? text
  }

  /// The folder of temporary files: `$TMPDIR`, else `/tmp`.
  package static var temporaryFolder: String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return folder.isEmpty ? "/tmp" : folder
  }

  private static let slash = UInt8(ascii: "/")

  /// The range of the last name, without trailing slashes.
  private var nameRange: Range<String.UTF8View.Index> {
    let bytes = text.utf8
    var end = bytes.endIndex
    while end > bytes.startIndex, bytes[bytes.index(before: end)] == Self.slash {
      end = bytes.index(before: end)
    }
    var start = end
    while start > bytes.startIndex, bytes[bytes.index(before: start)] != Self.slash {
      start = bytes.index(before: start)
    }
    return start..<end
  }
}

extension FilePath {
  /// Creates this folder and its missing parents. Each is private to its owner from the start (mode
  /// 0700, whatever the umask).
  ///
  /// - Returns: the folders created, the outermost first, even after a failure; and the system's
  ///   error number, 0 for none.
  package func makeFolders() -> (made: [String], error: Int32) {
    if mkdir(text, 0o700) == 0 { return ([text], 0) }
    var status = stat()
    switch errno {
    case EEXIST:
      return ([], stat(text, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR ? 0 : ENOTDIR)
    case ENOENT where !text.isEmpty && folder != text: break
    case let code: return ([], code)
    }
    var (made, code) = FilePath(folder).makeFolders()
    guard code == 0 else { return (made, code) }
    if mkdir(text, 0o700) == 0 {
      made.append(text)
    } else if errno != EEXIST {  // another process may have created it meanwhile
      code = errno
    }
    return (made, code)
  }

  /// The most bytes that ``contents()`` reads: 256 MiB.
  static let mostBytes = 256 << 20

  /// All bytes of a file.
  ///
  /// - Throws: ``FileFailure`` if it cannot be read, or has more than ``mostBytes``.
  package func contents() throws(FileFailure) -> [UInt8] {
    let descriptor = open(text, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: text, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    var bytes: [UInt8] = []
    if fstat(descriptor, &status) == 0 {
      bytes.reserveCapacity(min(1 << 24, max(0, Int(status.st_size))))
    }
    // Sound: `read` writes at most `chunk.count` bytes, which are copied; the chunk is freed at the
    // end of this function.
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { chunk.deallocate() }
    while true {
      let count = read(descriptor, chunk.baseAddress, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure(path: text, code: errno) }
      if count == 0 { return bytes }
      bytes += UnsafeRawBufferPointer(rebasing: chunk[..<count])
      guard bytes.count <= Self.mostBytes else {
        throw FileFailure(path: text, reason: "it is larger than \(Self.mostBytes >> 20) MiB")
      }
    }
  }
}

extension FilePath {
  /// Creates a file that only its owner may read and write, and writes what `next` returns until
  /// that is empty.
  ///
  /// - Throws: ``FileFailure`` if the file exists or cannot be written, and what `next` throws.
  package func write(_ next: () throws -> [UInt8]) throws {
    let descriptor = open(text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure(path: text, code: errno) }
    defer { close(descriptor) }
    while case let bytes = try next(), !bytes.isEmpty {
      let code = Self.write(bytes, to: descriptor)
      guard code == 0 else { throw FileFailure(path: text, code: code) }
    }
  }

  /// Writes all bytes; returns the system's error number, 0 for none.
  package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Foundation.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : EIO }
        rest = rest.dropFirst(count)
      }
      return 0
    }
  }
}

/// The reason why a file cannot be read or written.
package struct FileFailure: Error, Hashable {
  /// The file.
  package let path: String
  /// One line without the path: `No such file or directory`.
  package let reason: String

  /// Creates a failure with a reason.
  package init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }

  /// Creates a failure from an error number of the system. A full disk has the words that a
  /// database has for it.
  package init(path: String, code: Int32) {
    let isFull = code == ENOSPC || code == EDQUOT
    self.init(path: path, reason: isFull ? "the disk is full" : String(cString: strerror(code)))
  }
}

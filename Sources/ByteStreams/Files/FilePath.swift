import Foundation

/// A path of the file system, read as POSIX reads it: `/` separates names, and nothing else has a
/// meaning. A leading `~` is a name like any other.
///
/// Foundation's `deletingLastPathComponent` traps on a relative path of one character on Linux, so
/// paths are taken apart here and nowhere else.
package struct FilePath: Hashable, Sendable {
  /// The path as it was given.
  package let text: String

  /// A path as it was given.
  package init(_ text: String) { self.text = text }

  /// The last name of the path: `b.txt` of `a/b.txt` and of `a/b.txt/`. Empty for `/` and for an
  /// empty path.
  package var name: String { String(decoding: text.utf8[nameRange], as: UTF8.self) }

  /// The folder that the last name lies in: `a` of `a/b`, `/` of `/b`, `.` of `b`.
  package var folder: String {
    var end = nameRange.lowerBound
    guard end > text.utf8.startIndex else { return text.utf8.first == Self.slash ? "/" : "." }
    while end > text.utf8.startIndex, text.utf8[text.utf8.index(before: end)] == Self.slash {
      end = text.utf8.index(before: end)
    }
    return end == text.utf8.startIndex ? "/" : String(decoding: text.utf8[..<end], as: UTF8.self)
  }

  /// The path of a name in the folder that this path is.
  package func appending(_ name: String) -> String {
    text.isEmpty || text.utf8.last == Self.slash ? text + name : text + "/" + name
  }

  /// The same file from any working directory; the path itself where it starts at the root.
  package var absolute: String {
    guard text.utf8.first != Self.slash, let folder = getcwd(nil, 0) else { return text }
    defer { free(folder) }
    // A folder whose name is no UTF-8: the path as it was given serves as long as nobody changes
    // the working directory.
    guard let folder = String(validatingCString: folder) else { return text }
    return FilePath(folder).appending(text)
  }

  /// The file without symbolic links; the path itself where nothing is there.
  package var resolved: String {
    guard let resolved = realpath(text, nil) else { return text }
    defer { free(resolved) }
    return String(validatingCString: resolved) ?? text
  }

  /// Where temporary files go: `$TMPDIR`, else `/tmp`.
  package static var temporaryFolder: String {
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    return folder.isEmpty ? "/tmp" : folder
  }

  private static let slash = UInt8(ascii: "/")

  /// Where the last name stands, without slashes behind it.
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
  /// Makes the folder that this path is, and those above it that are missing. Each is its owner's
  /// alone from the moment when it exists (mode 0700, whatever the umask).
  ///
  /// - Returns: the folders that were made, the outermost first; what was made before a failure,
  ///   too, and the error number of the system, 0 for none.
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
    } else if errno != EEXIST {  // another process may have made it meanwhile
      code = errno
    }
    return (made, code)
  }

  /// The most bytes that ``contents()`` reads: 256 MiB.
  static let mostBytes = 256 << 20

  /// All bytes of a file.
  ///
  /// - Throws: ``FileFailure`` where it cannot be read, or has more than ``mostBytes``.
  package func contents() throws(FileFailure) -> [UInt8] {
    let descriptor = open(text, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: text, code: errno) }
    defer { close(descriptor) }
    var status = stat()
    var bytes: [UInt8] = []
    if fstat(descriptor, &status) == 0 {
      bytes.reserveCapacity(min(1 << 24, max(0, Int(status.st_size))))
    }
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
  /// Makes a file that its owner alone may read and write, and writes to it what `next` returns,
  /// until that is nothing.
  ///
  /// - Throws: ``FileFailure`` where a file is there already or cannot be written, and what `next`
  ///   throws.
  package func write(_ next: () throws -> [UInt8]) throws {
    let descriptor = open(text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure(path: text, code: errno) }
    defer { close(descriptor) }
    while case let bytes = try next(), !bytes.isEmpty {
      let code = Self.write(bytes, to: descriptor)
      guard code == 0 else { throw FileFailure(path: text, code: code) }
    }
  }

  /// Writes all of some bytes; returns the error number of the system, 0 for none.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
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

/// What the system says of a file that cannot be read or written.
package struct FileFailure: Error, Hashable {
  /// The file.
  package let path: String
  /// One line without the path: `No such file or directory`.
  package let reason: String

  /// A failure in words.
  package init(path: String, reason: String) { (self.path, self.reason) = (path, reason) }

  /// What an error number of the system means.
  package init(path: String, code: Int32) {
    self.init(path: path, reason: String(cString: strerror(code)))
  }
}

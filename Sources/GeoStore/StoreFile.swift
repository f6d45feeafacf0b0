import Foundation

/// What is done with a store's file before SQLite sees it.
enum StoreFile {
  /// The first bytes of every SQLite database (https://www.sqlite.org/fileformat.html, section 1.2).
  static let magic = Array("SQLite format 3\0".utf8)

  /// The header's size (section 1.3 of the same document).
  static let headerBytes = 100

  /// The smallest page of a database (section 1.3.2 of the same document).
  static let smallestPageBytes = 512

  /// Checks the file, and makes an empty one of mode 0600 where there is none and `creating` says so.
  ///
  /// - Throws: ``StoreError``: missing, not a file, not a database, not to be opened or made.
  static func prepare(path: String, creating: Bool) throws(StoreError) {
    guard !path.isEmpty else { throw .cannotOpen(path: path, reason: "its path is empty") }
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw .cannotOpen(path: path, reason: reason(errno)) }
      guard creating else { throw .missing(path: path) }
      return try create(path: path)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .cannotOpen(
        path: path, reason: status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is not a file")
    }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .cannotOpen(path: path, reason: reason(errno)) }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: headerBytes)
    let count = read(file, &head, head.count)
    if count == 0 {  // an empty file is an empty database, where a store is wanted
      guard creating else { throw .missing(path: path) }
      guard chmod(path, 0o600) == 0 else { throw .cannotOpen(path: path, reason: reason(errno)) }
      return
    }
    guard count >= magic.count, head.starts(with: magic) else { throw .notADatabase(path: path) }
    // SQLite would take a file of less than its smallest page for an empty database, and write over it; and one
    // that lost its end is noticed by it only where it reads there. The size is asked for after the header was read: another
    // process may be making the store right now, and a file that is being made only grows.
    guard fstat(file, &status) == 0, status.st_size >= smallestPageBytes,
      status.st_size >= statedBytes(head) || hasLog(path)
    else { throw .damaged(path: path, detail: "cut short after \(status.st_size) bytes") }
  }

  /// Bytes that the header says the file has: its pages (offset 28) of a size (offset 16, where 1 means 65 536).
  private static func statedBytes(_ head: [UInt8]) -> Int {
    func number(at offset: Int, bytes: Int) -> Int {
      head[offset..<offset + bytes].reduce(0) { $0 << 8 | Int($1) }
    }
    let page = number(at: 16, bytes: 2)
    return number(at: 28, bytes: 4) * (page == 1 ? 65_536 : page)
  }

  /// What SQLite calls the files that it keeps beside a database until they are brought in: the write-ahead log and the
  /// rollback journal.
  static let logSuffixes = ["-wal", "-journal"]

  /// The file that a path means, without symbolic links; the path itself where there is none. SQLite's own files stand beside
  /// that one, so every suffix is put to this.
  static func resolved(_ path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Whether a write-ahead log stands beside the file: pages that the header counts may be in there still.
  private static func hasLog(_ path: String) -> Bool {
    var status = stat()
    return stat(resolved(path) + "-wal", &status) == 0 && status.st_size > 0
  }

  private static func create(path: String) throws(StoreError) {
    let folder = (path as NSString).deletingLastPathComponent
    if !folder.isEmpty {
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw .cannotOpen(path: path, reason: "its folder cannot be made")
      }
    }
    // SQLite gives the WAL files the mode of the database.
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .cannotOpen(path: path, reason: reason(errno)) }
    close(file)
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }
}

import ByteStreams
import CSQLite
import Foundation

/// Operations on a store's file before SQLite opens it.
package enum DatabaseFile {
  /// The first bytes of every SQLite database (https://www.sqlite.org/fileformat.html, section
  /// 1.2).
  package static let magic = Array("SQLite format 3\0".utf8)

  /// Size of the file header (section 1.3 of the same document).
  package static let headerBytes = 100

  /// Smallest page size of a database (section 1.3.2 of the same document).
  package static let smallestPageBytes = 512

  /// Checks whether a file that may be a store exists. Creates nothing.
  ///
  /// - Returns: whether it exists; if not, ``make(path:)`` can create it.
  /// - Throws: ``DatabaseError`` if the file is missing and not `creating`, is locked, is not a
  ///   regular file, or cannot be opened.
  package static func exists(path: String, creating: Bool) throws(DatabaseError) -> Bool {
    guard !path.isEmpty else { throw .cannotOpen(path: path, reason: "its path is empty") }
    guard !LockedFile.isLocked(path: path) else { throw .locked(path: path) }
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw .cannotOpen(path: path, reason: reason(errno)) }
      guard creating else { throw .missing(path: path) }
      return false
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .cannotOpen(
        path: path,
        reason: status.st_mode & S_IFMT == S_IFDIR ? "it is a folder" : "it is not a file")
    }
    guard access(path, R_OK) == 0 else { throw .cannotOpen(path: path, reason: reason(errno)) }
    // SQLite treats a file of one byte as empty, even when asked for its size.
    guard status.st_size != 1 else { throw .notADatabase(path: path) }
    // An empty file is an empty database if a store may be created.
    guard status.st_size > 0 || creating else { throw .missing(path: path) }
    return true
  }

  /// Returns whether a file begins like an SQLite database. It is read through SQLite: closing a
  /// separate descriptor would release the locks that this process may hold on it
  /// (``Connection/fileSize()``).
  package static func isDatabase(path: String) -> Bool {
    guard let connection = try? Connection(path: path, flags: SQLITE_OPEN_READONLY) else {
      return false
    }
    return (try? connection.fileBytes(at: 0, count: magic.count)) == magic
  }

  /// Checks that a file that SQLite has opened but not read is a complete database.
  ///
  /// - Throws: ``DatabaseError`` if it is not a database, or is truncated.
  package static func checkWholeness(of connection: Connection) throws(DatabaseError) {
    let path = connection.path
    let head = try connection.fileBytes(at: 0, count: headerBytes)
    if head.isEmpty { return }
    guard head.count >= magic.count, head.starts(with: magic) else {
      throw .notADatabase(path: path)
    }
    // SQLite would treat a file smaller than its smallest page as an empty database and overwrite
    // it, and notices a truncated file only when it reads the missing part. The size is read after
    // the header, because another process may be creating the store at this moment, and such a file
    // only grows.
    let size = try connection.fileSize()
    guard size >= smallestPageBytes, head.count == headerBytes,
      size >= statedBytes(head) || hasLog(path)
    else {
      throw .damaged(path: path, detail: "cut short after \(size) bytes")
    }
  }

  /// Checks that a file that SQLite has opened but not read is a store or empty. Nothing is
  /// written, and no log is checkpointed or rolled back: SQLite would do so before it could know,
  /// and at the latest when it closes the file.
  ///
  /// This holds for the states found; another process may write new ones, so the check is repeated
  /// through SQLite afterwards.
  /// - Throws: ``DatabaseError`` if it is another program's database or a store of a newer version,
  ///   judged by the file's contents once SQLite has applied its logs.
  package static func checkOwner(of connection: Connection, format: DatabaseFormat)
    throws(DatabaseError)
  {
    let path = connection.path
    let file = resolved(path)
    // The log is read first: anything checkpointed from it meanwhile is then in the file.
    let log = WriteAheadLog(path: file + "-wal")
    let logged = log?.firstPages() ?? []
    let own = FirstPage(try connection.fileBytes(at: 0, count: FirstPage.bytes))
    // A journal is rolled back before a log is read.
    _ = try RollbackJournal.firstPage(path: file + "-journal")?.version(of: format, path: path)
    // If all of them belong to a store, it does not matter which one counts.
    if (logged + [own].compactMap { $0 }).allSatisfy({ $0.isUsable(by: format) }) { return }
    _ = try (log?.committedFirstPage() ?? own)?.version(of: format, path: path)
  }

  /// The size of the file according to the header: the number of pages (offset 28) times their size
  /// (offset 16, where 1 means 65 536).
  private static func statedBytes(_ head: [UInt8]) -> Int {
    func number(at offset: Int, bytes: Int) -> Int {
      head[offset..<offset + bytes].reduce(0) { $0 << 8 | Int($1) }
    }
    let page = number(at: 16, bytes: 2)
    return number(at: 28, bytes: 4) * (page == 1 ? 65_536 : page)
  }

  /// The suffixes of the files in which SQLite keeps pages outside the database: the write-ahead
  /// log and the rollback journal.
  package static let logSuffixes = ["-wal", "-journal"]

  /// Resolves the symbolic links of a path. SQLite's own files are next to the resolved file, so
  /// every suffix is appended to its path.
  package static func resolved(_ path: String) -> String { FilePath(path).resolved }

  /// Returns whether a write-ahead log exists next to the file. It may contain pages that the
  /// header counts.
  private static func hasLog(_ path: String) -> Bool {
    var status = stat()
    return stat(resolved(path) + "-wal", &status) == 0 && status.st_size > 0
  }

  /// Creates an empty file of mode 0600, and its missing parent folders, accessible only to their
  /// owner. A file that another process creates meanwhile is used as it is.
  ///
  /// - Throws: ``DatabaseError``, after removing the folders that were created.
  package static func make(path: String) throws(DatabaseError) {
    let (folders, code) = FilePath(FilePath(path).folder).makeFolders()
    do throws(DatabaseError) {
      guard code == 0 else {
        throw .cannotOpen(path: path, reason: "its folder cannot be created (\(reason(code)))")
      }
      try makeFile(path: path)
    } catch {
      for folder in folders.reversed() { rmdir(folder) }
      throw error
    }
  }

  private static func makeFile(path: String) throws(DatabaseError) {
    // SQLite gives the WAL files the mode of the database. A file that another thread has created
    // meanwhile is not opened, because closing it would release SQLite's locks.
    var file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file < 0, errno == EEXIST {
      var status = stat()
      if stat(path, &status) == 0 {
        // It was empty, or another process created it and it already has this mode.
        guard status.st_size > 0 || chmod(path, 0o600) == 0 else {
          throw .cannotOpen(path: path, reason: reason(errno))
        }
        return
      }
      file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)  // a symbolic link to no file yet
    }
    guard file >= 0 else {
      if [ENOSPC, EDQUOT].contains(errno) { throw .diskFull(path: path) }
      throw .cannotOpen(path: path, reason: reason(errno))
    }
    close(file)
  }

  private static func reason(_ code: Int32) -> String { String(cString: strerror(code)) }

  /// Returns the files of a database, under any name, with a description of each. They are never
  /// overwritten, and are opened only by SQLite: a process that closes such a file loses all its
  /// locks on it.
  ///
  /// - Parameter name: the description of the database, such as `the store`.
  package static func files(of path: String, name: String) -> [FileIdentity: String] {
    var files: [FileIdentity: String] = [:]
    for suffix in ["-shm"] + logSuffixes {
      guard let identity = FileIdentity(path: resolved(path) + suffix) else { continue }
      files[identity] = "a file that belongs to \(name)"
    }
    if let identity = FileIdentity(path: path) { files[identity] = "\(name) itself" }
    return files
  }
}

import ByteStreams
import CSQLite
import Foundation

/// What is done with a store's file before SQLite sees it.
package enum DatabaseFile {
  /// The first bytes of every SQLite database (https://www.sqlite.org/fileformat.html, section
  /// 1.2).
  package static let magic = Array("SQLite format 3\0".utf8)

  /// The header's size (section 1.3 of the same document).
  package static let headerBytes = 100

  /// The smallest page of a database (section 1.3.2 of the same document).
  package static let smallestPageBytes = 512

  /// Looks whether there is a file that may be a store. Makes nothing.
  ///
  /// - Returns: whether there is; where not, one may be made by ``make(path:)``.
  /// - Throws: ``DatabaseError``: missing, unless `creating`; not a file, or not to be opened.
  package static func exists(path: String, creating: Bool) throws(DatabaseError) -> Bool {
    guard !path.isEmpty else { throw .cannotOpen(path: path, reason: "its path is empty") }
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
    // SQLite takes a file of one byte for an empty one, and says so when it is asked for the size.
    guard status.st_size != 1 else { throw .notADatabase(path: path) }
    // An empty file is an empty database, where a store is wanted.
    guard status.st_size > 0 || creating else { throw .missing(path: path) }
    return true
  }

  /// Whether a file begins as an SQLite database does. It is read through SQLite's hands: closing a
  /// file of our own would take the locks away that this process may have on it
  /// (``Connection/fileSize()``).
  package static func isDatabase(path: String) -> Bool {
    guard let connection = try? Connection(path: path, flags: SQLITE_OPEN_READONLY) else {
      return false
    }
    return (try? connection.fileBytes(at: 0, count: magic.count)) == magic
  }

  /// Checks that a file which SQLite has opened, and has not looked at, is a whole database.
  ///
  /// - Throws: ``DatabaseError``: not a database, or cut short.
  package static func checkWholeness(of connection: Connection) throws(DatabaseError) {
    let path = connection.path
    let head = try connection.fileBytes(at: 0, count: headerBytes)
    if head.isEmpty { return }
    guard head.count >= magic.count, head.starts(with: magic) else {
      throw .notADatabase(path: path)
    }
    // SQLite would take a file of less than its smallest page for an empty database, and write over
    // it; and one that lost its end is noticed by it only where it reads there. The size is asked
    // for after the header was read: another process may be making the store right now, and a file
    // that is being made only grows.
    let size = try connection.fileSize()
    guard size >= smallestPageBytes, head.count == headerBytes,
      size >= statedBytes(head) || hasLog(path)
    else {
      throw .damaged(path: path, detail: "cut short after \(size) bytes")
    }
  }

  /// Checks that a file which SQLite has opened, and has not looked at, is a store, or empty.
  /// Nothing is written, and no log is brought in or put back: SQLite would do so before it can
  /// tell, and at the latest when it closes the file.
  ///
  /// This holds for the states that are found; another process may bring new ones, so SQLite is
  /// asked again afterwards.
  /// - Throws: ``DatabaseError``: another program's database, or a store of a newer version, by
  ///   what the file will hold once SQLite has brought in the logs beside it.
  package static func checkOwner(of connection: Connection, format: DatabaseFormat)
    throws(DatabaseError)
  {
    let path = connection.path
    let file = resolved(path)
    // The log first: what is brought in from it meanwhile is then in the file.
    let log = WriteAheadLog(path: file + "-wal")
    let logged = log?.firstPages() ?? []
    let own = FirstPage(try connection.fileBytes(at: 0, count: FirstPage.bytes))
    // A journal is put back before a log is read.
    _ = try RollbackJournal.firstPage(path: file + "-journal")?.version(of: format, path: path)
    // While all of them are a store's, it does not matter which one counts.
    if (logged + [own].compactMap { $0 }).allSatisfy({ $0.isUsable(by: format) }) { return }
    _ = try (log?.committedFirstPage() ?? own)?.version(of: format, path: path)
  }

  /// Bytes that the header says the file has: its pages (offset 28) of a size (offset 16, where 1
  /// means 65 536).
  private static func statedBytes(_ head: [UInt8]) -> Int {
    func number(at offset: Int, bytes: Int) -> Int {
      head[offset..<offset + bytes].reduce(0) { $0 << 8 | Int($1) }
    }
    let page = number(at: 16, bytes: 2)
    return number(at: 28, bytes: 4) * (page == 1 ? 65_536 : page)
  }

  /// What SQLite calls the files that it keeps beside a database until they are brought in: the
  /// write-ahead log and the rollback journal.
  package static let logSuffixes = ["-wal", "-journal"]

  /// The file that a path means, without symbolic links. SQLite's own files stand beside that one,
  /// so every suffix is put to this.
  package static func resolved(_ path: String) -> String { FilePath(path).resolved }

  /// Whether a write-ahead log stands beside the file: pages that the header counts may be in there
  /// still.
  private static func hasLog(_ path: String) -> Bool {
    var status = stat()
    return stat(resolved(path) + "-wal", &status) == 0 && status.st_size > 0
  }

  /// Makes an empty file of mode 0600, with the folders above it that are missing, its owner's
  /// alone. One that another process has made meanwhile is as good.
  ///
  /// - Throws: ``DatabaseError``; folders that were made are gone then.
  package static func make(path: String) throws(DatabaseError) {
    let (folders, code) = FilePath(FilePath(path).folder).makeFolders()
    do throws(DatabaseError) {
      guard code == 0 else {
        throw .cannotOpen(path: path, reason: "its folder cannot be made (\(reason(code)))")
      }
      try makeFile(path: path)
    } catch {
      for folder in folders.reversed() { rmdir(folder) }
      throw error
    }
  }

  private static func makeFile(path: String) throws(DatabaseError) {
    // SQLite gives the WAL files the mode of the database. A file that another thread has made
    // meanwhile is not opened: closing it would take SQLite's locks away.
    var file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    if file < 0, errno == EEXIST {
      var status = stat()
      if stat(path, &status) == 0 {
        // It was empty, or another process has made it: then it has this mode already.
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

  /// The files of a database, by whatever name, and what each is. They are never written over, and
  /// never opened but by SQLite: a process that closes such a file loses all its locks on it.
  ///
  /// - Parameter name: what the database is called, such as `the store`.
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

import ByteStreams
import CSQLite
import Foundation

/// A database opened only for reading, without creating or changing anything in its folder.
///
/// A database without a log is read in place, as one that never changes (SQLite's `immutable`),
/// since every other way of opening it creates files next to it. A database with a log that was not
/// checkpointed is copied into a separate folder, accessible only to its owner, and read there.
/// ``isUnchanged`` detects changes made meanwhile.
package final class FrozenDatabase {
  /// The path of the database.
  package let path: String
  private let scratch: ScratchFolder?
  private let name: String
  private let flags: Int32
  private let fileSystem: String?
  private let fingerprint: [FileState?]

  /// Determines how to read a database, and copies it if necessary.
  ///
  /// - Throws: ``DatabaseError`` if it cannot be opened, is truncated, or cannot be copied.
  package init(path: String, fileSystem: String? = nil) throws(DatabaseError) {
    self.path = path
    self.fileSystem = fileSystem
    fingerprint = Self.states(of: path)
    let file = FilePath(path).resolved
    let inPlace = try Connection(
      path: path, flags: SQLITE_OPEN_READONLY, name: file, fileSystem: fileSystem)
    try DatabaseFile.checkWholeness(of: inPlace)
    let logs = DatabaseFile.logSuffixes.filter { (FileState(file + $0)?.size ?? 0) > 0 }
    guard !logs.isEmpty else {
      (scratch, name) = (nil, "file:\(Self.escaped(file))?immutable=1")
      flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI
      return
    }
    do {
      let scratch = try ScratchFolder(kind: "roqua-copy", for: Self.copyNames)
      let copy = FilePath(scratch.path).appending(Self.copyName)
      try Self.copy(inPlace, to: copy)
      for suffix in logs { try Self.copy(file + suffix, to: copy + suffix) }
      (self.scratch, name, flags) = (scratch, copy, SQLITE_OPEN_READWRITE)
    } catch {
      if let error = error as? DatabaseError { throw error }
      let reason = (error as? FileFailure)?.reason ?? "\(error)"
      throw .cannotOpen(path: path, reason: "it cannot be copied with its log (\(reason))")
    }
  }

  /// Opens another connection to it, which must not outlive this object.
  package func connection() throws(DatabaseError) -> Connection {
    try Connection(path: path, flags: flags, name: name, fileSystem: fileSystem)
  }

  /// Whether the files are still those that existed in `init`.
  package var isUnchanged: Bool { Self.states(of: path) == fingerprint }

  private static let copyName = "database"
  /// The files of a copy: those copied, and those that SQLite creates next to it.
  private static let copyNames = (["", "-shm"] + DatabaseFile.logSuffixes).map { copyName + $0 }

  /// Properties that change when a file changes.
  private struct FileState: Equatable {
    let size: Int
    let identity: FileIdentity
    let seconds: Int
    let nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      (size, identity) = (Int(status.st_size), FileIdentity(status))
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec)
    }
  }

  /// Returns the states of the database and its logs; an empty log counts as none.
  private static func states(of path: String) -> [FileState?] {
    let file = FilePath(path).resolved
    return ([""] + DatabaseFile.logSuffixes).map { suffix in
      FileState(file + suffix).flatMap { $0.size == 0 && suffix != "" ? nil : $0 }
    }
  }

  /// Escapes a path for SQLite's URIs (https://www.sqlite.org/uri.html).
  private static func escaped(_ path: String) -> String {
    let plain = Set("/-_.~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    return path.utf8.reduce(into: "") { text, byte in
      text += plain.contains(byte) ? String(UnicodeScalar(byte)) : "%" + Hexadecimal.text([byte])
    }
  }

  /// Copies the file unchanged, through SQLite, because this same process may have it open.
  private static func copy(_ database: Connection, to path: String) throws {
    var offset: Int64 = 0
    try FilePath(path).write {
      let bytes = try database.fileBytes(at: offset, count: copiedBytes)
      offset += Int64(bytes.count)
      return bytes
    }
  }

  /// Copies a log. SQLite holds no locks on logs, so closing one releases none.
  private static func copy(_ log: String, to path: String) throws {
    guard let file = SideFile(path: log) else { throw FileFailure(path: log, code: errno) }
    var offset = 0
    try FilePath(path).write {
      let bytes = file.someBytes(at: offset, count: copiedBytes)
      offset += bytes.count
      return bytes
    }
  }

  /// Number of bytes copied at a time.
  private static let copiedBytes = 1 << 20
}

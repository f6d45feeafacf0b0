import ByteStreams
import CSQLite
import Dispatch
import Foundation
import Synchronization

/// The connections that read a store. A connection taken from the pool belongs to the thread that
/// took it.
///
/// A store that cannot be written is read in place or as a copy (``FrozenDatabase``); one without a
/// file yet reads as a new store.
package final class ReaderPool: Sendable {
  private let path: String
  private let options: DatabaseOptions
  private let state = Mutex(State())
  /// Counts the readers that may still be taken.
  private let readers = DispatchSemaphore(value: maximumReaderCount)

  /// Unchecked `Sendable`: only accessed under the lock, except readers, which belong to one thread
  /// at a time.
  private struct State: @unchecked Sendable {
    var idle: [Reader] = []
    /// How the file is read; nil if it does not exist.
    var source: Source?
  }

  /// The origin of the data.
  private enum Source {
    /// The file, which may be written meanwhile.
    case live
    /// The file, which cannot be written. The database is opened with the first read, and again if
    /// it has changed.
    case frozen(FrozenDatabase?)
  }

  private struct Reader {
    let connection: Connection
    /// The frozen database that the connection reads, if any.
    var frozen: FrozenDatabase?
    /// Whether it reads a new temporary store, since there was no file.
    var isTemporary = false
  }

  /// Whether this thread has a reader.
  @TaskLocal private static var isReading = false

  /// Maximum number of readers in use at a time, not counting nested reads: a reader fills up to
  /// 40 MB of cache.
  package static let maximumReaderCount = 16
  /// Maximum number of idle connections. A handful serves any number of threads that take turns;
  /// more would only occupy memory.
  private static let maximumIdleCount = 8

  /// Creates a pool for the file at a path.
  package init(path: String, options: DatabaseOptions) {
    self.path = path
    self.options = options
  }

  /// Announces that the file exists.
  ///
  /// - Parameter isFrozen: whether the file cannot be written. If so, it is also checked to be a
  ///   store of this version.
  /// - Throws: ``DatabaseError``.
  package func open(isFrozen: Bool) throws(DatabaseError) {
    state.withLock { state in
      state.idle = []
      state.source = isFrozen ? .frozen(nil) : .live
    }
    guard isFrozen else { return }
    try withReader { (connection) throws(DatabaseError) in
      let version = try options.format.committedVersion(
        of: connection, verifying: !options.acceptsAlteredSchema)
      guard version == options.format.currentVersion else {
        throw .readOnly(
          path: path,
          reason: version == 0
            ? "it is empty"
            : "it was created by an older version (format \(version)) and must be upgraded first")
      }
    }
  }

  /// Runs `body` with a connection of its own. Waits if ``maximumReaderCount`` readers are in use.
  ///
  /// - Parameter isCancelled: returns whether the work is canceled, which ends the wait; nil if it
  ///   cannot be canceled.
  /// - Throws: ``DatabaseError``; ``DatabaseError/changedWhileRead(path:)`` if another user changed
  ///   a file that this process cannot write.
  package func withReader<T>(
    unless isCancelled: (() -> Bool)? = nil, _ body: (Connection) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    try withReaderResult(unless: isCancelled) { (connection) throws(DatabaseError) in
      try body(connection)
    }.get()
  }

  /// Runs `body` with a connection of its own, even if ``maximumReaderCount`` readers are in use.
  /// A writer calls it: if it waited for a reader that waits for the writer, neither would go on.
  package func withReaderAtOnce<T>(
    _ body: (Connection) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    // As for a nested read.
    try Self.$isReading.withValue(true) {
      Result { () throws(DatabaseError) in try withReader(body) }
    }.get()
  }

  /// Runs `body`, which may throw any error, with a connection of its own.
  ///
  /// - Throws: the same errors as ``withReader(unless:_:)``; the errors of `body` are in the
  ///   result.
  package func withReaderResult<T, Failure: Error>(
    unless isCancelled: (() -> Bool)?, _ body: (Connection) throws(Failure) -> T
  ) throws(DatabaseError) -> Result<T, Failure> {
    // A nested read does not wait: otherwise all readers could wait for each other.
    let isNested = Self.isReading
    guard isNested || readers.wait(unless: isCancelled) else { throw .interrupted(path: path) }
    defer { if !isNested { readers.signal() } }
    return try Self.$isReading.withValue(true) {
      Result { () throws(DatabaseError) in try readResult(body) }
    }.get()
  }

  private func readResult<T, Failure: Error>(
    _ body: (Connection) throws(Failure) -> T
  ) throws(DatabaseError) -> Result<T, Failure> {
    let reader = try take()
    let result = Result { () throws(Failure) in try body(reader.connection) }
    // Apparent damage may only be a change.
    guard reader.frozen?.isUnchanged ?? true else { throw .changedWhileRead(path: path) }
    giveBack(reader)
    return result
  }

  private func take() throws(DatabaseError) -> Reader {
    let (idle, source) = state.withLock { state in (state.idle.popLast(), state.source) }
    if let idle, isCurrent(idle) { return idle }
    switch source {
    case .live: return Reader(connection: try live(SQLITE_OPEN_READWRITE))
    case .frozen(let known): return try frozen(known)
    case nil:
      // The file may have been created meanwhile, possibly by another process, and may already have
      // its tables.
      if FileIdentity(path: path) != nil {
        let connection = try live(SQLITE_OPEN_READWRITE)
        let version = try options.format.committedVersion(
          of: connection, verifying: !options.acceptsAlteredSchema)
        if version == options.format.currentVersion { return Reader(connection: connection) }
      }
      return Reader(
        connection: try Connection.temporary(for: path, format: options.format), isTemporary: true)
    }
  }

  /// Returns whether an idle reader still reads what is at the path: an empty database only as long
  /// as nothing is there.
  private func isCurrent(_ reader: Reader) -> Bool {
    if reader.isTemporary { return FileIdentity(path: path) == nil }
    return reader.frozen?.isUnchanged ?? true
  }

  private func live(_ flags: Int32) throws(DatabaseError) -> Connection {
    let connection = try Connection(
      path: path, flags: flags, fileSystem: options.fileSystem)
    try Pragmas.tuneReader(connection, savingMemory: options.savesMemory)
    return connection
  }

  /// Returns a reader of a file that this process cannot write. If another process has it open for
  /// writing, its log is read too, by means of the shared-memory file next to it.
  private func frozen(_ known: FrozenDatabase?) throws(DatabaseError) -> Reader {
    if access(FilePath(path).resolved + "-shm", R_OK) == 0,
      let connection = try? live(SQLITE_OPEN_READONLY),
      (try? connection.integer("PRAGMA schema_version")) != nil
    {
      return Reader(connection: connection)
    }
    let database: FrozenDatabase
    if let known, known.isUnchanged {
      database = known
    } else {
      database = try FrozenDatabase(path: path, fileSystem: options.fileSystem)
      state.withLock { $0.source = .frozen(database) }
    }
    let connection = try database.connection()
    try Pragmas.tuneReader(connection, savingMemory: options.savesMemory)
    return Reader(connection: connection, frozen: database)
  }

  private func giveBack(_ reader: Reader) {
    state.withLock { state in
      guard state.idle.count < Self.maximumIdleCount else { return }
      state.idle.append(reader)
    }
  }
}

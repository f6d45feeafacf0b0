import ByteStreams
import CSQLite
import Dispatch
import Foundation
import Synchronization

/// The connections that read a store. One that was taken out belongs to the thread that took it.
///
/// A store that cannot be written is read as it lies (``FrozenDatabase``); one that has no file yet
/// reads as a new one.
package final class ReaderPool: Sendable {
  private let path: String
  private let options: DatabaseOptions
  private let state = Mutex(State())
  /// Counts the readers that may still be taken.
  private let readers = DispatchSemaphore(value: maximumReaderCount)

  /// Unchecked `Sendable`: only touched under the lock, but for readers, which one thread has at a
  /// time.
  private struct State: @unchecked Sendable {
    var idle: [Reader] = []
    /// How the file is read; nil while there is none.
    var source: Source?
  }

  /// Where the bytes come from.
  private enum Source {
    /// The file, which is written meanwhile.
    case live
    /// The file, whose folder cannot be written. Found out when it is asked first, and again where
    /// it has changed.
    case frozen(FrozenDatabase?)
  }

  private struct Reader {
    let connection: Connection
    /// What the connection reads, where that is not to change.
    var frozen: FrozenDatabase?
    /// Whether it reads a new store in memory, since there was no file.
    var isTemporary = false
  }

  /// Whether this thread has a reader.
  @TaskLocal private static var isReading = false

  /// Readers in use at a time, but for those of reads inside reads: a reader fills up to 40 MB of
  /// cache.
  package static let maximumReaderCount = 16
  /// Connections kept for their next use. A handful serves any number of threads that take turns;
  /// more would only hold memory.
  private static let maximumIdleCount = 8

  /// Readers of the file at a path.
  package init(path: String, options: DatabaseOptions) {
    self.path = path
    self.options = options
  }

  /// Says that there is a file.
  ///
  /// - Parameter isFrozen: whether it cannot be written; then it is looked whether it is a store of
  ///   this version, too.
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
            : "an older version made it (format \(version)), and it must be upgraded first")
      }
    }
  }

  /// Runs `body` with a connection that nobody else has meanwhile. Waits where
  /// ``maximumReaderCount`` readers are in use.
  ///
  /// - Throws: ``DatabaseError``; ``DatabaseError/changedWhileRead(path:)`` where a file that
  ///   cannot be written was changed by somebody who can.
  package func withReader<T>(
    _ body: (Connection) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    try withReaderResult { (connection) throws(DatabaseError) in try body(connection) }.get()
  }

  /// Runs `body`, which may throw anything, with a connection that nobody else has meanwhile.
  ///
  /// - Throws: as ``withReader(_:)``; the result has what `body` throws.
  package func withReaderResult<T, Failure: Error>(
    _ body: (Connection) throws(Failure) -> T
  ) throws(DatabaseError) -> Result<T, Failure> {
    // A read inside a read does not wait: all of them could wait for each other.
    let isNested = Self.isReading
    if !isNested { readers.wait() }
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
    // What looks like damage may only be a change.
    guard reader.frozen?.isUnchanged ?? true else { throw .changedWhileRead(path: path) }
    giveBack(reader)
    return result
  }

  private func take() throws(DatabaseError) -> Reader {
    let (idle, source) = state.withLock { state in (state.idle.popLast(), state.source) }
    if let idle, idle.frozen?.isUnchanged ?? true { return idle }
    switch source {
    case .live: return Reader(connection: try live(SQLITE_OPEN_READWRITE))
    case .frozen(let known): return try frozen(known)
    case nil:
      // It may have been made meanwhile, also by another process, and have its tables already.
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

  private func live(_ flags: Int32) throws(DatabaseError) -> Connection {
    let connection = try Connection(
      path: path, flags: flags, fileSystem: options.fileSystem)
    try Pragmas.tuneReader(connection)
    return connection
  }

  /// A reader of a file that this process cannot write. Where another one writes it at the moment,
  /// its log is read with it, by the file of shared memory that stands beside it.
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
    try Pragmas.tuneReader(connection)
    return Reader(connection: connection, frozen: database)
  }

  private func giveBack(_ reader: Reader) {
    state.withLock { state in
      guard !reader.isTemporary, state.idle.count < Self.maximumIdleCount else { return }
      state.idle.append(reader)
    }
  }
}

import ByteStreams
import CSQLite
import Foundation
import Synchronization

/// The connections that read a store. One that was taken out belongs to the thread that took it.
///
/// A store that cannot be written is read as it lies (``FrozenDatabase``); one that has no file yet reads
/// as a new one.
final class ReaderPool: Sendable {
  private let path: String
  private let options: StoreOptions
  private let state = Mutex(State())

  /// Unchecked `Sendable`: only touched under the lock, but for readers, which one thread has at a time.
  private struct State: @unchecked Sendable {
    var idle: [Reader] = []
    /// How the file is read; nil while there is none.
    var source: Source?
  }

  /// Where the bytes come from.
  private enum Source {
    /// The file, which is written meanwhile.
    case live
    /// The file, whose folder cannot be written. Found out when it is asked first, and again where it has changed.
    case frozen(FrozenDatabase?)
  }

  private struct Reader {
    let connection: Connection
    /// What the connection reads, where that is not to change.
    var frozen: FrozenDatabase?
    /// Whether it reads a new store in memory, since there was no file.
    var isTemporary = false
  }

  /// Connections that wait for their next use. A handful serves any number of threads that take turns; more would only
  /// hold memory.
  private static let maximumIdleCount = 8

  /// Readers of the file at a path.
  init(path: String, options: StoreOptions) {
    self.path = path
    self.options = options
  }

  /// Says that there is a file.
  ///
  /// - Parameter isFrozen: whether it cannot be written; then it is looked whether it is a store of this version, too.
  /// - Throws: ``StoreError``.
  func open(isFrozen: Bool) throws(StoreError) {
    state.withLock { state in
      state.idle = []
      state.source = isFrozen ? .frozen(nil) : .live
    }
    guard isFrozen else { return }
    try withReader { (connection) throws(StoreError) in
      let version = try Schema.committedVersion(of: connection, verifying: !options.acceptsAlteredSchema)
      guard version == Schema.currentVersion else {
        throw .readOnly(
          path: path,
          reason: version == 0
            ? "it is empty"
            : "an older Roqua made it (store version \(version)), and it must be brought up to date first")
      }
    }
  }

  /// Runs `body` with a connection that nobody else has meanwhile.
  ///
  /// - Throws: ``StoreError``; ``StoreError/changedWhileRead(path:)`` where a file that cannot be written was changed by
  ///   somebody who can.
  func withReader<T>(_ body: (Connection) throws(StoreError) -> T) throws(StoreError) -> T {
    let reader = try take()
    do throws(StoreError) {
      let result = try body(reader.connection)
      guard reader.frozen?.isUnchanged ?? true else { throw .changedWhileRead(path: path) }
      giveBack(reader)
      return result
    } catch {
      // What looks like damage may only be a change.
      guard reader.frozen?.isUnchanged ?? true else { throw .changedWhileRead(path: path) }
      giveBack(reader)
      throw error
    }
  }

  private func take() throws(StoreError) -> Reader {
    let (idle, source) = state.withLock { state in (state.idle.popLast(), state.source) }
    if let idle, idle.frozen?.isUnchanged ?? true { return idle }
    switch source {
    case .live: return Reader(connection: try live(SQLITE_OPEN_READWRITE))
    case .frozen(let known): return try frozen(known)
    case nil:
      // It may have been made meanwhile, also by another process, and have its tables already.
      if FileIdentity(path: path) != nil {
        let connection = try live(SQLITE_OPEN_READWRITE)
        let version = try Schema.committedVersion(of: connection, verifying: !options.acceptsAlteredSchema)
        if version == Schema.currentVersion { return Reader(connection: connection) }
      }
      return Reader(connection: try Connection.temporary(for: path), isTemporary: true)
    }
  }

  private func live(_ flags: Int32) throws(StoreError) -> Connection {
    let connection = try Connection(
      path: path, flags: flags, fileSystem: options.fileSystem, isVolumeFull: options.isVolumeFull)
    try Pragmas.tuneReader(connection)
    return connection
  }

  /// A reader of a file that this process cannot write. Where another one writes it at the moment, its log is read with
  /// it, by the file of shared memory that stands beside it.
  private func frozen(_ known: FrozenDatabase?) throws(StoreError) -> Reader {
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

import ByteStreams
import CSQLite
import Geodesy
import SQLiteLayer

/// The store of record: one SQLite file with what was imported and what follows from it.
///
/// Safe from any thread. One writer at a time, in this process and among all; readers see one
/// unchanging state each and never wait for the writer. Up to 16 readers work at a time; another
/// one waits. `docs/concurrency.md` gives the rules and their reasons.
///
/// ```swift
/// let store = try Store(path: "tracks.roqua", creating: true)
/// let count = try await store.read { snapshot in try snapshot.counts().visitedRegions }
/// ```
///
/// Unchecked `Sendable`: `recordingTables`, `erasureDue`, `foreignState` and `writing` are only
/// touched under `writerLock`, or before anybody has the store; `reading` and `tiles` have locks of
/// their own.
public final class Store: @unchecked Sendable {
  /// The database file.
  public let path: String
  /// What was given when it was opened.
  package let options: StoreOptions

  private let writerLock = WriterLock()
  private var writing: Writing
  /// What the last transaction left for a recording's next one. Here, not on the connection, which
  /// the tables hold.
  private var recordingTables: RecordingTables?
  /// Which regions the present transaction changes.
  private let regionChanges = RegionChanges()
  /// When to look next whether deleted bytes are in the files still; nil where there are none.
  private var erasureDue: ContinuousClock.Instant? = .now
  private let reading: ReaderPool
  private let tiles: CachedTiles
  /// Those who listen to changes.
  let listeners = StoreListeners()
  /// The state after which changes of other connections were announced; nil before the first look.
  private var foreignState: ForeignState?

  /// How a store is changed.
  private enum Writing {
    /// By this connection, as long as its place is its own.
    case by(DatabaseWriter)
    /// There is no file yet: the first change creates it.
    case afterMaking
    /// Not at all, for this reason.
    case refused(DatabaseError)
  }

  /// Opens the store in a file.
  ///
  /// A new file and its WAL files are readable and writable by their owner only. A file that is no
  /// store is left as it is. One that cannot be written, or that has several names, can be read;
  /// changes throw.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - creating: whether to create the file, and the folders above it, where there is none.
  ///   - options: what the store needs to know beyond its file.
  /// - Throws: `DatabaseError`.
  public init(
    path: String, creating: Bool, options: StoreOptions = StoreOptions()
  ) throws(DatabaseError) {
    self.path = path
    self.options = options
    tiles = CachedTiles(capacity: options.cachedTileBytes)
    reading = ReaderPool(path: path, options: options.database)
    if try !DatabaseFile.exists(path: path, creating: creating), options.isMadeByFirstChange {
      writing = .afterMaking
      return
    }
    if case .readOnly(let reason) = DatabaseAccess(path: path), FileIdentity(path: path) != nil {
      writing = .refused(reason)
      try reading.open(isFrozen: true)
    } else {
      try DatabaseFile.make(path: path)
      writing = .by(try DatabaseWriter(path: path, options: options.database))
      try reading.open(isFrozen: false)
    }
  }

  /// The connection that writes, in its own place. Call it under ``writerLock``.
  ///
  /// - Throws: `DatabaseError`: why nothing can be changed.
  private func openWriter() throws(DatabaseError) -> DatabaseWriter {
    switch writing {
    case .by(let writer): return writer
    case .refused(let reason): throw reason
    case .afterMaking:
      try DatabaseFile.make(path: path)
      let writer = try DatabaseWriter(path: path, options: options.database)
      writing = .by(writer)
      try reading.open(isFrozen: false)
      return writer
    }
  }

  /// Makes sure that the path still names the file that was changed: otherwise what was stored is
  /// lost. Nothing to do for a store that nobody has changed.
  ///
  /// - Throws: `DatabaseError.moved(path:)`.
  package func checkPlace() throws(DatabaseError) {
    try writerLock.withLock { () throws(DatabaseError) in
      guard case .by(let writer) = writing else { return }
      do throws(DatabaseError) {
        try writer.place.check()
      } catch {
        writer.connection.emptyLog()
        throw error
      }
    }
  }

  /// Reads one unchanging state of the store, whatever is written meanwhile.
  ///
  /// - Throws: `DatabaseError`, and what `body` throws.
  public func read<T>(_ body: (Snapshot) throws -> T) throws -> T {
    try reading.withReaderResult { reader in
      try Cancellation.watching(reader) {
        try reader.readTransactionResult { try body(snapshot(of: reader)) }.get()
      }
    }.get()
  }

  /// As ``read(_:)``, for a body that throws errors of the database only.
  package func withSnapshot<T>(
    _ body: (Snapshot) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    try withReader { (reader) throws(DatabaseError) in try body(snapshot(of: reader)) }
  }

  private func snapshot(of reader: Connection) throws(DatabaseError) -> Snapshot {
    Snapshot(
      connection: reader, revision: try reader.regionRevision(), tiles: tiles,
      settings: try StoreSettings.read(from: reader))
  }

  /// Runs `body` with a connection that reads one unchanging state, of which nothing is expected.
  ///
  /// - Parameter isSavingMemory: whether `body` goes through the whole store, so that it should
  ///   neither cache nor sort much in memory (`Pragmas.saveMemory(_:)`).
  func withReader<T>(
    isSavingMemory: Bool = false, _ body: (Connection) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    try reading.withReader { (reader) throws(DatabaseError) in
      // Outside the transaction: inside one SQLite may refuse it.
      if isSavingMemory { try Pragmas.saveMemory(reader) }
      defer { if isSavingMemory { try? Pragmas.tuneReader(reader) } }
      return try Cancellation.watching(reader) { () throws(DatabaseError) in
        try reader.readTransaction { () throws(DatabaseError) in try body(reader) }
      }
    }
  }

  /// Writes in one transaction: all of it or, where `body` throws, nothing. Waits for other
  /// writers.
  ///
  /// - Precondition: it is not called inside another write of the same store on the same thread.
  /// - Throws: `DatabaseError`, and what `body` throws.
  public func write<T>(_ body: (WriteSession) throws -> T) throws -> T {
    try writeResult { (session) throws(any Error) in try body(session) }.get()
  }

  /// As ``write(_:)``, for a body that throws errors of the database only.
  package func withSession<T>(
    _ body: (WriteSession) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    try writeResult { (session) throws(DatabaseError) in try body(session) }.get()
  }

  /// - Throws: what the transaction itself throws; the result has what `body` throws.
  private func writeResult<T, Failure: Error>(
    _ body: (WriteSession) throws(Failure) -> T
  ) throws(DatabaseError) -> Result<T, Failure> {
    // Looked up once: a recording comes here with each fix.
    let cancellation = Cancellation.current
    return try writerLock.withLock { () throws(DatabaseError) in
      let (writer, place) = try openWriter().parts
      finishErasure(writer, place)
      try check(cancellation)
      try writer.beginTransaction()
      do throws(DatabaseError) {
        let session = try beginSession(writer)
        let result = Result { () throws(Failure) in
          try Cancellation.watching(writer, for: cancellation) { () throws(Failure) in
            try body(session)
          }
        }
        if case .success = result {
          try check(cancellation)
          try end(session, writer, place)
        } else {
          undo(writer)
        }
        return result
      } catch {
        undo(writer)
        if case .moved = error { writer.emptyLog() }
        throw error
      }
    }
  }

  /// - Throws: `DatabaseError.interrupted(path:)` once it is cancelled.
  private func check(_ cancellation: Cancellation?) throws(DatabaseError) {
    if cancellation?.isCancelled == true { throw .interrupted(path: path) }
  }

  private func beginSession(_ writer: Connection) throws(DatabaseError) -> WriteSession {
    // A recording comes here with each fix: nothing is collected that nobody hears.
    let isHeard = !listeners.isEmpty
    regionChanges.removeAll(collectingCoverage: isHeard)
    let tables = recordingTables.take()
    let session = try WriteSession(connection: writer, changes: regionChanges, options: options)
    session.recordingTables = tables
    if isHeard { session.change = StoreChange() }
    return session
  }

  /// Commits what a session wrote, or undoes it where it was cancelled.
  private func end(
    _ session: WriteSession, _ writer: Connection, _ place: DatabasePlace
  ) throws(DatabaseError) {
    guard !session.isCancelled else {
      try writer.checkTransaction()
      writer.endTransaction()
      return try writer.execute("ROLLBACK")
    }
    if !regionChanges.isEmpty {
      tiles.announce(regionChanges, as: try writer.advanceRegionRevision())
    }
    try place.checkIsOnlyName()
    // The usual way first: a recording takes it for each fix.
    if InterruptHook.isActive {
      try InterruptHook.reach(.committed) { () throws(DatabaseError) in try writer.run("COMMIT") }
    } else {
      try writer.run("COMMIT")
    }
    writer.endTransaction()
    recordingTables = session.nextRecordingTables
    if session.owesErasure { erasureDue = .now }
    announce(session)
  }

  /// Tells the listeners what a session committed.
  private func announce(_ session: WriteSession) {
    if var change = session.change {
      change.areas = regionChanges.tiles
      change.isIncomplete = change.isIncomplete || regionChanges.isEverything
      change.add(coverageTiles: regionChanges.coverageTiles ?? [], of: session.settings.grid)
      listeners.announce(change)
    } else if !listeners.isEmpty {
      // Somebody listens since the transaction began: what it changed was not collected.
      updateForeignState()
      var change = StoreChange()
      change.isIncomplete = true
      listeners.announce(change)
    }
  }

  /// The committed changes of the store, also those of other processes, which are noticed a quarter
  /// of a second later at most, unless this store is read-only or has no file yet. Listens from the
  /// first iteration on.
  public var changes: StoreChanges { StoreChanges(of: self) }

  /// What another connection changes.
  private struct ForeignState {
    /// `PRAGMA data_version` of the writing connection: another number where another connection has
    /// written.
    let dataVersion: Int64
    /// The greatest number of a source.
    let lastSource: Int64
  }

  /// Adds a listener, which hears every transaction that commits from now on. Waits for nobody.
  ///
  /// If nobody listened before, changes of other processes are announced from the present state on,
  /// or from the end of the transaction that is running now: no other process commits during it.
  func addListener() -> StoreListeners.Listener {
    let listener = listeners.add()
    writerLock.withLockIfFree { updateForeignState() }
    return listener
  }

  /// Looks at the state after which changes of other processes are announced, if somebody new
  /// listens. Call it under ``writerLock``.
  private func updateForeignState() {
    if listeners.takeOutdatedState() { foreignState = currentState() }
  }

  private func currentState() -> ForeignState? {
    guard case .by(let writer) = writing,
      let version = try? writer.connection.integer("PRAGMA data_version"),
      let last = try? writer.connection.integer("SELECT coalesce(max(id), 0) FROM sources"),
      last == 0 || StoredRange.rowID.contains(last)
    else { return nil }
    return ForeignState(dataVersion: version, lastSource: last)
  }

  /// Announces what other processes have committed since the last look. Does nothing while somebody
  /// writes.
  func lookForForeignChange() {
    writerLock.withLockIfFree {
      updateForeignState()
      guard let state = currentState() else { return }
      let before = foreignState
      foreignState = state
      guard let before, before.dataVersion != state.dataVersion else { return }
      var change = StoreChange()
      change.isIncomplete = true
      let added = max(0, state.lastSource - before.lastSource)
      if added <= StoreChange.maximumCount {
        change.sourcesChanged = Set(state.lastSource - added + 1..<state.lastSource + 1)
      }
      listeners.announce(change)
    }
  }

  /// After some errors SQLite has rolled back by itself; then this fails, and nothing is left to
  /// undo.
  private func undo(_ writer: Connection) {
    tiles.withdraw()
    writer.endTransaction()
    try? writer.execute("ROLLBACK")
  }

  /// Leaves nothing of what was deleted in the files
  /// (``Connection/erase(waitingMilliseconds:isPatient:isRewriting:)``); false where that was not
  /// possible now.
  func erase(isRewriting: Bool) -> Bool {
    writerLock.withLock {
      guard case .by(let writer) = writing, (try? writer.place.checkIsOnlyName()) != nil else {
        return false
      }
      let isErased = writer.connection.erase(
        waitingMilliseconds: options.eraseTimeoutMilliseconds, isPatient: true,
        isRewriting: isRewriting)
      erasureDue = isErased ? nil : .now + Self.erasureInterval
      return isErased
    }
  }

  /// How long a store waits before it tries again to erase what somebody's reader kept.
  private static let erasureInterval = Duration.seconds(60)

  /// Erases what an earlier deletion, of a program that ended too soon, left in the files. Where
  /// somebody is in the way it is tried again later.
  private func finishErasure(_ writer: Connection, _ place: DatabasePlace) {
    guard let due = erasureDue, due <= .now else { return }
    // Where not even that can be read, what comes next says so.
    guard (try? place.checkIsOnlyName()) != nil, let isOwed = try? writer.owesErasure() else {
      return
    }
    let isErased = !isOwed || writer.erase(waitingMilliseconds: 0, isPatient: false)
    erasureDue = isErased ? nil : .now + Self.erasureInterval
  }

  /// Runs `body` with the connection that writes, outside a transaction.
  func withWriter<T>(_ body: (Connection) throws(DatabaseError) -> T) throws(DatabaseError) -> T {
    try writerLock.withLock { () throws(DatabaseError) in
      let (writer, place) = try openWriter().parts
      try place.checkIsOnlyName()
      return try body(writer)
    }
  }

  /// Moves what the write-ahead log holds into the database file and empties the log, as far as
  /// readers allow. Waits for nobody.
  package func bringInLog() throws(DatabaseError) {
    try withWriter { (writer) throws(DatabaseError) in writer.emptyLog() }
  }

  /// Moves what the write-ahead log holds into the database file and empties the log, as far as
  /// readers allow.
  ///
  /// - Throws: `DatabaseError`; also where the store cannot be changed.
  public func checkpoint() throws(DatabaseError) {
    try withWriter { (writer) throws(DatabaseError) in
      _ = try writer.truncateLog()
    }
  }

  /// Bytes of memory that its cached tiles take, roughly.
  package var cachedTileByteCount: Int { tiles.byteCount }

  /// The files of the store, by whatever name, and what each is. They are never written over.
  package var files: [FileIdentity: String] { DatabaseFile.files(of: path, name: "the store") }
}

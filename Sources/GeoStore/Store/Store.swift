import ByteStreams
import CSQLite
import Geodesy
import SQLiteLayer

/// The store: one SQLite file with all imported data and everything derived from it.
///
/// Safe to use from any thread. Only one writer works at a time, across all processes; each reader
/// sees one unchanging state and never waits for the writer. Up to 16 readers work at a time;
/// further ones wait. Canceling the task of an async call ends its waits, too.
/// `docs/concurrency.md` gives the rules and their reasons.
///
/// ```swift
/// let store = try Store(path: "tracks.roqua", creating: true)
/// let count = try await store.read { snapshot in try snapshot.counts().visitedRegions }
/// ```
///
/// Unchecked `Sendable`: `recordingTables`, `erasureDue`, `announced` and `writing` are only
/// accessed under `writerLock`, or before the store is shared; `reading` and `tiles` have their own
/// locks.
public final class Store: @unchecked Sendable {
  /// The path of the database file.
  public let path: String
  /// The options with which the store was opened.
  package let options: StoreOptions

  private let writerLock = WriterLock()
  private var writing: Writing
  /// Tables that the last transaction of a recording left for the next one. They are kept here
  /// rather than on the connection, because they reference the connection.
  private var recordingTables: RecordingTables?
  /// The regions that the current transaction changes.
  private let regionChanges = RegionChanges()
  /// The time of the next check for deleted bytes in the files; nil if none are left.
  private var erasureDue: ContinuousClock.Instant? = .now
  private let reading: ReaderPool
  private let tiles: CachedTiles
  /// The listeners to changes.
  let listeners = StoreListeners()
  /// The state that the listeners know.
  private var announced = AnnouncedState()

  /// How the store can be changed.
  private enum Writing {
    /// By this connection, as long as the path still names its file.
    case by(DatabaseWriter)
    /// The file does not exist yet: the first change creates it.
    case afterMaking
    /// Changes are refused for this reason.
    case refused(DatabaseError)
  }

  /// Opens the store in a file.
  ///
  /// A new file and its WAL files are readable and writable only by their owner. A file that is not
  /// a store is left unchanged. A file that cannot be written, or has several names, can be read,
  /// but changes throw.
  ///
  /// - Parameters:
  ///   - path: the path of the file.
  ///   - creating: whether to create the file and its parent folders if they are missing.
  ///   - options: further options.
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
      try checkProfile()
    } else {
      try DatabaseFile.make(path: path)
      let writer = try DatabaseWriter(path: path, options: options.database)
      try Self.claim(writer.connection, options: options)
      writing = .by(writer)
      try reading.open(isFrozen: false)
    }
  }

  /// Returns the connection that writes, creating the file if needed. Call it under ``writerLock``.
  ///
  /// - Throws: `DatabaseError`, with the reason why the store cannot be changed.
  private func openWriter() throws(DatabaseError) -> DatabaseWriter {
    switch writing {
    case .by(let writer): return writer
    case .refused(let reason): throw reason
    case .afterMaking:
      try DatabaseFile.make(path: path)
      let writer = try DatabaseWriter(path: path, options: options.database)
      try Self.claim(writer.connection, options: options)
      writing = .by(writer)
      try reading.open(isFrozen: false)
      return writer
    }
  }

  /// Checks that the path still names the file that was written; otherwise the stored data is lost.
  /// Does nothing if the store was not changed, or if the work is canceled and another writer has
  /// the lock: what was stored is committed, and that writer checks the same.
  ///
  /// - Throws: `DatabaseError.moved(path:)`.
  package func checkPlace() throws(DatabaseError) {
    _ = try writerLock.withLock(unless: Cancellation.current) { () throws(DatabaseError) in
      guard case .by(let writer) = writing else { return }
      do throws(DatabaseError) {
        try writer.place.check()
      } catch {
        writer.connection.emptyLog()
        throw error
      }
    }
  }

  /// Reads one unchanging state of the store, regardless of concurrent writes.
  ///
  /// - Throws: `DatabaseError`, and any error that `body` throws.
  public func read<T>(_ body: (Snapshot) throws -> T) throws -> T {
    try reading.withReaderResult(unless: Cancellation.currentTest) { reader in
      try Cancellation.watching(reader) {
        try reader.readTransactionResult { try body(snapshot(of: reader)) }.get()
      }
    }.get()
  }

  /// Like ``read(_:)``, for a body that throws only errors of the database.
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

  /// Runs `body` with a connection that reads one unchanging state. Unlike ``withSnapshot(_:)``, it
  /// reads nothing from that state first.
  ///
  /// - Parameter isSavingMemory: whether `body` reads the whole store, so that it should cache and
  ///   sort little in memory (`Pragmas.saveMemory(_:)`).
  package func withReader<T>(
    isSavingMemory: Bool = false, _ body: (Connection) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    try reading.withReader(unless: Cancellation.currentTest) { (reader) throws(DatabaseError) in
      // Set outside the transaction: SQLite may refuse it inside one.
      if isSavingMemory { try Pragmas.saveMemory(reader) }
      defer {
        if isSavingMemory { try? Pragmas.tuneReader(reader, savingMemory: options.savesMemory) }
      }
      return try Cancellation.watching(reader) { () throws(DatabaseError) in
        try reader.readTransaction { () throws(DatabaseError) in try body(reader) }
      }
    }
  }

  /// Writes in one transaction, which is undone completely if `body` throws. Waits for other
  /// writers.
  ///
  /// - Precondition: the call is not inside another write of the same store on the same thread.
  /// - Throws: `DatabaseError`, and any error that `body` throws.
  public func write<T>(_ body: (WriteSession) throws -> T) throws -> T {
    try writeResult { (session) throws(any Error) in try body(session) }.get()
  }

  /// Like ``write(_:)``, for a body that throws only errors of the database.
  package func withSession<T>(
    _ body: (WriteSession) throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    try writeResult { (session) throws(DatabaseError) in try body(session) }.get()
  }

  /// Writes in one transaction, and returns the result of `body`.
  ///
  /// - Throws: errors of the transaction itself; those of `body` are in the result.
  private func writeResult<T, Failure: Error>(
    _ body: (WriteSession) throws(Failure) -> T
  ) throws(DatabaseError) -> Result<T, Failure> {
    // Looked up only once, because a recording calls this for each fix.
    let cancellation = Cancellation.current
    return try withWriterLock(unless: cancellation) { () throws(DatabaseError) in
      let (writer, place) = try openWriter().parts
      finishErasure(writer, place)
      try check(cancellation)
      try Cancellation.watching(writer, for: cancellation) { () throws(DatabaseError) in
        try writer.beginTransaction()
      }
      do throws(DatabaseError) {
        let session = try beginSession(writer, place)
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

  /// Runs `body` while holding the writer's lock.
  ///
  /// - Throws: `DatabaseError.interrupted(path:)` if the work is canceled while it waits.
  private func withWriterLock<T>(
    unless cancellation: Cancellation? = Cancellation.current,
    _ body: () throws(DatabaseError) -> T
  ) throws(DatabaseError) -> T {
    guard let result = try writerLock.withLock(unless: cancellation, body) else {
      throw .interrupted(path: path)
    }
    return result
  }

  /// Throws an error if the work is canceled.
  ///
  /// - Throws: `DatabaseError.interrupted(path:)`.
  private func check(_ cancellation: Cancellation?) throws(DatabaseError) {
    if cancellation?.isCancelled == true { throw .interrupted(path: path) }
  }

  private func beginSession(
    _ writer: Connection, _ place: DatabasePlace
  ) throws(DatabaseError) -> WriteSession {
    // A recording calls this for each fix: changes are collected only if there are listeners.
    let isHeard = listeners.needsEverything
    regionChanges.removeAll(collectingCoverage: isHeard)
    let tables = recordingTables.take()
    let session = try WriteSession(
      connection: writer, at: place, readers: reading, changes: regionChanges, options: options)
    session.recordingTables = tables
    if isHeard { session.change = StoreChange() }
    return session
  }

  /// Commits the session, or rolls it back if it was canceled.
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
    // The usual path comes first, because a recording takes it for each fix.
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

  /// Announces the committed changes of a session to the listeners.
  private func announce(_ session: WriteSession) {
    guard !listeners.isEmpty else { return }
    let settings = announced.takeSettingsChange(
      to: session.settings, from: session.settingsBefore,
      hasNewListener: listeners.isStateOutdated)
    if var change = session.change {
      change.areas = regionChanges.tiles
      change.isIncomplete = change.isIncomplete || regionChanges.isEverything
      change.add(coverageTiles: regionChanges.coverageTiles ?? [], of: session.settings.grid)
      change.settings = settings
      listeners.announce(change)
    } else {
      // Either all listeners want settings only, or one was added after the transaction began, so
      // that its changes were not collected.
      updateAnnouncedState()
      var change = StoreChange()
      change.isIncomplete = true
      change.settings = settings
      listeners.announce(change)
    }
  }

  /// Adds a listener, which receives every transaction that commits from now on. Does not block.
  ///
  /// If there were no listeners before, changes of other processes are announced from the present
  /// state on, or from the end of the running transaction: no other process commits during it.
  func addListener(for subject: StoreListeners.Subject) -> StoreListeners.Listener {
    let listener = listeners.add(for: subject)
    writerLock.withLockIfFree { updateAnnouncedState() }
    return listener
  }

  /// Updates the state after which changes of other processes are announced, if a listener was
  /// added. Call it under ``writerLock``.
  private func updateAnnouncedState() {
    guard listeners.takeOutdatedState() else { return }
    announced = openedWriter.map(AnnouncedState.init(seenBy:)) ?? AnnouncedState()
  }

  /// The connection that writes; nil if there is none yet. Call it under ``writerLock``.
  private var openedWriter: Connection? {
    guard case .by(let writer) = writing else { return nil }
    return writer.connection
  }

  /// Announces the changes that other processes committed since the last check. Does nothing during
  /// a write.
  func lookForForeignChange() {
    writerLock.withLockIfFree {
      updateAnnouncedState()
      guard let writer = openedWriter,
        let change = announced.takeForeignChange(
          seenBy: writer, hasNewListener: listeners.isStateOutdated)
      else { return }
      listeners.announce(change)
    }
  }

  /// Rolls back. After some errors SQLite has already rolled back; the statement then fails, and
  /// nothing is left to undo.
  private func undo(_ writer: Connection) {
    tiles.withdraw()
    writer.endTransaction()
    try? writer.execute("ROLLBACK")
  }

  /// Erases deleted data from the files
  /// (``Connection/erase(waitingMilliseconds:isPatient:isRewriting:)``). Returns false if that is
  /// not possible now, or the work is canceled.
  func erase(isRewriting: Bool) -> Bool {
    let isErased = writerLock.withLock(unless: Cancellation.current) {
      guard case .by(let writer) = writing, (try? writer.place.checkIsOnlyName()) != nil else {
        return false
      }
      let isErased = Cancellation.watching(writer.connection) {
        writer.connection.erase(
          waitingMilliseconds: options.eraseTimeoutMilliseconds, isPatient: true,
          isRewriting: isRewriting)
      }
      let isCanceled = Cancellation.current?.isCancelled == true
      erasureDue = isErased ? nil : isCanceled ? .now : .now + Self.erasureInterval
      return isErased
    }
    return isErased ?? false
  }

  /// Time until the next attempt to erase data that a reader kept in use.
  private static let erasureInterval = Duration.seconds(60)

  /// Erases deleted data that an earlier process left in the files because it ended too soon. If
  /// another connection blocks this, it is tried again later.
  private func finishErasure(_ writer: Connection, _ place: DatabasePlace) {
    guard let due = erasureDue, due <= .now else { return }
    // If even this cannot be read, the next statement reports the error.
    guard (try? place.checkIsOnlyName()) != nil, let isOwed = try? writer.owesErasure() else {
      return
    }
    let isErased = !isOwed || writer.erase(waitingMilliseconds: 0, isPatient: false)
    erasureDue = isErased ? nil : .now + Self.erasureInterval
  }

  /// Runs `body` with the connection that writes, outside a transaction.
  func withWriter<T>(_ body: (Connection) throws(DatabaseError) -> T) throws(DatabaseError) -> T {
    try withWriterLock { () throws(DatabaseError) in
      let (writer, place) = try openWriter().parts
      try place.checkIsOnlyName()
      return try body(writer)
    }
  }

  /// Approximate number of bytes of memory used by cached tiles.
  package var cachedTileByteCount: Int { tiles.byteCount }

  /// The files of the store, under any name, with a description of each. They are never
  /// overwritten.
  package var files: [FileIdentity: String] { DatabaseFile.files(of: path, name: "the store") }
}

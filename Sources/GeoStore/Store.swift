import ByteStreams
import CSQLite
import Foundation
import Geodesy

/// What a power cut may take. A crash of the program takes nothing, whatever is chosen, and the store is never damaged.
public enum StoreDurability: String, Sendable {
  /// The last transactions may be lost: the write-ahead log is brought to the disk at its checkpoints. What was lost is
  /// imported again from its file.
  case normal = "NORMAL"
  /// Nothing that ended is lost: each transaction waits for the disk. For recordings that have no file.
  case full = "FULL"
}

/// What a store needs to know beyond its file.
public struct StoreOptions: Sendable {
  /// Names the place of a coordinate, for regions that are made. Called on the writing thread.
  public var placeNames: @Sendable (Coordinate) -> PlaceNames { didSet { namesPlaces = true } }
  /// Whether ``placeNames`` was given. Else nobody can tell whether names in a store are right.
  private(set) var namesPlaces: Bool
  /// Tells the time, for `created_at`, `updated_at` and `imported_at`.
  public var now: @Sendable () -> Timestamp
  /// What a power cut may take of what was written last.
  public var durability = StoreDurability.normal
  /// Bytes of memory that regions which were searched may take, so that the next search nearby reads nothing: 256 MB
  /// unless set otherwise, 16 bytes a region, and some 60 more where all of it was asked for. 0 keeps nothing.
  public var regionPageBytes = 256 << 20
  /// Whether a file that is missing is made by the first change, and not before: asking an empty store leaves none.
  package var isMadeByFirstChange = false
  /// Whether a store is opened whose tables are not all as Roqua made them (``StoreError/alteredSchema(path:detail:)``): to
  /// check and to rebuild it.
  package var acceptsAlteredSchema = false
  /// For tests: regions that are in memory while fixes are written.
  var regionWindowCapacity = RegionWriter.windowCapacity
  /// For tests: regions in a cell from which on narrower ones are read while fixes are written.
  var denseRegionCount = RegionWindow.denseCount
  /// For tests: the name of SQLite's file system, one that can be told to fail.
  var fileSystem: String?
  /// For tests: what tells whether no space is left on the volume of a file.
  var isVolumeFull: @Sendable (String) -> Bool = { StoreFile.isVolumeFull(at: $0) }
  /// For tests: bytes of cached pages that the writer keeps.
  var writerCacheBytes = Connection.writerCacheBytes
  /// For tests: how long taking back waits for the readers of older states, in milliseconds.
  var eraseTimeoutMilliseconds = 10_000

  /// Options: no place names, and the system's clock, unless given.
  public init(
    placeNames: (@Sendable (Coordinate) -> PlaceNames)? = nil,
    now: @escaping @Sendable () -> Timestamp = {
      Timestamp(millisecondsSince1970: Int64(Date().timeIntervalSince1970 * 1_000))
    }
  ) {
    self.placeNames = placeNames ?? { _ in PlaceNames() }
    namesPlaces = placeNames != nil
    self.now = now
  }
}

/// The store of record: one SQLite file with what was imported and what follows from it.
///
/// Safe from any thread. One writer at a time, in this process and among all; readers see one unchanging state
/// each and never wait for the writer. `docs/concurrency.md` gives the rules and their reasons.
///
/// Unchecked `Sendable`: `liveTables` and `erasureDue` are only touched under `writerLock`, `writing` under
/// `writerLock` or before anybody has the store; `reading` has a lock of its own, and a reader that was taken out of it
/// belongs to the thread that took it.
public final class Store: @unchecked Sendable {
  /// The database file.
  public let path: String
  /// What was given when it was opened.
  public let options: StoreOptions

  private let writerLock = NSLock()
  private var writing: Writing
  /// What the last transaction left for a recording's next one. Here, not on the connection, which the tables hold.
  private var liveTables: LiveTables?
  /// When to look next whether bytes of what was taken back are in the files still; nil where there are none.
  private var erasureDue: ContinuousClock.Instant? = .now
  private let reading: ReaderPool
  private let pages: RegionPages

  /// How a store is changed.
  private enum Writing {
    /// By this connection, as long as its place is its own.
    case by(StoreWriter)
    /// There is no file yet: the first change makes it.
    case afterMaking
    /// Not at all, for this reason.
    case refused(StoreError)
  }

  /// Opens the store in a file.
  ///
  /// A new file and its WAL files are readable and writable by their owner only. A file that is no store is left
  /// as it is. One that cannot be written, or that has several names, can be asked; changes throw.
  /// - Parameter creating: whether to make the file, and the folders above it, where there is none.
  /// - Throws: ``StoreError``.
  public init(path: String, creating: Bool, options: StoreOptions = StoreOptions()) throws(StoreError) {
    self.path = path
    self.options = options
    pages = RegionPages(capacity: options.regionPageBytes)
    reading = ReaderPool(path: path, options: options)
    if try !StoreFile.exists(path: path, creating: creating), options.isMadeByFirstChange {
      writing = .afterMaking
      return
    }
    if case .readOnly(let reason) = StoreAccess(path: path), FileIdentity(path: path) != nil {
      writing = .refused(reason)
      try reading.open(isFrozen: true)
    } else {
      try StoreFile.make(path: path)
      writing = .by(try StoreWriter(path: path, options: options))
      try reading.open(isFrozen: false)
    }
  }

  /// The connection that writes, in its own place. Call it under ``writerLock``.
  ///
  /// - Throws: ``StoreError``: why nothing can be changed.
  private func openWriter() throws(StoreError) -> StoreWriter {
    switch writing {
    case .by(let writer): return writer
    case .refused(let reason): throw reason
    case .afterMaking:
      try StoreFile.make(path: path)
      let writer = try StoreWriter(path: path, options: options)
      writing = .by(writer)
      try reading.open(isFrozen: false)
      return writer
    }
  }

  /// Makes sure that the path still names the file that was changed: else what was stored is lost. Nothing to do for a
  /// store that nobody has changed.
  ///
  /// - Throws: ``StoreError/moved(path:)``.
  public func checkPlace() throws(StoreError) {
    writerLock.lock()
    defer { writerLock.unlock() }
    if case .by(let writer) = writing { try writer.place.check() }
  }

  /// Reads one unchanging state of the store, whatever is written meanwhile.
  ///
  /// - Throws: ``StoreError`` from SQLite or from `body`.
  public func read<T>(_ body: (Snapshot) throws(StoreError) -> T) throws(StoreError) -> T {
    try withReader { (reader) throws(StoreError) in
      try body(
        Snapshot(
          connection: reader, revision: reader.regionRevision(), pages: pages,
          settings: StoreSettings.read(from: reader)))
    }
  }

  /// Runs `body` with a connection that reads one unchanging state, of which nothing is expected.
  func withReader<T>(_ body: (Connection) throws(StoreError) -> T) throws(StoreError) -> T {
    try reading.withReader { (reader) throws(StoreError) in
      try reader.readTransaction { () throws(StoreError) in try body(reader) }
    }
  }

  /// Writes in one transaction: all of it or, where `body` throws, nothing. Waits for other writers.
  ///
  /// - Throws: ``StoreError`` from SQLite or from `body`.
  public func write<T>(_ body: (WriteSession) throws(StoreError) -> T) throws(StoreError) -> T {
    writerLock.lock()
    defer { writerLock.unlock() }
    let (writer, place) = try openWriter().parts
    finishErasure(writer, place)
    try writer.beginTransaction()
    writer.regionChanges = RegionChanges()
    let liveTables = self.liveTables.take()
    do {
      let session = try WriteSession(connection: writer, options: options)
      session.liveTables = liveTables
      let result = try body(session)
      guard !session.isCancelled else {
        try writer.checkTransaction()
        writer.endTransaction()
        try writer.execute("ROLLBACK")
        return result
      }
      if !writer.regionChanges.isEmpty {
        pages.announce(writer.regionChanges, as: try writer.advanceRegionRevision())
      }
      try place.checkIsOnlyName()
      // The usual way first: a recording takes it for each fix.
      if InterruptCleanup.isActive {
        try InterruptCleanup.reach(.committed) { () throws(StoreError) in try writer.run("COMMIT") }
      } else {
        try writer.run("COMMIT")
      }
      writer.endTransaction()
      self.liveTables = session.nextLiveTables
      if session.owesErasure { erasureDue = .now }
      return result
    } catch {
      pages.withdraw()
      writer.endTransaction()
      // After some errors SQLite has rolled back by itself; then this fails, and there is nothing left to undo.
      try? writer.execute("ROLLBACK")
      throw error
    }
  }

  /// Writes the files anew after something was taken back (``Connection/erase(waitingMilliseconds:isPatient:)``).
  func erase() -> Bool {
    writerLock.lock()
    defer { writerLock.unlock() }
    guard case .by(let writer) = writing, (try? writer.place.checkIsOnlyName()) != nil else { return false }
    let isErased = writer.connection.erase(
      waitingMilliseconds: options.eraseTimeoutMilliseconds, isPatient: true)
    erasureDue = isErased ? nil : .now + Self.erasureInterval
    return isErased
  }

  /// How long a store waits before it tries again to erase what somebody's reader kept.
  private static let erasureInterval = Duration.seconds(60)

  /// Erases what an earlier taking back, of a program that ended too soon, left in the files. Where somebody is in the way
  /// it is tried again later.
  private func finishErasure(_ writer: Connection, _ place: StorePlace) {
    guard let due = erasureDue, due <= .now else { return }
    // Where not even that can be read, what comes next says so.
    guard (try? place.checkIsOnlyName()) != nil, let isOwed = try? writer.owesErasure() else { return }
    let isErased = !isOwed || writer.erase(waitingMilliseconds: 0, isPatient: false)
    erasureDue = isErased ? nil : .now + Self.erasureInterval
  }

  /// Runs `body` with the connection that writes, outside a transaction.
  func withWriter<T>(_ body: (Connection) throws(StoreError) -> T) throws(StoreError) -> T {
    writerLock.lock()
    defer { writerLock.unlock() }
    let (writer, place) = try openWriter().parts
    try place.checkIsOnlyName()
    return try body(writer)
  }

  /// Moves what the write-ahead log holds into the database file, as far as readers allow. Waits for nobody.
  package func bringInLog() throws(StoreError) {
    try withWriter { (writer) throws(StoreError) in _ = try writer.integer("PRAGMA wal_checkpoint(PASSIVE)") }
  }

  /// Moves what the write-ahead log holds into the database file and empties the log, as far as readers allow.
  ///
  /// - Throws: ``StoreError``; also where the store cannot be changed.
  public func checkpoint() throws(StoreError) {
    try withWriter { (writer) throws(StoreError) in
      _ = try writer.integer("PRAGMA wal_checkpoint(TRUNCATE)")
    }
  }

  /// For tests: what a pragma of the writer and of a reader says.
  func pragma(_ name: String) throws(StoreError) -> (writer: String?, reader: String?) {
    let reader = try reading.withReader { (reader) throws(StoreError) in try reader.text("PRAGMA \(name)") }
    let writer = try withWriter { (writer) throws(StoreError) in try writer.text("PRAGMA \(name)") }
    return (writer, reader)
  }
}

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
/// Unchecked `Sendable`: `writer`, `liveTables` and `erasureDue` are only touched under `writerLock`, `idleReaders` under `poolLock`, and
/// a reader that was taken out of the pool belongs to the thread that took it.
public final class Store: @unchecked Sendable {
  /// The database file.
  public let path: String
  /// What was given when it was opened.
  public let options: StoreOptions

  private let writerLock = NSLock()
  private let writer: Connection
  /// What the last transaction left for a recording's next one. Here, not on the connection, which the tables hold.
  private var liveTables: LiveTables?
  /// When to look next whether bytes of what was taken back are in the files still; nil where there are none.
  private var erasureDue: ContinuousClock.Instant? = .now
  private let poolLock = NSLock()
  private var idleReaders: [Connection] = []
  private let pages: RegionPages

  /// Opens the store in a file.
  ///
  /// A new file and its WAL files are readable and writable by their owner only. A file that is no store is left
  /// as it is.
  /// - Parameter creating: whether to make the file, and the folders above it, where there is none.
  /// - Throws: ``StoreError``.
  public init(path: String, creating: Bool, options: StoreOptions = StoreOptions()) throws(StoreError) {
    try StoreFile.prepare(path: path, creating: creating)
    self.path = path
    self.options = options
    pages = RegionPages(capacity: options.regionPageBytes)
    writer = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE, fileSystem: options.fileSystem,
      isVolumeFull: options.isVolumeFull)
    writer.cacheLimitBytes = options.writerCacheBytes
    // Before SQLite looks at a file that may be another program's: it may write when it does.
    try StoreFile.checkWholeness(of: writer)
    try StoreFile.checkOwner(of: writer)
    try writer.execute("PRAGMA busy_timeout = \(Pragmas.busyTimeoutMilliseconds)")
    _ = try Schema.committedVersion(of: writer)
    try Pragmas.tuneWriter(writer, durability: options.durability)
    try Schema.migrate(writer)
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
    let reader = try takeReader()
    defer { giveBack(reader) }
    return try reader.readTransaction { () throws(StoreError) in try body(reader) }
  }

  /// Writes in one transaction: all of it or, where `body` throws, nothing. Waits for other writers.
  ///
  /// - Throws: ``StoreError`` from SQLite or from `body`.
  public func write<T>(_ body: (WriteSession) throws(StoreError) -> T) throws(StoreError) -> T {
    writerLock.lock()
    defer { writerLock.unlock() }
    finishErasure()
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
      try InterruptCleanup.reach(.committed) { () throws(StoreError) in try writer.run("COMMIT") }
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
    let isErased = writer.erase(waitingMilliseconds: options.eraseTimeoutMilliseconds, isPatient: true)
    erasureDue = isErased ? nil : .now + Self.erasureInterval
    return isErased
  }

  /// How long a store waits before it tries again to erase what somebody's reader kept.
  private static let erasureInterval = Duration.seconds(60)

  /// Erases what an earlier taking back, of a program that ended too soon, left in the files. Where somebody is in the way
  /// it is tried again later.
  private func finishErasure() {
    guard let due = erasureDue, due <= .now else { return }
    // Where not even that can be read, what comes next says so.
    guard let isOwed = try? writer.owesErasure() else { return }
    let isErased = !isOwed || writer.erase(waitingMilliseconds: 0, isPatient: false)
    erasureDue = isErased ? nil : .now + Self.erasureInterval
  }

  /// Runs `body` with the connection that writes, outside a transaction.
  func withWriter<T>(_ body: (Connection) throws(StoreError) -> T) throws(StoreError) -> T {
    writerLock.lock()
    defer { writerLock.unlock() }
    return try body(writer)
  }

  /// Moves what the write-ahead log holds into the database file and empties the log, as far as readers allow.
  public func checkpoint() throws(StoreError) {
    writerLock.lock()
    defer { writerLock.unlock() }
    _ = try writer.integer("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  private func takeReader() throws(StoreError) -> Connection {
    poolLock.lock()
    let idle = idleReaders.popLast()
    poolLock.unlock()
    if let idle { return idle }
    let reader = try Connection(
      path: path, flags: SQLITE_OPEN_READWRITE, fileSystem: options.fileSystem,
      isVolumeFull: options.isVolumeFull)
    try Pragmas.tuneReader(reader)
    return reader
  }

  private func giveBack(_ reader: Connection) {
    poolLock.lock()
    defer { poolLock.unlock() }
    // A handful serves any number of threads that take turns; more would only hold memory.
    if idleReaders.count < 8 { idleReaders.append(reader) }
  }

  /// For tests: what a pragma of the writer and of a reader says.
  func pragma(_ name: String) throws(StoreError) -> (writer: String?, reader: String?) {
    let reader = try takeReader()
    defer { giveBack(reader) }
    writerLock.lock()
    defer { writerLock.unlock() }
    return (try writer.text("PRAGMA \(name)"), try reader.text("PRAGMA \(name)"))
  }
}

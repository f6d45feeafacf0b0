import Geodesy
import SQLiteLayer

/// One write transaction of a store. Valid only inside the closure that receives it.
///
/// ```swift
/// func preview(_ fixes: [KeptFix], of source: SourceDescription, in store: Store) async throws {
///   let changes = try await store.write { session in
///     session.cancel()  // undoes everything at the end
///     let writer = try session.beginSource()
///     try writer.append(fixes)
///     return try writer.finish(source)
///   }
///   print("\(changes.cellsAdded) cells would be new")
/// }
/// ```
public final class WriteSession {
  let connection: Connection
  /// Where the file of the connection was when it was opened.
  private let place: DatabasePlace
  /// The connections that read the store as it was before the transaction.
  let readers: ReaderPool
  let options: StoreOptions
  /// The regions that the transaction changes.
  let changes: RegionChanges
  /// The settings as of this point in the transaction.
  public internal(set) var settings: StoreSettings
  /// The settings at the start of the transaction.
  let settingsBefore: StoreSettings
  /// The changes of the transaction so far, except the positions of regions; nil if there are no
  /// listeners.
  var change: StoreChange?
  /// Whether sources that begin from now on note the places that they reach for the first time.
  package var notesReached = false
  /// Whether the transaction will be undone when the closure returns.
  private(set) var isCancelled = false
  /// The tables that the previous transaction left in memory, if it was one of a recording.
  var recordingTables: RecordingTables?
  /// The tables that this transaction leaves for the next one. Nil unless a recording sets it,
  /// because any other write makes them outdated.
  var nextRecordingTables: RecordingTables?
  /// The privacy zones, read when they are needed first.
  private var knownZones: PrivacyZones?
  /// Whether data was deleted whose bytes remain in the store's files after the transaction.
  var owesErasure = false
  /// The tables that the last source of the transaction left in memory, and the connection's number
  /// of changed rows at that time: if it differs now, something was written since.
  private var spareTables: (tables: DerivedTables, changedRows: Int32)?
  /// The connection's number of changed rows at the start of the transaction.
  private let changedRowsBefore: Int32

  /// Starts a session in a connection's transaction.
  init(
    connection: Connection, at place: DatabasePlace, readers: ReaderPool, changes: RegionChanges,
    options: StoreOptions
  ) throws(DatabaseError) {
    self.connection = connection
    self.place = place
    self.readers = readers
    changedRowsBefore = connection.allChangedRows
    self.changes = changes
    self.options = options
    settingsBefore = try StoreSettings.read(from: connection)
    settings = settingsBefore
  }

  /// Whether the session has stored nothing so far, so that a reader sees what it sees, and the
  /// path, which a reader opens again, still leads to its file. Nobody else can commit meanwhile.
  ///
  /// - Precondition: the session has changed no table's schema, unless it has changed rows as well.
  var isUnchanged: Bool {
    connection.allChangedRows == changedRowsBefore && (try? place.check()) != nil
  }

  /// Undoes the whole transaction once the closure returns.
  public func cancel() { isCancelled = true }

  /// Runs a part of the transaction that may fail on its own: if `body` throws, its changes are
  /// undone and the rest of the transaction is kept. Parts can be nested.
  ///
  /// A source started within the part must end in it. Some failures of disk or memory undo the
  /// whole transaction: every later call then fails with the same error, and so does
  /// `Store.write(_:)`.
  ///
  /// - Throws: any error that `body` throws, and `DatabaseError`.
  public func attempt<T>(_ body: () throws -> T) throws -> T {
    let before = (settings, change, knownZones)
    do {
      return try connection.savepoint(body).get()
    } catch {
      (settings, change, knownZones) = before
      // They may contain changes that were undone.
      spareTables = nil
      throw error
    }
  }

  /// Returns the privacy zones as of this point in the transaction. Nothing in them is stored.
  package func zones() throws(DatabaseError) -> PrivacyZones {
    if let knownZones { return knownZones }
    let zones = PrivacyZones(try connection.zones().map(\.zone))
    knownZones = zones
    return zones
  }

  /// Makes ``zones()`` read the zones again, because they have changed.
  func forgetKnownZones() { knownZones = nil }

  /// Returns whether a source with these bytes is in the store, as complete as the privacy zones
  /// allow. If a zone that kept data out was removed since, importing the source again adds to it,
  /// and the result is false.
  ///
  /// - Parameter sha256: the SHA-256 of the source's bytes, 64 lowercase hexadecimal digits
  ///   (``SourceDescription``).
  /// - Throws: `DatabaseError`.
  public func hasSource(sha256: String) throws(DatabaseError) -> Bool {
    try connection.hasSource(sha256: sha256)
  }

  /// Starts a source. Add fixes with `SourceWriter.append(_:)` and end it with
  /// ``SourceWriter/finish(_:)``. A transaction may contain several sources, one after the other:
  /// either all of them are stored or none is, and they take less time than in separate
  /// transactions.
  ///
  /// - Throws: `DatabaseError`.
  public func beginSource() throws(DatabaseError) -> SourceWriter { try SourceWriter(self) }

  /// Returns tables for a source: those left by the last source of the transaction if nothing was
  /// written since, otherwise new ones.
  func takeTables(ofSource source: Int64) throws(DatabaseError) -> DerivedTables {
    defer { spareTables = nil }
    if let spareTables, spareTables.tables.settings == settings,
      spareTables.changedRows == connection.allChangedRows
    {
      spareTables.tables.startCounting(source: source)
      return spareTables.tables
    }
    let tables = try DerivedTables(
      connection: connection, changes: changes, settings: settings, options: options)
    if notesReached { tables.noteReached() }
    tables.startCounting(source: source)
    return tables
  }

  /// Keeps the tables of a finished source for the next one.
  func giveBack(_ tables: DerivedTables) throws(DatabaseError) {
    spareTables = (tables, connection.allChangedRows)
  }
}

import Geodesy
import SQLiteLayer

/// What may be written in one transaction of a store. Only valid inside the closure that received
/// it.
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
  let options: StoreOptions
  /// Which regions the transaction changes.
  let changes: RegionChanges
  /// The settings as they stand in this transaction.
  public internal(set) var settings: StoreSettings
  /// What the transaction changed so far, but for the regions' places; nil where nobody listens.
  var change: StoreChange?
  /// Whether the transaction is to be undone when the closure returns.
  private(set) var isCancelled = false
  /// What the transaction before left in memory, where it was one of a recording.
  var recordingTables: RecordingTables?
  /// What this one leaves for the next. Nil unless a recording sets it: any other write makes it
  /// stale.
  var nextRecordingTables: RecordingTables?
  /// Whether something is deleted whose bytes are in the store's files after the transaction.
  var owesErasure = false
  /// What the last source of the transaction left in memory, and how many rows the connection had
  /// changed when it did: where the number is another one, something was written since.
  private var spareTables: (tables: SourceTables, changedRows: Int32)?

  /// Begins with a transaction of a connection.
  init(
    connection: Connection, changes: RegionChanges, options: StoreOptions
  ) throws(DatabaseError) {
    self.connection = connection
    self.changes = changes
    self.options = options
    settings = try StoreSettings.read(from: connection)
  }

  /// Undoes everything in this transaction once the closure returns.
  public func cancel() { isCancelled = true }

  /// Runs a part of the transaction that may fail by itself: where `body` throws, what it did is
  /// undone, and the rest of the transaction stays. Parts may lie in parts.
  ///
  /// A source that was begun in the part ends in it. Some failures of disk or memory undo the whole
  /// transaction: what follows fails then with the same error, and so does `Store.write(_:)`.
  public func attempt<T>(_ body: () throws -> T) throws -> T {
    let before = (settings, change)
    do {
      return try connection.savepoint(body).get()
    } catch {
      (settings, change) = before
      // What was undone may stand in them.
      spareTables = nil
      throw error
    }
  }

  /// Whether a source with these bytes is in the store.
  package func hasSource(sha256: String) throws(DatabaseError) -> Bool {
    try connection.hasSource(sha256: sha256)
  }

  /// Starts a source; feed it with `SourceWriter.append(_:)` and end it with
  /// ``SourceWriter/finish(_:)``. A transaction may hold several, one after the other: they are in
  /// the store together or not at all, and take less time than one by one.
  public func beginSource() throws(DatabaseError) -> SourceWriter { try SourceWriter(self) }

  /// Tables for a source: those that the last one of the transaction left, where nothing was
  /// written since, or new ones.
  func takeTables(ofSource source: Int64) throws(DatabaseError) -> SourceTables {
    defer { spareTables = nil }
    if let spareTables, spareTables.tables.settings == settings,
      spareTables.changedRows == connection.allChangedRows
    {
      spareTables.tables.derived.startCounting(source: source)
      return spareTables.tables
    }
    let derived = try DerivedTables(
      connection: connection, changes: changes, settings: settings, options: options)
    derived.startCounting(source: source)
    return SourceTables(derived: derived, settings: settings)
  }

  /// Keeps the tables of a source that has ended for the next one.
  func giveBack(_ tables: SourceTables) throws(DatabaseError) {
    spareTables = (tables, connection.allChangedRows)
  }
}

/// What sources of one transaction share, one after the other.
struct SourceTables {
  /// Regions and tiles in memory, and how they are written.
  let derived: DerivedTables
  /// The settings that they were made with.
  let settings: StoreSettings
}

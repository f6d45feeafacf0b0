import Geodesy

/// What may be written in one transaction of a store. Only valid inside the closure that received it.
public final class WriteSession {
  let connection: Connection
  let options: StoreOptions
  /// The settings as they stand in this transaction.
  public private(set) var settings: StoreSettings
  /// Whether the transaction is to be undone when the closure returns.
  private(set) var isCancelled = false
  /// What the transaction before left in memory, where it was one of a recording.
  var liveTables: LiveTables?
  /// What this one leaves for the next. Nil unless a recording sets it: any other write makes it stale.
  var nextLiveTables: LiveTables?
  /// Whether something is taken back whose bytes are in the store's files after the transaction.
  private(set) var owesErasure = false
  /// What the last source of the transaction left in memory, and how many rows the connection had changed when it did: where
  /// the number is another one, something was written since.
  private var spareTables: (tables: SourceTables, changedRows: Int32)?

  init(connection: Connection, options: StoreOptions) throws(StoreError) {
    self.connection = connection
    self.options = options
    settings = try StoreSettings.read(from: connection)
  }

  /// Undoes everything in this transaction once the closure returns.
  public func cancel() { isCancelled = true }

  /// Says that something is taken back whose bytes are in the store's files after the transaction: they go with the next
  /// one of a store that is not in use otherwise.
  func oweErasure() throws(StoreError) {
    owesErasure = true
    try connection.oweErasure(since: options.now())
  }

  /// Runs a part of the transaction that may fail by itself: where `body` throws, what it did is undone, and the rest of
  /// the transaction stays. Parts may lie in parts.
  ///
  /// A source that was begun in the part ends in it. Some failures of disk or memory undo the whole transaction: what
  /// follows fails then with the same error, and so does ``Store/write(_:)``.
  public func attempt<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    let before = settings
    do {
      return try connection.savepoint(body)
    } catch {
      settings = before
      // What was undone may stand in them.
      spareTables = nil
      throw error
    }
  }

  /// Whether a source with these bytes is in the store.
  public func hasSource(sha256: String) throws(StoreError) -> Bool {
    try connection.hasSource(sha256: sha256)
  }

  /// Starts a source; feed it with ``SourceWriter/append(_:)`` and end it with ``SourceWriter/finish(_:)``. A transaction may hold
  /// several, one after the other: they are in the store together or not at all, and take less time than one by one.
  public func beginSource() throws(StoreError) -> SourceWriter { try SourceWriter(self) }

  /// Tables for a source: those that the last one of the transaction left, where nothing was written since, or new ones.
  func takeTables() throws(StoreError) -> SourceTables {
    defer { spareTables = nil }
    if let spareTables, spareTables.tables.settings == settings,
      spareTables.changedRows == connection.allChangedRows
    {
      spareTables.tables.derived.startCounting(now: options.now())
      return spareTables.tables
    }
    return SourceTables(
      derived: try DerivedTables(connection: connection, settings: settings, options: options),
      settings: settings)
  }

  /// Keeps the tables of a source that has ended for the next one.
  func giveBack(_ tables: SourceTables) throws(StoreError) {
    spareTables = (tables, connection.allChangedRows)
  }

  /// Changes a setting. Where regions, visits or coverage depend on it, they are built anew from the kept fixes
  /// in the same transaction.
  ///
  /// - Throws: ``StoreError/setting(key:reason:)`` for a value out of range, and for another exploration radius
  ///   while sources have cells of their own; nothing is changed then.
  public func set(_ key: SettingKey, to value: Double) throws(StoreError) {
    let isNew = value != settings[key]
    try change(key, to: value)
    if key.shapesDerivedTables, isNew { try rebuild() }
  }

  /// Changes a setting, and leaves it to the caller to rebuild.
  func change(_ key: SettingKey, to value: Double) throws(StoreError) {
    if key == .explorationRadiusMeters, value != settings[key] { try checkRadiusMayChange() }
    try settings.set(key, to: value)
    try StoreSettings.write(value, for: key, to: connection)
  }

  /// Cells that sources brought themselves belong to the grid of one radius.
  private func checkRadiusMayChange() throws(StoreError) {
    let count = try connection.cellSourceCount()
    guard count == 0 else {
      throw .setting(
        key: SettingKey.explorationRadiusMeters.rawValue,
        reason: "cells were imported for \(StoreSettings.text(settings[.explorationRadiusMeters])) m "
          + "(\(count) \(count == 1 ? "coverage" : "coverages")), and cannot become cells of another radius; "
          + "take them back with roqua forget, or use a new store")
    }
  }

  /// Builds regions, visits and coverage anew: from the regions and cells that sources brought themselves, and the
  /// kept fixes in the order in which they were imported. Indexes, views and tables of these are mended before
  /// (``Schema/mend(_:)``).
  ///
  /// - Complexity: O(kept fixes); memory does not grow with the store.
  public func rebuild() throws(StoreError) {
    connection.regionChanges.addEverything()
    try Schema.mend(connection)
    try connection.mendSourceCounter()
    try connection.execute(
      """
      DELETE FROM stated_visits;
      DELETE FROM visits;
      DELETE FROM visited_regions;
      DELETE FROM coverage_tiles;
      DELETE FROM sqlite_sequence WHERE name = 'visited_regions';
      """)
    try Rebuild.run(from: connection, into: connection, settings: settings, options: options)
  }
}

/// What sources of one transaction share, one after the other.
struct SourceTables {
  /// Regions and tiles in memory, and how they are written.
  let derived: DerivedTables
  /// The settings that they were made with.
  let settings: StoreSettings
}

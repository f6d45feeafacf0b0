/// Derived tables that stay in memory while a recording goes on, so that a fix does not read its surroundings again.
///
/// They are right as long as nobody else has written: no other transaction of this store, which takes them away, and no
/// other process, which SQLite's `data_version` tells.
struct LiveTables {
  let derived: DerivedTables
  let settings: StoreSettings
  /// `PRAGMA data_version` of the writing connection: another number where another connection has written.
  let dataVersion: Int64
}

extension WriteSession {
  /// The tables of the recording's last transaction, where they are still right, else new ones: then somebody else has
  /// written since.
  func liveDerivedTables() throws(StoreError) -> (tables: DerivedTables, areNew: Bool) {
    let version = try connection.integer("PRAGMA data_version") ?? 0
    if let liveTables, liveTables.settings == settings, liveTables.dataVersion == version {
      nextLiveTables = liveTables
      return (liveTables.derived, false)
    }
    let derived = try DerivedTables(connection: connection, settings: settings, options: options)
    nextLiveTables = LiveTables(derived: derived, settings: settings, dataVersion: version)
    return (derived, true)
  }
}

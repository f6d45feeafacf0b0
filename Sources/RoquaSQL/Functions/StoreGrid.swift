import CSQLiteCalls
import GeoStore
import GridHash

/// The grid of the store that a connection has opened as its main database. Not `Sendable`: it
/// belongs to the connection.
final class StoreGrid {
  private var known: (dataVersion: UInt32, grid: Grid)?

  /// Returns the grid of the setting `explorationRadiusMeters`. A database without settings has the
  /// grid of the default.
  ///
  /// It is read again only if the database has changed: a query asks for each of its rows.
  func grid(of database: OpaquePointer) throws(FunctionFailure) -> Grid {
    let dataVersion = roqua_data_version(database)
    if let known, known.dataVersion == dataVersion, dataVersion != 0 { return known.grid }
    let grid = try Self.read(from: database)
    known = (dataVersion, grid)
    return grid
  }

  /// Reads the grid.
  static func read(from database: OpaquePointer) throws(FunctionFailure) -> Grid {
    try settings(.explorationRadiusMeters, of: database).grid
  }

  /// Reads one setting; the others have their defaults, and so has this one in a database without
  /// settings.
  static func settings(
    _ key: SettingKey, of database: OpaquePointer
  ) throws(FunctionFailure) -> StoreSettings {
    var settings = StoreSettings()
    let exists = try TableQuery(
      "SELECT 1 FROM main.sqlite_schema WHERE name = 'settings' AND type = 'table'", on: database)
    if try exists.step() {
      let value = try TableQuery(
        "SELECT value FROM main.settings WHERE key = '\(key.rawValue)'", on: database)
      // A value that is out of range is ignored, as everywhere in Roqua.
      if try value.step() { try? settings.set(key, to: value.double(at: 0)) }
    }
    return settings
  }
}

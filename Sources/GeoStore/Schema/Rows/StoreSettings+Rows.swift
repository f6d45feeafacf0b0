import Geodesy
import SQLiteLayer

extension StoreSettings {
  static func read(from connection: Connection) throws(DatabaseError) -> StoreSettings {
    var settings = StoreSettings()
    let statement = try connection.cached("SELECT key, value FROM settings")
    while try statement.step() {
      // A key unknown to this version was set by a newer one with the same schema: it is kept but
      // ignored.
      guard let key = statement.text(at: 0).flatMap(SettingKey.init) else { continue }
      // A value that this version does not accept is kept too; the default applies until it is set
      // again.
      try? settings.set(key, to: statement.double(at: 1))
    }
    return settings
  }

  static func write(
    _ value: Double, for key: SettingKey, at time: Timestamp, to connection: Connection
  ) throws(DatabaseError) {
    let statement = try connection.cached(
      "INSERT INTO settings (key, value, changed_ms) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE "
        + "SET value = excluded.value, changed_ms = excluded.changed_ms"
    )
    statement.bind(time.millisecondsSince1970, at: 3)
    statement.bind(key.rawValue, at: 1)
    statement.bind(value, at: 2)
    try statement.run()
  }

  static func erase(_ key: SettingKey, from connection: Connection) throws(DatabaseError) {
    let statement = try connection.cached("DELETE FROM settings WHERE key = ?1")
    statement.bind(key.rawValue, at: 1)
    try statement.run()
  }
}

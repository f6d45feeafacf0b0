import SQLiteLayer

/// The tables of an inbox. `docs/formats/inbox.md` describes them.
enum InboxSchema {
  /// `application_id` is "Roqi" in ASCII.
  static let format = DatabaseFormat(
    name: "Roqua inbox", applicationID: 0x526F_7169,
    migrations: [
      Migration(
        """
        CREATE TABLE devices (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE received (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          device_id INTEGER NOT NULL,
          latitude_e7 INTEGER NOT NULL,
          longitude_e7 INTEGER NOT NULL,
          time INTEGER,
          accuracy REAL,
          elevation REAL,
          speed REAL
        );
        CREATE TABLE seen (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          device_id INTEGER NOT NULL,
          time INTEGER NOT NULL,
          place INTEGER NOT NULL,
          UNIQUE (device_id, time, place)
        );
        """)
    ])
}

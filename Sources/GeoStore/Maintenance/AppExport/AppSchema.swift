/// The tables of the Roqua app, for a database that the app can open (`docs/formats/roqua-app.md`).
///
/// The app reads columns by position, and creates missing objects with `IF NOT EXISTS`, so the
/// indexes have the app's names.
enum AppSchema {
  /// The app's only table.
  static let table = """
    CREATE TABLE visited_regions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      radius INTEGER NOT NULL DEFAULT 200,
      timestamp_start TEXT NOT NULL,
      timestamp_end TEXT,
      visit_count INTEGER NOT NULL DEFAULT 1,
      city TEXT,
      district TEXT,
      country TEXT,
      country_code TEXT,
      geohash TEXT,
      accuracy REAL,
      created_at TEXT DEFAULT CURRENT_TIMESTAMP,
      updated_at TEXT DEFAULT CURRENT_TIMESTAMP
    )
    """

  /// Its indexes. They are created after all rows are inserted, because sorting once takes less
  /// time than inserting into each.
  static let indexes = [
    "CREATE INDEX idx_visited_regions_location ON visited_regions (latitude, longitude)",
    "CREATE INDEX idx_visited_regions_geohash ON visited_regions (geohash)",
    "CREATE INDEX idx_visited_regions_timestamp ON visited_regions (timestamp_start)",
    "CREATE INDEX idx_visited_regions_country ON visited_regions (country)",
  ]

  /// Adds a row, which SQLite numbers from 1. The parameters are the other columns in order.
  static let insert = """
    INSERT INTO visited_regions (latitude, longitude, radius, timestamp_start, timestamp_end,
      visit_count, city, district, country, country_code, geohash, accuracy, created_at, updated_at)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14)
    """
}

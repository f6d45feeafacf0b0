extension Schema {
  /// Version 1. `docs/formats/store.md` explains every column.
  ///
  /// - `sources` and `kept_fixes` are the truth; the other tables are derived from them.
  /// - `visited_regions` has the columns of the Roqua app's table under their names and types;
  ///   `timestamp_start` may be NULL, and `region` and `cell` stand beside them.
  /// - `visited_regions_by_cell` holds all that a search by distance reads: the id is in every index.
  static let version1 = """
    CREATE TABLE settings (
      key TEXT PRIMARY KEY,
      value REAL NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sources (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sha256 TEXT NOT NULL UNIQUE,
      path TEXT NOT NULL,
      format TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      points INTEGER NOT NULL,
      kept INTEGER NOT NULL,
      first_time TEXT,
      last_time TEXT,
      report TEXT NOT NULL,
      imported_at TEXT NOT NULL
    ) STRICT;
    CREATE INDEX sources_by_bytes ON sources (bytes);

    CREATE TABLE kept_fixes (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      count INTEGER NOT NULL,
      payload BLOB NOT NULL
    ) STRICT;
    CREATE INDEX kept_fixes_by_source ON kept_fixes (source_id);

    CREATE TABLE visited_regions (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      radius INTEGER NOT NULL DEFAULT 200,
      timestamp_start TEXT,
      timestamp_end TEXT,
      visit_count INTEGER NOT NULL DEFAULT 1,
      city TEXT,
      district TEXT,
      country TEXT,
      country_code TEXT,
      geohash TEXT,
      accuracy REAL,
      created_at TEXT DEFAULT CURRENT_TIMESTAMP,
      updated_at TEXT DEFAULT CURRENT_TIMESTAMP,
      region TEXT,
      cell INTEGER NOT NULL
    );
    CREATE INDEX visited_regions_by_position ON visited_regions (latitude, longitude);
    CREATE INDEX visited_regions_by_geohash ON visited_regions (geohash);
    CREATE INDEX visited_regions_by_start ON visited_regions (timestamp_start);
    CREATE INDEX visited_regions_by_country ON visited_regions (country);
    CREATE INDEX visited_regions_by_cell ON visited_regions (cell, latitude, longitude);

    CREATE TABLE visits (
      region_id INTEGER NOT NULL REFERENCES visited_regions (id) ON DELETE CASCADE,
      start_ms INTEGER NOT NULL,
      end_ms INTEGER NOT NULL,
      PRIMARY KEY (region_id, start_ms)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE coverage_tiles (
      key INTEGER PRIMARY KEY,
      cells INTEGER NOT NULL,
      bits BLOB NOT NULL
    ) STRICT;
    """
}

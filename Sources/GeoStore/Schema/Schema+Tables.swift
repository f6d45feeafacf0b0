extension Schema {
  /// The tables and indexes of version 1. `docs/formats/store.md` documents every column.
  ///
  /// - `settings`, `zones`, `sources`, `kept_fixes`, `source_tiles`, `source_regions`,
  ///   `achievements`, `sync_state`, `profile` and `pushes` are the store's own data; the other
  ///   tables are derived from them.
  /// - `settings.changed_ms` is the time of the last change in milliseconds since 1970: among
  ///   devices that share a history, the last change counts.
  /// - `zones` has the privacy zones: a center in 1e-7 degree and a radius in meters. `uid` is the
  ///   same on all devices that share the zone.
  /// - `sources.report` is the importer's text. The store reads it only through closures of the
  ///   importer (``StoreOptions/reportMembers``, ``StoreOptions/droppedPoints``): for a change of
  ///   settings, a sync and a check. It clears the text when a privacy zone deletes data of the
  ///   source, because it may reveal where that was. `forgotten` counts what zones deleted.
  ///   `is_cut` says that the last fix was deleted, or kept out by a privacy zone, so that the next
  ///   one starts a segment. `stays_at_end` says that the source is known to have stayed near its
  ///   last kept fix until `last_time`.
  ///   `withheld` is 1 if a privacy zone keeps data of the source out of the
  ///   store, and 2 if a zone was removed since then, so that importing the file again replaces the
  ///   source. It is 3 if an area was deleted from the source for good, and 4 if another source has
  ///   replaced it.
  ///   `highest_m`, `lowest_m` and `height_steps` are those of its kept fixes (`HeightProfile`).
  /// - `source_tiles` has the cells of sources without fixes. Their grid is that of the setting
  ///   `explorationRadiusMeters`, which cannot be changed while there are any.
  /// - `source_regions` has regions that came with a source, such as those of the Roqua app.
  ///   `original` is the unchanged original row; `visit_count` is NULL if only a position is known.
  ///   `stated_visits` has the visits that such rows state without individual times.
  /// - `regions` has a row for each visited region. Its number is the geohash of the center and a
  ///   counter (``RegionID``), so that neighbors are on the same page and a search reads ranges of
  ///   numbers. Positions are in 1e-7 degree, times in milliseconds since 1970. `accuracy` is an
  ///   integer of decimeters, or a real number of meters if decimeters would lose precision.
  ///   `made_by` and `changed_by` are the sources that made the region and changed it last.
  /// - `places` has each set of names that regions share once.
  /// - `repeat_visits` has all visits of regions that were visited more than once, in blocks of 32
  ///   (``VisitBlock``). The only visit of another region is in the `start_ms` and `end_ms` of its
  ///   row.
  /// - `adopted_times` has the original `created_at` and `updated_at` of adopted regions.
  /// - `revision` is one row that counts the transactions that changed a region. Cached regions
  ///   carry this number, so that a change by any process is noticed. `deletions` counts those that
  ///   deleted data of sources, or changed which fixes are part of a flight.
  /// - `achievements` has a row for each tier that was ever reached. Rows are never deleted, and a
  ///   time only becomes earlier. `generation` is that of the evaluation that gave it.
  /// - `achievement_progress` has the value of each achievement, and the one before the last
  ///   generation. `achievement_state` has one row: which content was evaluated, by which rules,
  ///   and the state of the evaluation, so that it can go on with later fixes. Both are deleted
  ///   when data is forgotten, because they may reveal where it was.
  /// - `sync_state` has one row once the store shares its history with other devices. The store
  ///   keeps `state` unchanged and never reads it. Chunks up to `sealed_chunk` are shared: a
  ///   recording no longer adds to them.
  /// - `profile` has at most one row: the profile to which the store belongs
  ///   (`Store+Profile.swift`).
  /// - `pushes` has the marks of the last pushes of this store to databases for many people, and
  ///   digests of what was pushed (`docs/formats/postgres.md`). A database that has such a mark has
  ///   nothing newer.
  /// - `erasure` has one row from the transaction that deletes data until no bytes of the data
  ///   remain in the store's files. Any connection that finds the row finishes the work.
  static let tables = """
    CREATE TABLE settings (
      key TEXT PRIMARY KEY,
      value REAL NOT NULL,
      changed_ms INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE zones (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT UNIQUE,
      latitude_e7 INTEGER NOT NULL,
      longitude_e7 INTEGER NOT NULL,
      radius REAL NOT NULL,
      added_at TEXT NOT NULL,
      uid TEXT NOT NULL DEFAULT (lower(hex(randomblob(16))))
    ) STRICT;

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
      imported_at TEXT NOT NULL,
      forgotten INTEGER NOT NULL DEFAULT 0,
      is_cut INTEGER NOT NULL DEFAULT 0,
      stays_at_end INTEGER NOT NULL DEFAULT 0,
      withheld INTEGER NOT NULL DEFAULT 0,
      highest_m REAL,
      lowest_m REAL,
      height_steps TEXT
    ) STRICT;
    CREATE INDEX sources_by_bytes ON sources (bytes);

    CREATE TABLE kept_fixes (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES sources (id) \
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      count INTEGER NOT NULL,
      payload BLOB NOT NULL
    ) STRICT;
    CREATE INDEX kept_fixes_by_source ON kept_fixes (source_id);

    CREATE TABLE places (
      id INTEGER PRIMARY KEY,
      quarter TEXT,
      city TEXT,
      district TEXT,
      region TEXT,
      region_code TEXT,
      country TEXT,
      country_code TEXT
    ) STRICT;

    CREATE TABLE regions (
      id INTEGER PRIMARY KEY,
      latitude_e7 INTEGER NOT NULL,
      longitude_e7 INTEGER NOT NULL,
      place_id INTEGER,
      accuracy ANY,
      radius INTEGER NOT NULL,
      start_ms INTEGER,
      end_ms INTEGER,
      visit_count INTEGER NOT NULL,
      made_by INTEGER NOT NULL,
      changed_by INTEGER NOT NULL
    ) STRICT;

    CREATE TABLE repeat_visits (
      region_id INTEGER NOT NULL,
      block INTEGER NOT NULL,
      visits TEXT NOT NULL,
      PRIMARY KEY (region_id, block)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE adopted_times (
      region_id INTEGER PRIMARY KEY,
      created_at TEXT,
      updated_at TEXT
    ) STRICT;

    CREATE TABLE coverage_tiles (
      key INTEGER PRIMARY KEY,
      cells INTEGER NOT NULL,
      bits BLOB NOT NULL
    ) STRICT;

    CREATE TABLE source_tiles (
      source_id INTEGER NOT NULL REFERENCES sources (id) \
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      key INTEGER NOT NULL,
      cells INTEGER NOT NULL,
      bits BLOB NOT NULL,
      PRIMARY KEY (source_id, key)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE source_regions (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES sources (id) \
    ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      latitude REAL NOT NULL,
      longitude REAL NOT NULL,
      radius INTEGER,
      start_ms INTEGER,
      end_ms INTEGER,
      visit_count INTEGER,
      city TEXT,
      district TEXT,
      country TEXT,
      country_code TEXT,
      accuracy REAL,
      created_at TEXT,
      updated_at TEXT,
      original TEXT NOT NULL
    ) STRICT;
    CREATE INDEX source_regions_by_source ON source_regions (source_id);

    CREATE TABLE stated_visits (
      region_id INTEGER NOT NULL,
      start_ms INTEGER,
      end_ms INTEGER,
      visit_count INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX stated_visits_by_region ON stated_visits (region_id);

    CREATE TABLE revision (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      regions INTEGER NOT NULL,
      deletions INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    INSERT INTO revision VALUES (1, 0, 0);

    CREATE TABLE achievements (
      id TEXT NOT NULL,
      tier REAL NOT NULL,
      unlocked_ms INTEGER,
      generation INTEGER NOT NULL,
      given_at TEXT NOT NULL,
      PRIMARY KEY (id, tier)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE achievement_progress (
      id TEXT PRIMARY KEY,
      value REAL NOT NULL,
      value_before REAL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE achievement_state (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      generation INTEGER NOT NULL,
      content TEXT NOT NULL,
      rules TEXT NOT NULL,
      evaluated_at TEXT NOT NULL,
      state BLOB NOT NULL
    ) STRICT;

    CREATE TABLE sync_state (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      sealed_chunk INTEGER NOT NULL,
      state BLOB NOT NULL
    ) STRICT;

    CREATE TABLE profile (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      id TEXT NOT NULL
    ) STRICT;

    CREATE TABLE pushes (
      mark TEXT PRIMARY KEY,
      content TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE erasure (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      since TEXT NOT NULL
    ) STRICT;
    """
}

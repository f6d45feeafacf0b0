extension Schema {
  /// Version 5: regions that a source brought itself, such as those of the Roqua app, and views for people who ask in SQL.
  ///
  /// - `source_regions` is truth, as `source_tiles` is: `original` has the row as it was found. `visit_count` is NULL where
  ///   only a position is known.
  /// - `stated_visits` is derived: what such rows say of visits whose times nobody knows.
  /// - The views stay as they are named here; `docs/sql.md` explains them.
  static let version5 = """
    CREATE TABLE source_regions (
      id INTEGER PRIMARY KEY,
      source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
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
      region_id INTEGER NOT NULL REFERENCES visited_regions (id) ON DELETE CASCADE,
      start_ms INTEGER,
      end_ms INTEGER,
      visit_count INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX stated_visits_by_region ON stated_visits (region_id);

    CREATE VIEW source_summary AS
      SELECT id, path, format, substr(sha256, 1, 8) AS sha256, points, kept,
        (SELECT count(*) FROM source_regions r WHERE r.source_id = s.id) AS regions,
        (SELECT coalesce(sum(cells), 0) FROM source_tiles t WHERE t.source_id = s.id) AS cells,
        first_time, last_time, imported_at
      FROM sources s;

    CREATE VIEW visit_list AS
      SELECT v.region_id, strftime('%Y-%m-%dT%H:%M:%SZ', v.start_ms / 1000, 'unixepoch') AS start_time,
        strftime('%Y-%m-%dT%H:%M:%SZ', v.end_ms / 1000, 'unixepoch') AS end_time,
        round((v.end_ms - v.start_ms) / 60000.0, 1) AS minutes,
        r.latitude, r.longitude, r.city, r.district, r.region, r.country, r.country_code
      FROM visits v JOIN visited_regions r ON r.id = v.region_id;

    CREATE VIEW regions_by_country AS
      SELECT country_code, country, count(*) AS regions, sum(visit_count) AS visits,
        count(DISTINCT city) AS cities, min(timestamp_start) AS first_time, max(timestamp_end) AS last_time
      FROM visited_regions GROUP BY country_code, country;

    CREATE VIEW regions_by_city AS
      SELECT country_code, country, region, city, count(*) AS regions, sum(visit_count) AS visits,
        min(timestamp_start) AS first_time, max(timestamp_end) AS last_time
      FROM visited_regions GROUP BY country_code, country, region, city;

    CREATE VIEW days AS
      SELECT date(v.start_ms / 1000, 'unixepoch') AS day, count(*) AS visits,
        count(DISTINCT v.region_id) AS regions, count(DISTINCT r.country_code) AS countries,
        count(DISTINCT r.city) AS cities
      FROM visits v JOIN visited_regions r ON r.id = v.region_id GROUP BY 1;
    """
}

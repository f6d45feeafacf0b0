extension Schema {
  /// Views for people who query in SQL. Their names and columns are stable; `docs/sql.md` explains
  /// them. Roqua never reads them.
  ///
  /// A time has milliseconds only where it needs them, and `10:00:00.900Z` sorts before
  /// `10:00:00Z`; without the `Z` it sorts after. Hence the `rtrim`.
  static let views = """
    CREATE VIEW source_summary AS
      SELECT id, path, format, substr(sha256, 1, 8) AS sha256, points, kept,
        (SELECT count(*) FROM source_regions r WHERE r.source_id = s.id) AS regions,
        (SELECT coalesce(sum(cells), 0) FROM source_tiles t WHERE t.source_id = s.id) AS cells,
        first_time, last_time, imported_at
      FROM sources s;

    CREATE VIEW visit_list AS
      SELECT v.region_id,
        strftime('%Y-%m-%dT%H:%M:%S', v.start_ms / 1000, 'unixepoch')
          || CASE WHEN v.start_ms % 1000 THEN printf('.%03dZ', v.start_ms % 1000) \
    ELSE 'Z' END AS start_time,
        strftime('%Y-%m-%dT%H:%M:%S', v.end_ms / 1000, 'unixepoch')
          || CASE WHEN v.end_ms % 1000 THEN printf('.%03dZ', v.end_ms % 1000) \
    ELSE 'Z' END AS end_time,
        round((v.end_ms - v.start_ms) / 60000.0, 1) AS minutes,
        r.latitude, r.longitude, r.city, r.district, r.region, r.country, r.country_code
      FROM visits v JOIN visited_regions r ON r.id = v.region_id;

    CREATE VIEW regions_by_country AS
      SELECT country_code, country, count(*) AS regions, sum(visit_count) AS visits,
        count(DISTINCT city) AS cities, min(rtrim(timestamp_start, 'Z')) || 'Z' AS first_time,
        max(rtrim(timestamp_end, 'Z')) || 'Z' AS last_time
      FROM visited_regions GROUP BY country_code, country;

    CREATE VIEW regions_by_city AS
      SELECT country_code, country, region, city, count(*) AS regions, sum(visit_count) AS visits,
        min(rtrim(timestamp_start, 'Z')) || 'Z' AS first_time, \
    max(rtrim(timestamp_end, 'Z')) || 'Z' AS last_time
      FROM visited_regions GROUP BY country_code, country, region, city;

    CREATE VIEW days AS
      SELECT date(v.start_ms / 1000, 'unixepoch') AS day, count(*) AS visits,
        count(DISTINCT v.region_id) AS regions, count(DISTINCT r.country_code) AS countries,
        count(DISTINCT r.city) AS cities
      FROM visits v JOIN visited_regions r ON r.id = v.region_id GROUP BY 1;
    """
}

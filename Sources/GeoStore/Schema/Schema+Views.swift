extension Schema {
  /// Views for people who query in SQL. Their names and columns are stable and documented in
  /// `docs/sql.md`. Roqua itself never reads them.
  ///
  /// `visited_regions` has the columns of the Roqua app's table with the same names and types,
  /// except that `timestamp_start` may be NULL, and `region` and `region_code` are added. The app
  /// has one column for the district and the quarter. `visits` has one row for each visit. Times
  /// have milliseconds only if needed.
  static let views = """
    CREATE VIEW visited_regions AS
      SELECT r.id, \(degrees("r.latitude_e7")) AS latitude,
        \(degrees("r.longitude_e7")) AS longitude, r.radius,
        \(iso8601("r.start_ms")) AS timestamp_start, \(iso8601("r.end_ms")) AS timestamp_end,
        r.visit_count, p.city, coalesce(p.district, p.quarter) AS district, p.country,
        p.country_code,
        \(geohash("r.id")) AS geohash,
        CAST(CASE typeof(r.accuracy) WHEN 'integer' THEN r.accuracy / 10.0 ELSE r.accuracy END \
    AS REAL) AS accuracy,
        coalesce(t.created_at, (SELECT imported_at FROM sources WHERE id = r.made_by)) \
    AS created_at,
        coalesce(CASE WHEN r.changed_by = r.made_by THEN t.updated_at END,
          (SELECT imported_at FROM sources WHERE id = r.changed_by)) AS updated_at,
        p.region, p.region_code
      FROM regions r LEFT JOIN places p ON p.id = r.place_id
        LEFT JOIN adopted_times t ON t.region_id = r.id;

    CREATE VIEW visits AS
      SELECT id AS region_id, start_ms, end_ms FROM regions
      WHERE start_ms NOTNULL AND (visit_count = 1
        OR NOT EXISTS (SELECT 1 FROM repeat_visits WHERE region_id = regions.id))
      UNION ALL
      SELECT b.region_id, CAST(r.start_ms + round(1000 * v.key) AS INTEGER),
        CAST(r.start_ms + round(1000 * v.key) + round(1000 * v.value) AS INTEGER)
      FROM repeat_visits b JOIN regions r ON r.id = b.region_id,
        json_each('{"' || replace(replace(b.visits, ',', ',"'), ':', '":') || '}') v;

    CREATE VIEW source_summary AS
      SELECT id, path, format, substr(sha256, 1, 8) AS sha256, points, kept,
        (SELECT count(*) FROM source_regions r WHERE r.source_id = s.id) AS regions,
        (SELECT coalesce(sum(cells), 0) FROM source_tiles t WHERE t.source_id = s.id) AS cells,
        first_time, last_time, imported_at
      FROM sources s;

    CREATE VIEW visit_list AS
      SELECT v.region_id, \(iso8601("v.start_ms")) AS start_time,
        \(iso8601("v.end_ms")) AS end_time,
        round((v.end_ms - v.start_ms) / 60000.0, 1) AS minutes,
        \(degrees("r.latitude_e7")) AS latitude,
        \(degrees("r.longitude_e7")) AS longitude,
        p.quarter, p.city, p.district, p.region, p.region_code, p.country, p.country_code
      FROM visits v JOIN regions r ON r.id = v.region_id LEFT JOIN places p ON p.id = r.place_id;

    CREATE VIEW regions_by_country AS
      SELECT p.country_code, p.country, count(*) AS regions, sum(r.visit_count) AS visits,
        count(DISTINCT p.city) AS cities, \(iso8601("min(r.start_ms)")) AS first_time,
        \(iso8601("max(r.end_ms)")) AS last_time
      FROM regions r LEFT JOIN places p ON p.id = r.place_id GROUP BY 1, 2;

    CREATE VIEW regions_by_city AS
      SELECT p.country_code, p.country, p.region, p.region_code, p.city, count(*) AS regions,
        sum(r.visit_count) AS visits, \(iso8601("min(r.start_ms)")) AS first_time,
        \(iso8601("max(r.end_ms)")) AS last_time
      FROM regions r LEFT JOIN places p ON p.id = r.place_id GROUP BY 1, 2, 3, 4, 5;

    CREATE VIEW days AS
      SELECT \(date("v.start_ms")) AS day, count(*) AS visits,
        count(DISTINCT v.region_id) AS regions, count(DISTINCT p.country_code) AS countries,
        count(DISTINCT p.city) AS cities
      FROM visits v JOIN regions r ON r.id = v.region_id LEFT JOIN places p ON p.id = r.place_id
      GROUP BY 1;
    """

  /// Converts units of 1e-7 degree to degrees, with the affinity of a REAL column, so that a text
  /// compares as a number.
  private static func degrees(_ e7: String) -> String { "CAST(\(e7) / 1e7 AS REAL)" }

  /// Converts milliseconds to whole seconds, rounded down, also before 1970.
  private static func seconds(_ milliseconds: String) -> String {
    "(\(milliseconds) - (\(milliseconds) % 1000 + 1000) % 1000) / 1000"
  }

  /// The day of a time in milliseconds since 1970, in UTC.
  private static func date(_ milliseconds: String) -> String {
    "date(\(seconds(milliseconds)), 'unixepoch')"
  }

  /// Formats milliseconds since 1970 as ISO 8601 in UTC, with milliseconds if there are any.
  private static func iso8601(_ milliseconds: String) -> String {
    """
    strftime('%Y-%m-%dT%H:%M:%S', \(seconds(milliseconds)), 'unixepoch') || \
    CASE \(milliseconds) % 1000 WHEN 0 THEN 'Z' \
    ELSE printf('.%03dZ', (\(milliseconds) % 1000 + 1000) % 1000) END
    """
  }

  /// The geohash in a region's number: nine characters of five bits each.
  private static func geohash(_ id: String) -> String {
    (0..<9).map { place in
      let shift = RegionID.counterBits + 5 * (8 - place)
      return "substr('0123456789bcdefghjkmnpqrstuvwxyz', (\(id) >> \(shift) & 31) + 1, 1)"
    }.joined(separator: " || ")
  }
}

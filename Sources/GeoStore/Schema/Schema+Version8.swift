extension Schema {
  /// Version 8: the view `visit_list` gives times with their milliseconds where they have any, as every other time of a
  /// store is written.
  static let version8 = """
    DROP VIEW IF EXISTS visit_list;
    CREATE VIEW visit_list AS
      SELECT v.region_id,
        strftime('%Y-%m-%dT%H:%M:%S', v.start_ms / 1000, 'unixepoch')
          || CASE WHEN v.start_ms % 1000 THEN printf('.%03dZ', v.start_ms % 1000) ELSE 'Z' END AS start_time,
        strftime('%Y-%m-%dT%H:%M:%S', v.end_ms / 1000, 'unixepoch')
          || CASE WHEN v.end_ms % 1000 THEN printf('.%03dZ', v.end_ms % 1000) ELSE 'Z' END AS end_time,
        round((v.end_ms - v.start_ms) / 60000.0, 1) AS minutes,
        r.latitude, r.longitude, r.city, r.district, r.region, r.country, r.country_code
      FROM visits v JOIN visited_regions r ON r.id = v.region_id;
    """
}

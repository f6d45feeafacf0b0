extension Schema {
  /// Version 6: the views' first and last times are those in time, not those in the alphabet.
  ///
  /// A time has milliseconds only where it needs them, and `10:00:00.900Z` comes before `10:00:00Z` in the alphabet;
  /// without the `Z` it comes after.
  static let version6 = """
    DROP VIEW regions_by_country;
    CREATE VIEW regions_by_country AS
      SELECT country_code, country, count(*) AS regions, sum(visit_count) AS visits,
        count(DISTINCT city) AS cities, min(rtrim(timestamp_start, 'Z')) || 'Z' AS first_time,
        max(rtrim(timestamp_end, 'Z')) || 'Z' AS last_time
      FROM visited_regions GROUP BY country_code, country;

    DROP VIEW regions_by_city;
    CREATE VIEW regions_by_city AS
      SELECT country_code, country, region, city, count(*) AS regions, sum(visit_count) AS visits,
        min(rtrim(timestamp_start, 'Z')) || 'Z' AS first_time, max(rtrim(timestamp_end, 'Z')) || 'Z' AS last_time
      FROM visited_regions GROUP BY country_code, country, region, city;
    """
}

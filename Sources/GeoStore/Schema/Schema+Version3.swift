extension Schema {
  /// Version 3: regions are found by the geohash of their centre. Its index takes the position in, so it answers
  /// searches by itself, and the column `cell` with an index of its own goes: one index less to keep for every region.
  static let version3 = """
    DROP INDEX visited_regions_by_cell;
    ALTER TABLE visited_regions DROP COLUMN cell;
    DROP INDEX visited_regions_by_geohash;
    CREATE INDEX visited_regions_by_geohash ON visited_regions (geohash, latitude, longitude);
    """
}

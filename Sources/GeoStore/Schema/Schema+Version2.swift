extension Schema {
  /// Version 2: `source_tiles`, the cells that a source without fixes brought itself, which nothing else in the store
  /// could give again. Their grid is that of the setting `explorationRadiusMeters`, which stays as it is while there are
  /// any.
  static let version2 = """
    CREATE TABLE source_tiles (
      source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
      key INTEGER NOT NULL,
      cells INTEGER NOT NULL,
      bits BLOB NOT NULL,
      PRIMARY KEY (source_id, key)
    ) STRICT, WITHOUT ROWID;
    """
}

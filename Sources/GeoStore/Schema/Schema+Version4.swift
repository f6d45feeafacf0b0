extension Schema {
  /// Version 4: `revision`, one row that counts the transactions which changed a region. What readers keep of regions in
  /// memory is of one such number, so a change by any process is noticed.
  static let version4 = """
    CREATE TABLE revision (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      regions INTEGER NOT NULL
    ) STRICT;
    INSERT INTO revision VALUES (1, 0);
    """
}

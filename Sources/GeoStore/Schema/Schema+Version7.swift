extension Schema {
  /// Version 7: `erasure`, one row from the transaction that takes something back until the store's files hold nothing of it
  /// any more. Who finds it there finishes the work: the program may have ended in between.
  static let version7 = """
    CREATE TABLE erasure (
      only INTEGER PRIMARY KEY CHECK (only = 1),
      since TEXT NOT NULL
    ) STRICT;
    """
}

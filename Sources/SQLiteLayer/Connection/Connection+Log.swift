extension Connection {
  /// Moves what the write-ahead log holds into the open file and cuts the log to nothing, waiting
  /// for readers and writers up to the busy timeout; false if a reader of an older state is in the
  /// way.
  package func truncateLog() throws(DatabaseError) -> Bool {
    // Its first column is 1 if a reader was in the way.
    try integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0
  }

  /// Does the same without waiting for anybody, as far as that goes.
  ///
  /// A log that is left beside another file of the same name would be taken for that file's, and
  /// damage it: SQLite leaves it there when it closes a file that was moved
  /// (https://www.sqlite.org/howtocorrupt.html, section 2.4).
  package func emptyLog() {
    try? execute("PRAGMA busy_timeout = 0")
    _ = try? truncateLog()
    try? execute("PRAGMA busy_timeout = \(Pragmas.busyTimeoutMilliseconds)")
  }
}

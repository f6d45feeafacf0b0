extension Connection {
  /// Moves what the write-ahead log holds into the open file and cuts the log to nothing, unless
  /// somebody is in the way.
  ///
  /// A log that is left beside another file of the same name would be taken for that file's, and
  /// damage it: SQLite leaves it there when it closes a file that was moved
  /// (https://www.sqlite.org/howtocorrupt.html, section 2.4).
  package func emptyLog() {
    try? execute("PRAGMA busy_timeout = 0")
    _ = try? integer("PRAGMA wal_checkpoint(TRUNCATE)")
    try? execute("PRAGMA busy_timeout = \(Pragmas.busyTimeoutMilliseconds)")
  }
}

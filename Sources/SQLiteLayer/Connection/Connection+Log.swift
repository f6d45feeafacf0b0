extension Connection {
  /// Moves the contents of the write-ahead log into the open file and truncates the log, waiting
  /// for readers and writers up to the busy timeout. Returns false if a reader of an older state
  /// blocks it.
  package func truncateLog() throws(DatabaseError) -> Bool {
    // The first column is 1 if a reader blocked it.
    try integer("PRAGMA wal_checkpoint(TRUNCATE)") == 0
  }

  /// Does the same as far as possible without waiting.
  ///
  /// A log left next to another file of the same name would be taken for that file's log and damage
  /// it; SQLite leaves the log there when it closes a file that was moved
  /// (https://www.sqlite.org/howtocorrupt.html, section 2.4).
  package func emptyLog() {
    busyTimeoutMilliseconds = 0
    _ = try? truncateLog()
    busyTimeoutMilliseconds = Pragmas.busyTimeoutMilliseconds
  }
}

import SQLiteLayer

extension Store {
  /// Moves the contents of the write-ahead log into the database file and empties the log, as far
  /// as readers allow. Does not block.
  package func bringInLog() throws(DatabaseError) {
    try withWriter { (writer) throws(DatabaseError) in writer.emptyLog() }
  }

  /// Moves the contents of the write-ahead log into the database file and empties the log, as far
  /// as readers allow.
  ///
  /// - Throws: `DatabaseError`, also if the store cannot be changed.
  public func checkpoint() throws(DatabaseError) {
    try withWriter { (writer) throws(DatabaseError) in
      _ = try writer.truncateLog()
    }
  }
}

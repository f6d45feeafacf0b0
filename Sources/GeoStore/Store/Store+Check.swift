import SQLiteLayer

extension Store {
  /// Verifies the whole store in one unchanging state, without changing anything.
  ///
  /// Regions, visits, place names and coverage are rebuilt in a temporary database (an unnamed file
  /// that SQLite deletes) and compared. If the geodata is newer than that used when a region was
  /// made, its names may differ.
  ///
  /// - Parameter isQuick: whether to run only SQLite's own checks and those of the tables' form.
  /// - Complexity: O(store). Other programs may read and write meanwhile; the write-ahead log
  ///   cannot be emptied.
  /// - Throws: `DatabaseError` if the store cannot be read at all; damage found by SQLite is
  ///   reported as a difference.
  package func check(isQuick: Bool = false) throws(DatabaseError) -> StoreCheck {
    try withReader { (reader) throws(DatabaseError) in
      try StoreChecker(store: reader, options: options, isQuick: isQuick).run()
    }
  }
}

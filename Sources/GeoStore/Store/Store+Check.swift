import SQLiteLayer

extension Store {
  /// Looks over the whole store, in one unchanging state of it, and changes nothing.
  ///
  /// Regions, visits, names of places and coverage are rebuilt in a temporary database, which
  /// SQLite keeps in a file without a name and deletes, and compared. Names that newer data give
  /// differ from those that a region was made with.
  ///
  /// - Parameter isQuick: whether to leave out all but SQLite's own checks and the tables' form.
  /// - Complexity: O(store). Other programs may read and write meanwhile; the write-ahead log
  ///   cannot be emptied.
  /// - Throws: `DatabaseError` where the store cannot be read at all; damage that SQLite meets is
  ///   a difference.
  package func check(isQuick: Bool = false) throws(DatabaseError) -> StoreCheck {
    try withReader { (reader) throws(DatabaseError) in
      try StoreChecker(store: reader, options: options, isQuick: isQuick).run()
    }
  }
}

import SQLiteLayer

extension WriteSession {
  /// Marks the store as containing bytes of deleted data after the transaction. They are erased
  /// after it, or else by the next transaction while no connection reads the store.
  func oweErasure() throws(DatabaseError) {
    owesErasure = true
    try connection.oweErasure(since: options.now())
  }
}

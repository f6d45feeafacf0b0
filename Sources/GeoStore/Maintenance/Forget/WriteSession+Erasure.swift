import SQLiteLayer

extension WriteSession {
  /// Says that something is deleted whose bytes are in the store's files after the transaction.
  /// They are erased after it, or else by the next transaction of a store that nobody is reading.
  func oweErasure() throws(DatabaseError) {
    owesErasure = true
    try connection.oweErasure(since: options.now())
  }
}

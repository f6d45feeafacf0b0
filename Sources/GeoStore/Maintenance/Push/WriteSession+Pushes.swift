import SQLiteLayer

/// The marks of pushes to databases for many people.
extension WriteSession {
  /// Notes a push.
  ///
  /// - Parameters:
  ///   - mark: the mark of the push.
  ///   - content: a digest of what was pushed.
  package func notePush(_ mark: String, content: String) throws(DatabaseError) {
    let insert = try connection.cached("INSERT INTO pushes (mark, content) VALUES (?1, ?2)")
    insert.bind(mark, at: 1)
    insert.bind(content, at: 2)
    try insert.run(changing: 1)
  }

  /// Removes the note of a push that a later one has replaced.
  package func forgetPush(_ mark: String) throws(DatabaseError) {
    let delete = try connection.cached("DELETE FROM pushes WHERE mark = ?1")
    delete.bind(mark, at: 1)
    try delete.run()
  }
}

extension HistoryReader {
  /// Returns the digest of what was pushed with a mark; nil if this store did not make that push.
  package func pushedContent(_ mark: String) throws(DatabaseError) -> String? {
    let select = try connection.cached("SELECT content FROM pushes WHERE mark = ?1")
    select.bind(mark, at: 1)
    return try select.step() ? select.text(at: 0) : nil
  }

  /// Returns numbers of which at least one differs whenever the kept fixes, or what is derived from
  /// the sources, differ from another state of the store.
  ///
  /// - Complexity: O(chunks + places).
  package func contentNumbers() throws(DatabaseError) -> String {
    let select = try connection.cached(
      """
      SELECT (SELECT regions || ' ' || deletions FROM revision),
        (SELECT count(*) || ' ' || ifnull(max(id), 0) || ' ' || ifnull(sum(count), 0)
          FROM kept_fixes),
        (SELECT count(*) || ' ' || ifnull(max(id), 0) FROM places),
        (SELECT count(*) || ' ' || ifnull(max(id), 0) FROM source_regions)
      """)
    guard try select.step() else { return "" }
    return (0..<4).map { select.text(at: $0) ?? "" }.joined(separator: ", ")
  }
}

import SQLiteLayer

extension Schema {
  /// Recreates altered tables with the store's own data, and copies the values of their columns.
  /// Generated columns, constraints and added columns are dropped. Runs in one transaction.
  ///
  /// - Throws: ``DatabaseError`` if the rows of a table cannot be copied; nothing is changed then.
  /// - Complexity: O(rows) of these tables.
  static func restoreTables(_ connection: Connection) throws(DatabaseError) {
    let new = try Connection.temporary(for: connection.path, format: Schema.format)
    let altered = try SchemaDifference.all(in: connection, against: new).filter(\.isRestorable)
    guard !altered.isEmpty else { return }
    // A table that others reference is renamed and dropped, and the references must keep meaning
    // the table of that name. Neither pragma can be changed in a transaction.
    try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON")
    defer { try? connection.execute("PRAGMA legacy_alter_table = OFF; PRAGMA foreign_keys = ON") }
    try connection.writeTransaction { () throws(DatabaseError) in
      for difference in altered { try restore(difference.name, in: connection, as: new) }
    }
  }

  private static func restore(
    _ table: String, in connection: Connection, as new: Connection
  ) throws(DatabaseError) {
    let columns = try new.columns(ofTable: table).map(quoted).joined(separator: ", ")
    let old = quoted("before repair: " + table)
    guard let text = format.texts.tables[table] else { return }
    try connection.execute("ALTER TABLE \(quoted(table)) RENAME TO \(old)")
    try connection.execute(text)
    try connection.execute("INSERT INTO \(table) (\(columns)) SELECT \(columns) FROM \(old)")
    // Keeps the highest number ever used, including those of forgotten sources.
    try connection.execute(
      """
      UPDATE sqlite_sequence SET seq = max(seq, coalesce(
        (SELECT o.seq FROM sqlite_sequence o WHERE o.name = 'before repair: \(table)'), 0)) \
      WHERE name = '\(table)'
      """)
    try connection.execute("DROP TABLE \(old)")
    // Dropping the table dropped its indexes.
    let indexes = try Statement(
      "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = ?1 AND sql NOTNULL",
      on: new)
    indexes.bind(table, at: 1)
    while try indexes.step() { try connection.execute(indexes.text(at: 0) ?? "") }
  }
}

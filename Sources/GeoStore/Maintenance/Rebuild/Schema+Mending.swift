import SQLiteLayer

extension Schema {
  /// Repairs the schema of a store, inside a write transaction: recreates missing or altered
  /// indexes, views and derived tables, drops triggers and unique indexes that another program
  /// added to the store's tables, and restores the row of `revision`. A recreated derived table is
  /// empty until ``WriteSession/rebuild()`` fills it.
  ///
  /// A table with the store's own data that is missing or has another form is left unchanged.
  ///
  /// - Complexity: O(1) if nothing is wrong, including the creation of a temporary database with
  ///   all tables; O(rows) for an index.
  static func mend(_ connection: Connection) throws(DatabaseError) {
    let new = try Connection.temporary(for: connection.path, format: Schema.format)
    let wrong = try SchemaDifference.all(in: connection, against: new).filter(\.isMendable)
    // Objects that depend on a table are dropped before the table.
    for type in ["trigger", "view", "index", "table"] {
      for difference in wrong where difference.foundType == type {
        try connection.execute("DROP \(type.uppercased()) \(quoted(difference.name))")
      }
    }
    // Compare again: dropping a table dropped its indexes.
    for difference in try SchemaDifference.all(in: connection, against: new)
    where difference.isMendable {
      guard case .missing = difference.problem else { continue }
      let select = try new.cached("SELECT sql FROM sqlite_schema WHERE name = ?1")
      select.bind(difference.name, at: 1)
      guard try select.step(), let sql = select.text(at: 0) else { continue }
      try connection.execute(sql)
    }
    _ = try connection.advanceRegionRevision()
    // Numbers of sources are never reused, and must not be in use already.
    try connection.execute(
      """
      UPDATE sqlite_sequence SET seq = (SELECT max(id) FROM sources) WHERE name = 'sources'
        AND (typeof(seq) <> 'integer' OR seq = 9223372036854775807 \
      OR seq < (SELECT max(id) FROM sources));
      INSERT INTO sqlite_sequence (name, seq) SELECT 'sources', max(id) FROM sources
        WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'sources') \
      HAVING max(id) NOTNULL;
      """)
  }

  /// Quotes a name for SQL.
  static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
      + "\""
  }
}

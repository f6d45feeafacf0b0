extension DatabaseFormat {
  /// Checks that the tables of a database are those that the migrations create, and that nothing is
  /// attached to them that would run when they are written. A table's text includes its columns,
  /// generated ones too, and its constraints. Views and plain indexes added by a user, and other
  /// tables, are not checked.
  ///
  /// Call it before anything else is read. In addition, triggers and views are disabled
  /// (``Connection/harden(_:)``).
  ///
  /// - Throws: ``DatabaseError/alteredSchema(path:detail:)`` with the name of the offending object.
  /// - Complexity: O(tables, indexes, views and triggers).
  package func verify(_ connection: Connection) throws(DatabaseError) {
    var missing = Set(texts.tables.keys)
    let select = try connection.cached("SELECT type, name, tbl_name, sql FROM sqlite_schema")
    while try select.step() {
      let entry = SchemaEntry(
        type: select.text(at: 0) ?? "", name: select.text(at: 1) ?? "",
        table: select.text(at: 2) ?? "",
        sql: select.text(at: 3))
      if let problem = entry.problem(in: self) {
        throw .alteredSchema(path: connection.path, detail: problem)
      }
      missing.remove(entry.name.foldedSchemaName)
    }
    if let name = missing.min() {
      throw .alteredSchema(path: connection.path, detail: "the table \(name) is missing")
    }
  }
}

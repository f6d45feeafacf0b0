/// One step that brings a database from one version to the next.
package struct Migration: Sendable {
  /// Statements separated by semicolons; no text in them contains one.
  package let sql: String
  /// The text that SQLite keeps of tables which the step changes by `ALTER TABLE`, by their names.
  package let alteredTables: [String: String]

  /// A step.
  ///
  /// - Parameters:
  ///   - sql: statements separated by semicolons; no text in them contains one.
  ///   - alteredTables: the new `CREATE TABLE` text, as SQLite keeps it, of each table that
  ///     `ALTER TABLE` changes, by its name.
  package init(_ sql: String, alteredTables: [String: String] = [:]) {
    self.sql = sql
    self.alteredTables = alteredTables
  }
}

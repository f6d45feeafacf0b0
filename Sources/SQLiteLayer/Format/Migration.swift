/// One step that migrates a database from one version to the next.
package struct Migration: Sendable {
  /// Statements separated by semicolons; no text in them contains one.
  package let sql: String
  /// The texts that SQLite keeps of the tables that the step changes with `ALTER TABLE`, by table
  /// name.
  package let alteredTables: [String: String]

  /// Creates a step.
  ///
  /// - Parameters:
  ///   - sql: statements separated by semicolons; no text in them contains one.
  ///   - alteredTables: the new `CREATE TABLE` text, as SQLite keeps it, of each table that
  ///     `ALTER TABLE` changes, by table name.
  package init(_ sql: String, alteredTables: [String: String] = [:]) {
    self.sql = sql
    self.alteredTables = alteredTables
  }
}

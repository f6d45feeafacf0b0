/// How a database file is opened.
package struct DatabaseOptions: Sendable {
  /// Whose database it is, and of which version.
  package var format: DatabaseFormat
  /// What a power cut may take of what was written last.
  package var durability = Durability.normal
  /// Whether a database is opened whose tables differ from those of the format
  /// (``DatabaseError/alteredSchema(path:detail:)``): to check and to repair it.
  package var acceptsAlteredSchema = false
  /// Bytes of cached pages that the writer keeps.
  package var writerCacheBytes = Connection.writerCacheBytes
  /// The name of SQLite's file system (VFS); nil for the usual one.
  package var fileSystem: String?

  /// Options for databases of a format.
  package init(format: DatabaseFormat) { self.format = format }
}

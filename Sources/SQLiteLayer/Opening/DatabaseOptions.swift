/// What a power cut may take. A crash of the program takes nothing, whatever is chosen, and the database is
/// never damaged.
public enum Durability: String, Sendable {
  /// The last transactions may be lost: the write-ahead log reaches the disk at its checkpoints. What was
  /// lost is imported again from its file.
  case normal = "NORMAL"
  /// No finished transaction is lost: each waits for the disk. For recordings that have no file.
  case full = "FULL"
}

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

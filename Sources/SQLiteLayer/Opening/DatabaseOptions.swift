/// Options for opening a database file.
package struct DatabaseOptions: Sendable {
  /// The format of the database: its program and version.
  package var format: DatabaseFormat
  /// Which of the latest writes a power cut may lose.
  package var durability = Durability.normal
  /// Whether to open a database whose tables differ from those of the format
  /// (``DatabaseError/alteredSchema(path:detail:)``), in order to check and repair it.
  package var acceptsAlteredSchema = false
  /// Whether readers copy pages into a cache of 8 MB instead of mapping the file.
  package var savesMemory = false
  /// Size in bytes up to which the writer's page cache grows; up to four times that for a large
  /// file.
  package var writerCacheBytes = Connection.writerCacheBytes
  /// The name of SQLite's file system (VFS); nil for the default.
  package var fileSystem: String?

  /// Creates options for databases of a format.
  package init(format: DatabaseFormat) { self.format = format }
}

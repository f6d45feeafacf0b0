import Geodesy

/// A source as the store lists it: one row of `sources`.
///
/// ```swift
/// for source in try await explorer.sources() {
///   print(source.id, source.path, source.kept, source.importedAt?.iso8601 ?? "")
/// }
/// ```
public struct StoredSource: Hashable, Sendable, Identifiable {
  /// Its number, in the order of import. A number is never given twice.
  public let id: Int64
  /// SHA-256 of its (decompressed) bytes, 64 hexadecimal digits in lower case.
  public let sha256: String
  /// The path it was imported by.
  public let path: String
  /// Its format, by the name of the report.
  public let format: String
  /// Number of its (decompressed) bytes.
  public let bytes: Int
  /// Track points with a valid position, when it was imported.
  public let points: Int
  /// Its fixes that are in the store: those that passed every filter, less those that a privacy
  /// zone took out since.
  public let kept: Int
  /// Regions that it brought itself; 0 for a track.
  public let regions: Int
  /// Cells of the grid that it brought itself; 0 for a track.
  public let cells: Int
  /// First time of its points; nil where no point has one.
  public let firstTime: Timestamp?
  /// Last time of its points; nil where no point has one.
  public let lastTime: Timestamp?
  /// When it was imported; nil where the store does not say so in a form that can be read.
  public let importedAt: Timestamp?
}

import Geodesy

/// A source as listed by the store: one row of `sources`.
///
/// ```swift
/// for source in try await explorer.sources() {
///   print(source.id, source.path, source.kept, source.importedAt?.iso8601 ?? "")
/// }
/// ```
public struct StoredSource: Hashable, Sendable, Identifiable {
  /// Its number, in the order of import. Numbers are never reused.
  public let id: Int64
  /// SHA-256 of its (decompressed) bytes, 64 lowercase hexadecimal digits.
  package let sha256: String
  /// The path from which it was imported.
  public let path: String
  /// The name of its format, as in the report.
  public let format: String
  /// Number of its (decompressed) bytes.
  public let bytes: Int
  /// Number of track points with a valid position at the time of import.
  public let points: Int
  /// Number of its fixes in the store: those that passed every filter, minus those deleted by a
  /// privacy zone since.
  public let kept: Int
  /// Number of regions that came with it; 0 for a track.
  public let regions: Int
  /// Number of grid cells that came with it; 0 for a track.
  public let cells: Int
  /// First time of its points; nil if no point has one.
  public let firstTime: Timestamp?
  /// Last time of its points; nil if no point has one.
  public let lastTime: Timestamp?
  /// The time of import; nil if the stored text is missing or unreadable.
  public let importedAt: Timestamp?
}

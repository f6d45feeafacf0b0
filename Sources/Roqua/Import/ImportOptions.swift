import GeoStore
import TrackIngest

/// What an import does beyond its settings.
///
/// ```swift
/// var options = ImportOptions()
/// options.extras = [.waypoints]
/// options.onFile = { file, index, count in print("\(index + 1) of \(count): \(file.path)") }
/// let report = try await explorer.importTracks(at: tracks, options: options)
/// print(report.kept)
/// ```
public struct ImportOptions: Sendable {
  /// Points beside track points that are taken for fixes.
  public var extras: Set<ExtraPoints> = []
  /// Whether to read and report, and change nothing.
  public var isDryRun = false
  /// Called on the importing thread for each file or member of an archive, in order, once it is
  /// stored or will not be: its report, the number of the file that it is or lies in, counted from
  /// 0, and the number of files that were found. Small files are stored, and told of, several at a
  /// time.
  public var onFile: (@Sendable (FileReport, _ index: Int, _ filesFound: Int) -> Void)?

  /// Counts how far the import is while it runs; nil where nobody asks.
  public var meter: ImportMeter?

  /// Whether the store's log is brought in at the end, as it is when the process ends: for a
  /// program that ends then, so that nothing is left to be written after it was looked whether the
  /// path still names the store.
  package var bringsInLog = false

  /// Stops the import between two batches of fixes; nil where nobody can.
  var cancellation: Cancellation?

  /// Nothing extra, for real, in silence.
  public init() {}
}

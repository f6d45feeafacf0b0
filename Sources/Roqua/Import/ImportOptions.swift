import GeoStore
import Session
import TrackIngest

/// Options of an import beyond the store's settings.
///
/// ```swift
/// var options = ImportOptions()
/// options.extras = [.waypoints]
/// let report = try await explorer.importTracks(at: tracks, options: options)
/// print(report.kept)
/// ```
public struct ImportOptions: Sendable {
  /// The points to import as fixes in addition to track points.
  public var extras: Set<ExtraPoints> = []
  /// The columns of tables (CSV) whose names do not say what they are; nil to find all by name.
  /// Text of no other known format is then read as a table.
  public var columns: TableColumns?
  /// True to read and report, but change nothing.
  public var isDryRun = false
  /// Called on the importing thread for each file or archive member, in order, once it is stored or
  /// certain not to be. The arguments are its report, the index of the file that it is or lies in,
  /// counted from 0, and the number of files found. Small files are stored and reported several at
  /// a time.
  package var onFile: (@Sendable (FileReport, _ index: Int, _ filesFound: Int) -> Void)?

  /// Counts the progress of the import; nil for none.
  package var meter: ImportMeter?

  /// True to checkpoint the store's log at the end, as happens when the process exits. A program
  /// that exits then has nothing left to write after the check that the path still names the store.
  package var bringsInLog = false

  /// Stops the import between two batches of fixes, and ends its waits for other processes. If it
  /// is nil, canceling the work that this thread does cancels the import.
  package var cancellation: Cancellation?

  /// Hears of what was imported; nil for nobody.
  package var events: EventChannel<ExplorationEvent>?

  /// Creates the default options: track points only, not a dry run.
  public init() {}
}

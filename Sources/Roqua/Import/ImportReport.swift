import GeoStore
import Geodesy
import TrackIngest

/// What became of one file.
///
/// ```swift
/// let report = try await explorer.importTracks(at: tracks)
/// for file in report.files where file.status == .imported {
///   print("\(file.path): \(file.track.kept) fixes, \(file.changes.cellsAdded) new cells")
/// }
/// ```
public struct FileReport: Hashable, Sendable {
  /// How it ended.
  public enum Status: String, Sendable {
    /// Its fixes are in the store.
    case imported
    /// The same bytes were in the store already; nothing changed.
    case duplicate
    /// Nothing of it is in the store; the report's error says why.
    case refused
  }

  /// The path as given, joined with what lies below it.
  public let path: String
  /// How it ended.
  public let status: Status
  /// SHA-256 of its bytes, 64 hexadecimal digits; nil where they could not be read.
  public let sha256: String?
  /// Number of its bytes, expanded where they were compressed; of a refused one only those that
  /// were read.
  public let bytes: Int
  /// What was found in it. Empty for a duplicate.
  public let track: TrackReport
  /// What it changed in the store.
  public let changes: SourceChanges
}

/// What became of an import.
///
/// ```swift
/// let report = try await explorer.importTracks(at: tracks)
/// for file in report.files {
///   print(file.path, file.status, file.track.error?.message ?? "")
/// }
/// ```
public struct ImportReport: Sendable {
  /// The files, in the order in which they were found.
  public var files: [FileReport] = []
  /// Why the import ended before its last file: the store's error. Files that were finished before
  /// stay in the store; the file in the middle is the last of the list, refused with the code
  /// `store`.
  public var failure: (any Error)?
  /// Whether the task was cancelled before all files were done with.
  public internal(set) var isCancelled = false
  /// Files of folders and archives that hold no tracks.
  public var ignored = 0
  /// Files that hold tracks and cannot be read yet, by kind; those that were named are among the
  /// refused ``files``, too.
  public internal(set) var unsupported: [UnsupportedKind: Int] = [:]
  /// What changed in the store.
  public var changes = SourceChanges()
  /// Time from start to end.
  public var elapsedSeconds = 0.0
  /// The most memory that the process has held so far, in bytes.
  package var peakMemoryBytes = 0

  /// Files that ended in a way.
  public func count(_ status: FileReport.Status) -> Int { files.count { $0.status == status } }
  /// Bytes of all files that were read.
  public var bytes: Int { files.reduce(0) { $0 + $1.bytes } }
  /// Points of all files that were imported.
  public var points: Int { files.reduce(0) { $0 + $1.track.points } }
  /// Kept fixes of all files that were imported.
  public var kept: Int { files.reduce(0) { $0 + $1.track.kept } }
  /// Points read a second.
  public var pointsPerSecond: Double { elapsedSeconds > 0 ? Double(points) / elapsedSeconds : 0 }
}

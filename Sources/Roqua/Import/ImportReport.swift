import GeoStore
import Geodesy
import TrackIngest

/// The result of importing one file.
///
/// ```swift
/// let report = try await explorer.importTracks(at: tracks)
/// for file in report.files where file.status == .imported {
///   print("\(file.path): \(file.track.kept) fixes, \(file.changes.cellsAdded) new cells")
/// }
/// ```
public struct FileReport: Hashable, Sendable {
  /// The outcome for a file.
  public enum Status: String, Sendable {
    /// The fixes of the file are in the store.
    case imported
    /// The same bytes were in the store already; nothing changed.
    case duplicate
    /// Nothing of the file is in the store; the report's error gives the reason.
    case refused
  }

  /// The path as given, joined with the path below it.
  public let path: String
  /// The outcome.
  public let status: Status
  /// SHA-256 of the bytes, 64 hexadecimal digits; nil if they could not be read.
  public let sha256: String?
  /// The number of bytes after decompression. For a refused file, only those that were read.
  public let bytes: Int
  /// The contents of the file. Empty for a duplicate.
  public let track: TrackReport
  /// The changes to the store.
  public let changes: SourceChanges
  /// The sources that cover the same time; nil if the file was not imported, or in a dry run.
  public internal(set) var overlaps: FileOverlaps?
}

/// The result of an import.
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
  /// The store's error that ended the import before its last file. Files that were finished before
  /// remain in the store. The file that failed is the last of the list, refused with the code
  /// `store`.
  public var failure: (any Error)?
  /// True if the task was canceled before all files were finished.
  public internal(set) var isCancelled = false
  /// Files of folders and archives that hold no tracks.
  public var ignored = 0
  /// Files that hold tracks and cannot be read yet, by kind; those that were named are among the
  /// refused ``files``, too.
  public internal(set) var unsupported: [UnsupportedKind: Int] = [:]
  /// What changed in the store.
  public var changes = SourceChanges()
  /// The overlaps of imported files with each other and with other sources.
  public internal(set) var overlaps = SourceOverlaps()
  /// The duration of the import in seconds.
  public var elapsedSeconds = 0.0
  /// The peak memory of the process so far, in bytes.
  package var peakMemoryBytes = 0

  /// The number of files with this status.
  public func count(_ status: FileReport.Status) -> Int { files.count { $0.status == status } }
  /// The number of bytes read from all files.
  public var bytes: Int { files.reduce(0) { $0 + $1.bytes } }
  /// The number of points in all imported files.
  public var points: Int { files.reduce(0) { $0 + $1.track.points } }
  /// The number of kept fixes of all imported files.
  public var kept: Int { files.reduce(0) { $0 + $1.track.kept } }
  /// The number of points read per second.
  public var pointsPerSecond: Double { elapsedSeconds > 0 ? Double(points) / elapsedSeconds : 0 }
}

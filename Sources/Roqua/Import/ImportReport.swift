import Achievements
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
  package let sha256: String?
  /// The number of bytes after decompression. For a refused file, only those that were read.
  public let bytes: Int
  /// The contents of the file. Empty for a duplicate.
  public let track: TrackReport
  /// The changes to the store.
  public let changes: SourceChanges
  /// The number of cells of a source that has explored pixels and no fixes, without
  /// those that privacy zones keep out.
  public internal(set) var cells = 0
  /// The number of its cells that privacy zones keep out.
  package internal(set) var withheldCells = 0
  /// The sources that cover the same time; nil if the file was not imported, or in a dry run.
  package internal(set) var overlaps: FileOverlaps?
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
  /// The files, in the order in which they were found. Of the refused files in an archive, only the
  /// first 1,000 are listed; ``count(_:)`` counts the others, too.
  public var files: [FileReport] = []
  /// The refused files in archives that have any, in the order of the archives.
  private var refusals: [ArchiveRefusals] = []
  /// The store's error that ended the import before its last file. Files that were finished before
  /// remain in the store. The file that failed is the last of the list, refused with the code
  /// `store`.
  public var failure: (any Error)?
  /// True if the files were only read: nothing is known of what they would change.
  package internal(set) var isDryRun = false
  /// True if the task was canceled before all files were finished.
  public internal(set) var isCancelled = false
  /// The number of files of folders and archives that hold no tracks.
  public var ignored: Int { passedOver.ignored }
  /// The numbers of files of folders and archives that hold no tracks, by the extension of their
  /// name in lower case. Files without an extension of one to eight ASCII letters and digits count
  /// as `other`, and so do all files of further kinds after the first 64.
  package var ignoredKinds: [String: Int] { passedOver.ignoredKinds }
  /// The kinds and numbers of ``ignoredKinds``: the most frequent first, `other` last.
  package var ignoredKindsByCount: [(kind: String, count: Int)] {
    func rank(_ kind: String, _ count: Int) -> (Int, Int, String) {
      (kind == PassedOver.other ? 1 : 0, -count, kind)
    }
    return ignoredKinds.sorted { rank($0.key, $0.value) < rank($1.key, $1.value) }
      .map { (kind: $0.key, count: $0.value) }
  }
  /// Files that hold tracks and cannot be read yet, by kind; those that were named are among the
  /// refused ``files``, too.
  public var unsupported: [UnsupportedKind: Int] { passedOver.unsupported }
  /// The files of folders and archives that are counted, and the refused ones of kinds that cannot
  /// be read yet.
  var passedOver = PassedOver()
  /// What changed in the store.
  public var changes = SourceChanges()
  /// The overlaps of imported files with each other and with other sources: the five longest of
  /// each file.
  package internal(set) var overlaps = SourceOverlaps()
  /// The tiers of achievements that the import gave, without those of explored area. Empty if
  /// finding them would take long. The next `Explorer.achievements(_:custom:)` gives the rest.
  public internal(set) var newlyUnlocked: [AchievementUnlock] = []
  /// Whether ``newlyUnlocked`` is known: not if finding them would take long.
  package internal(set) var isUnlockingKnown = false
  /// The duration of the import in seconds.
  package var elapsedSeconds = 0.0
  /// The peak memory of the process so far, in bytes.
  package var peakMemoryBytes = 0

  /// The report of an import that was canceled before its first file.
  static var cancelled: ImportReport {
    var report = ImportReport()
    report.isCancelled = true
    return report
  }

  /// Counts parts of a Google Takeout that hold no history as ignored files if another file has it:
  /// the advice to export it on the phone would be wrong.
  mutating func dropAdvice() {
    guard files.contains(where: { $0.status != .refused && $0.track.format == .googleTimeline })
    else { return }
    let isAdvice = { (file: FileReport) in file.track.error?.isAdvice == true }
    for file in files where isAdvice(file) { passedOver.ignore(file.path) }
    files.removeAll(where: isAdvice)
  }

  /// Adds the report of a file, unless enough refused files of its archive are listed.
  ///
  /// - Parameter archive: the path of the archive that the file is in; nil if it is in none.
  mutating func add(_ file: FileReport, in archive: String?) {
    guard file.status == .refused, let archive else { return files.append(file) }
    if refusals.last?.archive != archive { refusals.append(ArchiveRefusals(archive: archive)) }
    if refusals[refusals.count - 1].add(bytes: file.bytes) { files.append(file) }
  }

  /// The archives with refused files that are not among ``files``, and the number of these.
  package var unlistedRefusals: [(archive: String, count: Int)] {
    refusals.filter { $0.unlisted > 0 }.map { (archive: $0.archive, count: $0.unlisted) }
  }
  /// The number of refused files in archives that are not among ``files``.
  package var unlistedCount: Int { refusals.reduce(0) { $0 + $1.unlisted } }

  /// The number of files, those included that are not among ``files``.
  package var fileCount: Int { files.count + unlistedCount }
  /// The number of files with this status.
  public func count(_ status: FileReport.Status) -> Int {
    files.count { $0.status == status } + (status == .refused ? unlistedCount : 0)
  }
  /// The number of bytes read from all files.
  package var bytes: Int {
    files.reduce(0) { $0 + $1.bytes } + refusals.reduce(0) { $0 + $1.unlistedBytes }
  }
  /// The number of points in all imported files.
  public var points: Int { files.reduce(0) { $0 + $1.track.points } }
  /// The number of kept fixes of all imported files.
  public var kept: Int { files.reduce(0) { $0 + $1.track.kept } }
  /// The number of flights in all imported files. A flight in two files counts twice.
  public var flights: Int { files.reduce(0) { $0 + $1.track.flights } }
  /// The number of kept fixes made in the air, on these flights.
  package var flightPoints: Int { files.reduce(0) { $0 + $1.track.flightPoints } }
  /// The number of points read per second.
  package var pointsPerSecond: Double { elapsedSeconds > 0 ? Double(points) / elapsedSeconds : 0 }
}

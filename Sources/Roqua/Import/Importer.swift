import Foundation
import GeoStore
import Geodesy
import GridHash
import TrackIngest
import SQLiteLayer

/// One import of files into a store, and the report about it so far.
///
/// Files are decoded in parallel on separate threads; the importing thread writes them one after
/// another in the order in which they were found. A member of an archive counts as a file. A large
/// file is written in its own transaction; several small ones share one (``SourceBatch``).
///
/// `docs/architecture.md` names the types on the way of a file, in their order.
struct Importer {
  /// The store; nil for a dry run without a store to compare with.
  let store: Store?
  let filter: FilterSettings
  let options: ImportOptions
  let now: Timestamp
  /// The grid of the store.
  var grid = Grid.standard

  /// The report so far.
  var report = ImportReport()
  /// The paths of the files found.
  var foundPaths: [String] = []
  /// The number of files found.
  var fileCount: Int { foundPaths.count }
  /// The small sources waiting to be written together.
  var batch = SourceBatch()
  /// The SHA-256 sums of the sources that a dry run would have stored.
  var seen: Set<String> = []

  /// An error of the store while a file was written.
  struct Stop: Error {
    /// The index of the file, counted from 0.
    let fileIndex: Int
    /// The store's error.
    let reason: any Error

    /// Whether the import was canceled.
    var isCancellation: Bool {
      if case DatabaseError.interrupted = reason { true } else { reason is CancellationError }
    }
  }

  /// Imports files and folders. Called once.
  ///
  /// If the store fails, the import ends: files that were finished before remain in it, and the
  /// report contains the error.
  mutating func run(_ paths: [String]) -> ImportReport {
    let start = ContinuousClock.now
    report.isDryRun = options.isDryRun
    let found = FoundFile.find(paths, without: store?.files ?? [:]) { isCancelled }
    let isAllFound = !isCancelled
    var endedCount = 0
    var isFinished = false
    foundPaths = found.map(\.path)
    options.meter?.begin(found)
    let pool = DecoderPool(
      files: found,
      decoder: FileDecoder(
        store: store, filter: filter, extras: options.extras, columns: options.columns, now: now,
        grid: grid, meter: options.meter),
      cancellation: options.cancellation)
    defer { pool.stop() }
    do throws(Stop) {
      for index in found.indices where !isCancelled {
        let queue = pool.queue(at: index)
        defer { pool.release(index) }
        while try waitForSource(of: queue) { try take(queue, ofFile: index) }
        if !isCancelled {
          endFile(index, passingOver: queue.filesPassedOver)
          endedCount += 1
        }
      }
      if !isCancelled { try writeBatch() }
      isFinished = isAllFound && endedCount == found.count && batch.isEmpty
    } catch  where isCancelled && error.isCancellation {
      // The report contains the files that were finished before.
    } catch {
      report.failure = error.reason
      report.files.append(Self.stopped(found[error.fileIndex].path, by: error.reason))
    }
    report.dropAdvice()
    forgetReplaced()
    addOverlaps()
    report.isCancelled = isCancelled && !isFinished
    checkPlace()
    options.meter?.end()
    report.elapsedSeconds = (ContinuousClock.now - start) / .seconds(1)
    report.peakMemoryBytes = ProcessUsage.peakMemoryBytes
    return report
  }

  /// Forgets the sources in the store that were replaced by importing them again, now or by an
  /// import that was interrupted. If this one is canceled, the next one may have to do it.
  private mutating func forgetReplaced() {
    guard let store, !options.isDryRun, report.failure == nil,
      report.count(.imported) + report.count(.duplicate) > 0
    else { return }
    do {
      try store.forgetReplaced()
    } catch DatabaseError.interrupted where isCancelled {
      return
    } catch {
      report.failure = error
    }
  }

  /// Adds the overlaps of what was imported. They are an extra: if the store cannot be read, the
  /// report is printed without them.
  private mutating func addOverlaps() {
    guard let store, !options.isDryRun, report.failure == nil, !isCancelled else { return }
    try? report.addOverlaps(in: store)
  }

  /// Whether anybody hears of what is imported.
  var hasListeners: Bool { options.events.map { !$0.isEmpty } ?? false }

  /// True if the import must stop.
  var isCancelled: Bool { options.cancellation?.isCancelled ?? false }

  /// Checks at the end that the store's path still names the file that was written. Reports files
  /// as refused if they were stored in a file that no longer exists.
  private mutating func checkPlace() {
    guard let store, !options.isDryRun, report.count(.imported) > 0 else { return }
    // If the log cannot be checkpointed now, it will be when the store is next opened.
    if options.bringsInLog { try? store.bringInLog() }
    do throws(DatabaseError) {
      try store.checkPlace()
    } catch {
      report.failure = report.failure ?? error
      guard case .moved = error else { return }
      report.changes = SourceChanges()
      report.files = report.files.map {
        $0.status == .imported ? Self.stopped($0.path, by: error) : $0
      }
    }
  }

  /// The report of a file that is not stored because the store failed.
  private static func stopped(_ path: String, by error: any Error) -> FileReport {
    var track = TrackReport()
    track.error = IngestError(code: .store, message: "\(error)")
    return FileReport(
      path: path, status: .refused, sha256: nil, bytes: 0, track: track, changes: SourceChanges())
  }
}

import GeoStore
import SQLiteLayer
import Session

/// The state of a running import: the report so far, and the small sources waiting to be written
/// together.
struct ImportRun {
  /// The report so far.
  var report = ImportReport()
  private let importer: Importer
  private let fileCount: Int
  private var batch = SourceBatch()
  /// The SHA-256 sums of the sources that a dry run would have stored.
  private var seen: Set<String> = []

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

  init(importer: Importer, fileCount: Int) {
    self.importer = importer
    self.fileCount = fileCount
  }

  /// Waits for the next source of a file; returns false if there are no more. If that takes long,
  /// the waiting sources are written first.
  mutating func waitForSource(of queue: SourceQueue) throws(Stop) -> Bool {
    if batch.isFull || !batch.waits(for: queue), !importer.isCancelled { try writeBatch() }
    return queue.waitForSource()
  }

  /// Processes the next source of a file.
  mutating func take(_ queue: SourceQueue, ofFile index: Int) throws(Stop) {
    try checkCancellation(ofFile: index)
    guard let store = importer.store, !importer.options.isDryRun else {
      return try stopping(at: index) { run in
        run.announce(try run.importer.tryOut(queue, seen: &run.seen), ofFile: index)
      }
    }
    let whole = queue.waitForEndOrFull()
    try checkCancellation(ofFile: index)
    if let decoded = whole {
      batch.take(decoded, ofFile: index, from: queue, isToBeStored: !importer.isUnwanted(decoded))
    } else {
      try writeBatch()
      try stopping(at: index) { run in
        run.announce(try run.importer.write(queue, into: store), ofFile: index)
      }
    }
  }

  /// - Throws: `Stop` with a `CancellationError` once the import is canceled.
  private func checkCancellation(ofFile index: Int) throws(Stop) {
    guard importer.isCancelled else { return }
    throw Stop(fileIndex: index, reason: CancellationError())
  }

  /// A file has ended; some of what is in it is not reported file by file.
  mutating func endFile(_ index: Int, passingOver passedOver: PassedOver) {
    batch.endedFiles.append((index, passedOver))
    if batch.isEmpty { countEndedFiles(before: .max) }
  }

  /// Writes the waiting sources together. If that fails, writes them one after another, so that
  /// those before the failing one are stored.
  mutating func writeBatch() throws(Stop) {
    guard let store = importer.store, !batch.isEmpty else { return }
    defer { batch = SourceBatch() }
    var entries = batch.entries
    do {
      try importer.markDuplicates(among: &entries, in: store)
      let reports = try importer.write(entries, into: store)
      for (entry, report) in zip(entries, reports) { announce(report, ofFile: entry.fileIndex) }
    } catch {
      // Retrying is hopeless if the lock was not released within a minute, if the import was
      // canceled, or if the batch was a single source, which has just failed.
      let isHopeless =
        switch error {
        case DatabaseError.busy, DatabaseError.interrupted: true
        default: entries.count == 1
        }
      for entry in entries {
        countEndedFiles(before: entry.fileIndex)
        if isHopeless, entry.fixes != nil { throw Stop(fileIndex: entry.fileIndex, reason: error) }
        try stopping(at: entry.fileIndex) { run in
          for report in try run.importer.write([entry], into: store) {
            run.announce(report, ofFile: entry.fileIndex)
          }
        }
      }
    }
    countEndedFiles(before: .max)
  }

  private mutating func stopping(
    at fileIndex: Int, _ body: (inout ImportRun) throws -> Void
  ) throws(Stop) {
    do { try body(&self) } catch { throw Stop(fileIndex: fileIndex, reason: error) }
  }

  private mutating func announce(_ file: FileReport, ofFile index: Int) {
    countEndedFiles(before: index)
    report.files.append(file)
    if let kind = file.track.error?.unsupported { report.unsupported[kind, default: 0] += 1 }
    report.changes = report.changes + file.changes
    importer.options.onFile?(file, index, fileCount)
    if importer.hasListeners { publish(file, ofFile: index) }
  }

  /// Sends listeners what a file that is stored changed.
  private func publish(_ file: FileReport, ofFile index: Int) {
    var events: [ExplorationEvent] = []
    if file.changes.cellsAdded > 0 {
      events.append(
        .areaGrown(
          cells: file.changes.cellsAdded,
          squareKilometers: file.changes.areaAddedSquareKilometers))
    }
    events += file.changes.reached.map { .placeReached($0) }
    events.append(
      .importProgressed(
        .init(filesDone: index + 1, filesFound: fileCount, kept: report.changes.kept)))
    importer.options.events?.send(events)
  }

  /// Marks the end of files before this one whose sources have all been reported.
  private mutating func countEndedFiles(before index: Int) {
    while let file = batch.endedFiles.first, file.index < index {
      batch.endedFiles.removeFirst()
      report.ignoredFiles.add(file.passedOver.ignored)
      report.unsupported.merge(file.passedOver.unsupported, uniquingKeysWith: +)
      importer.options.meter?.finishFile()
    }
  }
}

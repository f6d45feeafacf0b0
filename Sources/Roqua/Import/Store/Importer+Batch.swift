import GeoStore
import SQLiteLayer
import Session

/// Takes sources from the queues of the files, gathers small ones, and reports what is stored.
extension Importer {
  /// Waits for the next source of a file; returns false if there are no more. If that takes long,
  /// the waiting sources are written first.
  mutating func waitForSource(of queue: SourceQueue) throws(Stop) -> Bool {
    if batch.isFull || !batch.waits(for: queue), !isCancelled { try writeBatch() }
    return queue.waitForSource()
  }

  /// Processes the next source of a file.
  mutating func take(_ queue: SourceQueue, ofFile index: Int) throws(Stop) {
    try checkCancellation(ofFile: index)
    guard let store, !options.isDryRun else {
      let file = try Self.stopping(at: index) { try tryOut(queue) }
      return announce(file, ofFile: index)
    }
    let whole = queue.waitForEndOrFull()
    try checkCancellation(ofFile: index)
    if let decoded = whole {
      batch.take(decoded, ofFile: index, from: queue, isToBeStored: !isUnwanted(decoded))
    } else {
      try writeBatch()
      let file = try Self.stopping(at: index) { try write(queue, into: store) }
      announce(file, ofFile: index)
    }
  }

  /// - Throws: `Stop` with a `CancellationError` once the import is canceled.
  private func checkCancellation(ofFile index: Int) throws(Stop) {
    guard isCancelled else { return }
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
    guard let store, !batch.isEmpty else { return }
    defer { batch = SourceBatch() }
    var entries = batch.entries
    do {
      try markDuplicates(among: &entries, in: store)
      let files = try write(entries, into: store)
      for (entry, file) in zip(entries, files) { announce(file, ofFile: entry.fileIndex) }
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
        let files = try Self.stopping(at: entry.fileIndex) { try write([entry], into: store) }
        for file in files { announce(file, ofFile: entry.fileIndex) }
      }
    }
    countEndedFiles(before: .max)
  }

  /// Runs `body`, and names the file that was written if it throws.
  private static func stopping<T>(at fileIndex: Int, _ body: () throws -> T) throws(Stop) -> T {
    do { return try body() } catch { throw Stop(fileIndex: fileIndex, reason: error) }
  }

  private mutating func announce(_ file: FileReport, ofFile index: Int) {
    countEndedFiles(before: index)
    let path = foundPaths[index]
    report.add(file, in: file.path == path ? nil : path)
    if let kind = file.track.error?.unsupported { report.passedOver.skip(kind) }
    report.changes = report.changes + file.changes
    options.onFile?(file, index, fileCount)
    if hasListeners { publish(file, ofFile: index) }
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
    options.events?.send(events)
  }

  /// Marks the end of files before this one whose sources have all been reported.
  private mutating func countEndedFiles(before index: Int) {
    while let file = batch.endedFiles.first, file.index < index {
      batch.endedFiles.removeFirst()
      report.passedOver.add(file.passedOver)
      options.meter?.finishFile()
    }
  }
}

import Foundation
import GeoStore
import Geodesy
import GridHash
import TrackIngest
import SQLiteLayer

/// Imports files into a store. Files are decoded in parallel on separate threads; the importing
/// thread writes them one after another in the order in which they were found. A member of an
/// archive counts as a file. A large file is written in its own transaction; several small ones
/// share one (``SourceBatch``).
///
/// `FileFinder` finds a file. A thread of the `DecoderPool` opens it (`InputFile`), and
/// `FileDecoder` reads each source in it (`SourceBytes`) and passes its kept fixes through a
/// `SourceSender` to a bounded `SourceQueue`. `ImportRun`, on the importing thread, takes them from
/// there and writes them.
struct Importer {
  /// The store; nil for a dry run without a store to compare with.
  let store: Store?
  let filter: FilterSettings
  let options: ImportOptions
  let now: Timestamp
  /// The grid of the store.
  var grid = Grid.standard

  /// Imports files and folders.
  ///
  /// If the store fails, the import ends: files that were finished before remain in it, and the
  /// report contains the error.
  func run(_ paths: [String]) -> ImportReport {
    let start = ContinuousClock.now
    let found = FileFinder.find(paths, without: store?.files ?? [:]) { isCancelled }
    options.meter?.begin(found)
    let pool = DecoderPool(
      files: found,
      decoder: FileDecoder(
        store: store, filter: filter, extras: options.extras, columns: options.columns, now: now,
        grid: grid, meter: options.meter),
      cancellation: options.cancellation)
    defer { pool.stop() }
    var run = ImportRun(importer: self, fileCount: found.count)
    do throws(ImportRun.Stop) {
      for index in found.indices where !isCancelled {
        let queue = pool.queue(at: index)
        defer { pool.release(index) }
        while try run.waitForSource(of: queue) { try run.take(queue, ofFile: index) }
        if !isCancelled { run.endFile(index, passingOver: queue.filesPassedOver) }
      }
      if !isCancelled { try run.writeBatch() }
    } catch  where error.isCancellation {
      // The report contains the files that were finished before.
    } catch {
      run.report.failure = error.reason
      run.report.files.append(Self.stopped(found[error.fileIndex].path, by: error.reason))
    }
    run.report.dropAdvice()
    forgetReplaced(&run.report)
    addOverlaps(&run.report)
    run.report.isCancelled = isCancelled
    checkPlace(&run.report)
    options.meter?.end()
    run.report.elapsedSeconds = (ContinuousClock.now - start) / .seconds(1)
    run.report.peakMemoryBytes = ProcessUsage.peakMemoryBytes
    return run.report
  }

  /// Forgets the sources in the store that were replaced by importing them again, now or by an
  /// import that was interrupted. If this one is canceled, the next one may have to do it.
  private func forgetReplaced(_ report: inout ImportReport) {
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
  private func addOverlaps(_ report: inout ImportReport) {
    guard let store, !options.isDryRun, report.failure == nil, !isCancelled else { return }
    try? report.addOverlaps(in: store)
  }

  /// Whether anybody hears of what is imported.
  var hasListeners: Bool { options.events.map { !$0.isEmpty } ?? false }

  /// True if the import must stop.
  var isCancelled: Bool { options.cancellation?.isCancelled ?? false }

  /// Checks at the end that the store's path still names the file that was written. Reports files
  /// as refused if they were stored in a file that no longer exists.
  private func checkPlace(_ report: inout ImportReport) {
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

  /// Returns true if a fully read source is not to be stored, as far as that is known without the
  /// store.
  func isUnwanted(_ decoded: DecodedSource) -> Bool {
    decoded.report.error != nil || decoded.sha256 == nil || decoded.isKnownDuplicate
  }

  /// Marks sources that are in the store by now as duplicates, so that storing nothing does not
  /// wait for a lock.
  func markDuplicates(
    among entries: inout [SourceBatch.Entry], in store: Store
  ) throws(DatabaseError) {
    guard entries.contains(where: { $0.fixes != nil }) else { return }
    let known = try store.withSnapshot { (snapshot) throws(DatabaseError) in
      var known: [Int] = []
      for (index, entry) in entries.enumerated() where entry.fixes != nil {
        if let sha256 = entry.decoded.sha256, try snapshot.hasSource(sha256: sha256) {
          known.append(index)
        }
      }
      return known
    }
    for index in known {
      entries[index].decoded.isKnownDuplicate = true
      entries[index].fixes = nil
    }
  }

  /// Writes sources in one transaction: all of them or, if this throws, none.
  func write(_ entries: [SourceBatch.Entry], into store: Store) throws -> [FileReport] {
    guard entries.contains(where: { $0.fixes != nil }) else {
      return entries.map { unwanted($0.decoded) }
    }
    return try store.write { session in
      session.notesReached = hasListeners
      var reports: [FileReport] = []
      for entry in entries {
        guard let fixes = entry.fixes, let sha256 = entry.decoded.sha256 else {
          reports.append(unwanted(entry.decoded))
          continue
        }
        guard try !session.hasSource(sha256: sha256) else {
          reports.append(duplicate(entry.decoded))
          continue
        }
        let points = entry.decoded.report.points
        guard try session.replaceIncomplete(sha256: sha256, points: points) else {
          reports.append(duplicate(entry.decoded))
          continue
        }
        if let cells = entry.decoded.cells {
          reports.append(try finish(cells, entry.decoded, sha256, session))
          continue
        }
        let writer = try session.beginSource()
        for batch in fixes { try writer.append(batch) }
        reports.append(try finish(writer, entry.decoded, sha256, session))
      }
      return reports
    }
  }

  /// Writes the next source of a file in its own transaction, as it is decoded.
  func write(_ queue: SourceQueue, into store: Store) throws -> FileReport {
    try store.write { session in
      session.notesReached = hasListeners
      let writer = try session.beginSource()
      while true {
        switch queue.next() {
        case .fixes(let fixes): try writer.append(fixes)
        case .cancelled: throw CancellationError()
        case .end(let decoded):
          guard let sha256 = decoded.sha256, !isUnwanted(decoded) else {
            session.cancel()
            return unwanted(decoded)
          }
          let isNew = try !session.hasSource(sha256: sha256)
          guard isNew, try session.replaceIncomplete(sha256: sha256, points: decoded.report.points)
          else {
            session.cancel()
            return duplicate(decoded)
          }
          if let cells = decoded.cells { return try finish(cells, decoded, sha256, session) }
          return try finish(writer, decoded, sha256, session)
        }
      }
    }
  }

  private func finish(
    _ writer: SourceWriter, _ decoded: DecodedSource, _ sha256: String, _ session: WriteSession
  ) throws(DatabaseError) -> FileReport {
    var decoded = decoded
    let hasOtherZones = try session.zones() != filter.zones
    if hasOtherZones { decoded.report.withhold(writer.withheldCount) }
    let track = decoded.report
    var description = SourceDescription(
      sha256: sha256, path: decoded.path, format: track.format?.rawValue ?? "",
      bytes: decoded.bytes,
      points: track.points, firstTime: track.firstTime, lastTime: track.lastTime,
      staysAtEnd: track.staysAtEnd, isWithheld: track.dropped[.privacyZone] > 0,
      report: finished(.imported, decoded).storedJSON.description)
    description.isIncomplete = hasOtherZones
    description.heights = decoded.heights
    let changes = try writer.finish(description)
    return finished(.imported, decoded, changes)
  }

  /// Writes a source that has cells and no fixes.
  private func finish(
    _ cells: GridHash.Coverage, _ decoded: DecodedSource, _ sha256: String, _ session: WriteSession
  ) throws -> FileReport {
    var decoded = decoded
    // Decoding has applied the zones; they may have changed since then.
    let zones = try session.zones()
    let remaining =
      zones == filter.zones ? cells : WithheldCells(zones: zones, grid: cells.grid).outside(cells)
    decoded.withheldCells += cells.count - remaining.count
    decoded.cells = remaining
    let writer = try session.beginCellSource(grid: cells.grid)
    for (key, tile) in remaining.tiles { try writer.append(tile, at: key) }
    var description = SourceDescription(
      sha256: sha256, path: decoded.path, format: decoded.report.format?.rawValue ?? "",
      bytes: decoded.bytes, points: 0, firstTime: nil, lastTime: nil,
      isWithheld: decoded.withheldCells > 0,
      report: finished(.imported, decoded).storedJSON.description)
    description.isIncomplete = zones != filter.zones
    let changes = try writer.finish(description)
    return finished(.imported, decoded, changes)
  }

  /// Reads the next source of a file and stores nothing. `seen` contains the sources that would be
  /// in the store by now.
  func tryOut(_ queue: SourceQueue, seen: inout Set<String>) throws -> FileReport {
    while true {
      let element = queue.next()
      if case .cancelled = element { throw CancellationError() }
      guard case .end(let decoded) = element else { continue }
      guard let sha256 = decoded.sha256, !isUnwanted(decoded) else { return unwanted(decoded) }
      if try isInStore(sha256, points: decoded.report.points) || !seen.insert(sha256).inserted {
        return duplicate(decoded)
      }
      return finished(.imported, decoded)
    }
  }

  /// The report of a source that is not to be stored because it was refused or is a duplicate.
  private func unwanted(_ decoded: DecodedSource) -> FileReport {
    decoded.report.error == nil && decoded.isKnownDuplicate
      ? duplicate(decoded) : finished(.refused, decoded)
  }

  private func isInStore(_ sha256: String, points: Int) throws(DatabaseError) -> Bool {
    guard let store else { return false }
    return try store.withSnapshot { (snapshot) throws(DatabaseError) in
      if try snapshot.hasSource(sha256: sha256) { return true }
      return try snapshot.pointsOfIncompleteSource(sha256: sha256) ?? 0 > points
    }
  }

  private func finished(
    _ status: FileReport.Status, _ decoded: DecodedSource,
    _ changes: SourceChanges = SourceChanges()
  ) -> FileReport {
    FileReport(
      path: decoded.path, status: status, sha256: decoded.sha256, bytes: decoded.bytes,
      track: decoded.report, changes: changes, cells: decoded.cells?.count ?? 0,
      withheldCells: decoded.withheldCells)
  }

  /// The report of a duplicate. It contains no counts, whether or not the source was decoded again,
  /// since its points were counted when it was imported. Files that an archive left out are
  /// reported again.
  private func duplicate(_ decoded: DecodedSource) -> FileReport {
    var track = TrackReport()
    track.format = decoded.report.format
    track.warnings = decoded.leftOut
    return FileReport(
      path: decoded.path, status: .duplicate, sha256: decoded.sha256, bytes: decoded.bytes,
      track: track,
      changes: SourceChanges())
  }
}

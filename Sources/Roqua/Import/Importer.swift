import Foundation
import GeoStore
import Geodesy
import TrackIngest

/// What an import does beyond its settings.
public struct ImportOptions: Sendable {
  /// Points beside track points that are taken for fixes.
  public var extras: Set<ExtraPoints> = []
  /// Whether to read and report, and change nothing.
  public var isDryRun = false
  /// Called on the importing thread after each file or member of an archive: its report, the number of the file that it
  /// is or lies in, counted from 0, and the number of files that were found.
  public var onFile: (@Sendable (FileReport, _ index: Int, _ filesFound: Int) -> Void)?

  /// Counts how far the import is while it runs; nil where nobody asks.
  public var meter: ImportMeter?

  /// Nothing extra, for real, in silence.
  public init() {}
}

/// Brings files into a store: files decode side by side on threads of their own, this thread writes them one after
/// the other in the order in which they were found, each in one transaction. A member of an archive is a file of its own.
struct Importer {
  /// Nil for a dry run where there is no store to compare with.
  let store: Store?
  let filter: FilterSettings
  let options: ImportOptions
  let now: Timestamp

  /// Imports what some paths name.
  ///
  /// Where the store fails, the import ends: what was finished before stays in it, and the report says so.
  func run(_ paths: [String]) -> ImportReport {
    let start = ContinuousClock.now
    let found = FileFinder.find(paths)
    options.meter?.begin(found.files)
    var report = ImportReport()
    let crew = DecodingCrew(
      files: found.files,
      decoder: FileDecoder(
        store: store, filter: filter, extras: options.extras, now: now, meter: options.meter))
    defer { crew.stop() }
    var seen: Set<String> = []  // what a dry run would have stored
    for index in found.files.indices {
      let stream = crew.stream(at: index)
      defer { crew.release(index) }
      do {
        while stream.waitForSource() {
          let result: FileReport
          if let store, !options.isDryRun {
            result = try write(stream, into: store)
          } else {
            result = try tryOut(stream, seen: &seen)
          }
          report.files.append(result)
          report.changes = report.changes + result.changes
          options.onFile?(result, index, found.files.count)
        }
      } catch {
        report.failure = error
        report.files.append(Self.stopped(found.files[index], by: error))
        break
      }
      report.ignored += stream.ignoredFiles
      options.meter?.finishFile()
    }
    report.elapsedSeconds = (ContinuousClock.now - start) / .seconds(1)
    report.peakMemoryBytes = ProcessUsage.peakMemoryBytes
    return report
  }

  /// The report of a file in the middle of which the store failed.
  private static func stopped(_ file: FoundFile, by error: StoreError) -> FileReport {
    var track = TrackReport()
    track.error = IngestError(code: .store, message: error.description)
    return FileReport(
      path: file.path, status: .refused, sha256: nil, bytes: 0, track: track, changes: SourceChanges())
  }

  /// Writes the next source of a file.
  private func write(_ stream: SourceStream, into store: Store) throws(StoreError) -> FileReport {
    if let decoded = stream.waitForEndOrFull(), let result = try unwritten(decoded) {
      // Known whole: nothing is begun for what will not be stored.
      stream.skipSource()
      return result
    }
    return try store.write { (session) throws(StoreError) in
      let writer = try session.beginSource()
      while true {
        switch stream.next() {
        case .fixes(let fixes): try writer.append(fixes)
        case .end(let decoded):
          let track = decoded.report
          guard let sha256 = decoded.sha256, track.error == nil else {
            session.cancel()
            return finished(.refused, decoded)
          }
          if try session.hasSource(sha256: sha256) {
            session.cancel()
            return duplicate(decoded)
          }
          let described = finished(.imported, decoded)
          let changes = try writer.finish(
            SourceDescription(
              sha256: sha256, path: decoded.path, format: track.format?.rawValue ?? "", bytes: decoded.bytes,
              points: track.points, firstTime: track.firstTime, lastTime: track.lastTime,
              report: described.json.description))
          return finished(.imported, decoded, changes)
        }
      }
    }
  }

  /// Reads the next source of a file and stores nothing.
  private func tryOut(
    _ stream: SourceStream, seen: inout Set<String>
  ) throws(StoreError) -> FileReport {
    while true {
      guard case .end(let decoded) = stream.next() else { continue }
      if let result = try unwritten(decoded) { return result }
      guard let sha256 = decoded.sha256, seen.insert(sha256).inserted else { return duplicate(decoded) }
      return finished(.imported, decoded)
    }
  }

  /// The report of a source that is not to be stored: refused, or there already. Nil for any other.
  private func unwritten(_ decoded: DecodedSource) throws(StoreError) -> FileReport? {
    guard decoded.report.error == nil, decoded.sha256 != nil else { return finished(.refused, decoded) }
    if decoded.isKnownDuplicate { return duplicate(decoded) }
    return try isInStore(decoded) ? duplicate(decoded) : nil
  }

  private func isInStore(_ decoded: DecodedSource) throws(StoreError) -> Bool {
    guard let store, let sha256 = decoded.sha256 else { return false }
    return try store.read { (snapshot) throws(StoreError) in try snapshot.hasSource(sha256: sha256) }
  }

  private func finished(
    _ status: FileReport.Status, _ decoded: DecodedSource, _ changes: SourceChanges = SourceChanges()
  ) -> FileReport {
    FileReport(
      path: decoded.path, status: status, sha256: decoded.sha256, bytes: decoded.bytes,
      track: decoded.report, changes: changes)
  }

  /// A duplicate reports no counts: its points were counted when they were imported. What an archive has left out
  /// is said again.
  private func duplicate(_ decoded: DecodedSource) -> FileReport {
    var track = TrackReport()
    track.format = decoded.report.format
    track.warnings = decoded.report.warnings.filter { $0.code == .leftOut }
    return FileReport(
      path: decoded.path, status: .duplicate, sha256: decoded.sha256, bytes: decoded.bytes, track: track,
      changes: SourceChanges())
  }
}

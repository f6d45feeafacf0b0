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
  /// Called on the importing thread after each file, with its report and the number of files found.
  public var onFile: (@Sendable (FileReport, _ filesFound: Int) -> Void)?

  /// Nothing extra, for real, in silence.
  public init() {}
}

/// Brings files into a store: files decode side by side on threads of their own, this thread writes them one after
/// the other in the order in which they were found, each in one transaction.
struct Importer {
  /// Nil for a dry run where there is no store to compare with.
  let store: Store?
  let filter: FilterSettings
  let options: ImportOptions
  let now: Timestamp

  /// Imports what some paths name.
  ///
  /// - Throws: ``StoreError`` where the store fails; files that were finished before stay in it.
  func run(_ paths: [String]) throws(StoreError) -> ImportReport {
    let start = ContinuousClock.now
    let found = FileFinder.find(paths)
    var report = ImportReport()
    report.files = found.failures.map { failure in
      var track = TrackReport()
      track.error = failure.error
      return FileReport(
        path: failure.path, status: .refused, sha256: nil, bytes: 0, track: track,
        changes: SourceChanges())
    }
    let crew = DecodingCrew(
      files: found.files,
      decoder: FileDecoder(
        store: store, filter: filter, extras: options.extras, now: now))
    defer { crew.stop() }
    var seen: Set<String> = []  // what a dry run would have stored
    for (index, file) in found.files.enumerated() {
      let stream = crew.stream(at: index)
      defer { crew.release(index) }
      let result: FileReport?
      if let store, !options.isDryRun {
        result = try write(file, stream, into: store)
      } else {
        result = try tryOut(file, stream, seen: &seen)
      }
      guard let result else {
        report.ignored += 1
        continue
      }
      report.files.append(result)
      report.changes = report.changes + result.changes
      options.onFile?(result, found.files.count)
    }
    report.elapsedSeconds = (ContinuousClock.now - start) / .seconds(1)
    report.peakMemoryBytes = ProcessUsage.peakMemoryBytes
    return report
  }

  /// Writes one file; nil where it is to be ignored.
  private func write(
    _ file: FoundFile, _ stream: SourceStream, into store: Store
  ) throws(StoreError) -> FileReport? {
    if let decoded = stream.waitForEndOrFull() {
      // Known whole: nothing is begun for what will not be stored.
      if isIgnored(file, decoded) { return nil }
      if decoded.report.error != nil { return finished(file, .refused, decoded) }
      if decoded.isKnownDuplicate { return duplicate(file, decoded) }
      if try isInStore(decoded) { return duplicate(file, decoded) }
    }
    return try store.write { (session) throws(StoreError) in
      let writer = try session.beginSource()
      while true {
        switch stream.next() {
        case .fixes(let fixes): try writer.append(fixes)
        case .end(let decoded):
          let track = decoded.report
          if isIgnored(file, decoded) {
            session.cancel()
            return nil
          }
          guard let sha256 = decoded.sha256, track.error == nil else {
            session.cancel()
            return finished(file, .refused, decoded)
          }
          if try session.hasSource(sha256: sha256) {
            session.cancel()
            return duplicate(file, decoded)
          }
          let described = finished(file, .imported, decoded)
          let changes = try writer.finish(
            SourceDescription(
              sha256: sha256, path: file.path, format: track.format?.rawValue ?? "", bytes: decoded.bytes,
              points: track.points, firstTime: track.firstTime, lastTime: track.lastTime,
              report: described.json.description))
          return finished(file, .imported, decoded, changes)
        }
      }
    }
  }

  /// Reads one file and stores nothing; nil where it is to be ignored.
  private func tryOut(
    _ file: FoundFile, _ stream: SourceStream, seen: inout Set<String>
  ) throws(StoreError) -> FileReport? {
    while true {
      guard case .end(let decoded) = stream.next() else { continue }
      if isIgnored(file, decoded) { return nil }
      guard let sha256 = decoded.sha256, decoded.report.error == nil else {
        return finished(file, .refused, decoded)
      }
      if decoded.isKnownDuplicate || !seen.insert(sha256).inserted { return duplicate(file, decoded) }
      return try isInStore(decoded) ? duplicate(file, decoded) : finished(file, .imported, decoded)
    }
  }

  private func isInStore(_ decoded: DecodedFile) throws(StoreError) -> Bool {
    guard let store, let sha256 = decoded.sha256 else { return false }
    return try store.read { (snapshot) throws(StoreError) in try snapshot.hasSource(sha256: sha256) }
  }

  /// A file of a folder that does not claim to be a track and is none: refused, or malformed without a position in it,
  /// like a program that mentions GPX. An empty but well-formed track is a track.
  private func isIgnored(_ file: FoundFile, _ decoded: DecodedFile) -> Bool {
    let report = decoded.report
    guard !file.isClaimedTrack, !decoded.isKnownDuplicate else { return false }
    if report.error != nil { return true }
    let isMalformed = report.warnings.contains { $0.code == .malformed }
    return isMalformed && report.points + report.waypoints + report.routePoints == 0
  }

  private func finished(
    _ file: FoundFile, _ status: FileReport.Status, _ decoded: DecodedFile,
    _ changes: SourceChanges = SourceChanges()
  ) -> FileReport {
    FileReport(
      path: file.path, status: status, sha256: decoded.sha256, bytes: decoded.bytes,
      track: decoded.report, changes: changes)
  }

  /// A duplicate reports no counts: its points were counted when they were imported.
  private func duplicate(_ file: FoundFile, _ decoded: DecodedFile) -> FileReport {
    var track = TrackReport()
    track.format = decoded.report.format
    return FileReport(
      path: file.path, status: .duplicate, sha256: decoded.sha256, bytes: decoded.bytes, track: track,
      changes: SourceChanges())
  }
}

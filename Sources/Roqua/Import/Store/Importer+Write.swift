import GeoStore
import Geodesy
import GridHash
import SQLiteLayer
import TrackIngest

/// Writes sources, one by one or several in a transaction, and makes their reports.
extension Importer {
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

  /// Reads the next source of a file and stores nothing.
  mutating func tryOut(_ queue: SourceQueue) throws -> FileReport {
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

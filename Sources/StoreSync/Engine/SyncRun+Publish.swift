import GeoStore

/// What a sync writes into the folder, after the store has changed.
extension SyncRun {
  /// Writes what the folder lacks, and removes what nothing needs any more.
  func publish(
    _ local: LocalState, _ listing: [SyncPath: UInt64], _ report: inout Report
  ) throws {
    let written = try writeSources(local, listing, &report)
    let own = SyncPath.manifest(local.device, counter: local.counter)
    if listing[own] == nil {
      let manifest = Manifest(
        device: local.device, displayName: local.displayName, counter: local.counter,
        writtenMilliseconds: now, activeMilliseconds: now, read: local.read, state: local.shared)
      try files.write(manifest.payload, to: own)
      report.wroteManifest = true
    }
    // Read only if there is something to remove.
    lazy var filesOfBackups = files.filesOfBackups(in: listing)
    for path in listing.keys.sorted(by: { $0.description < $1.description }) {
      switch path {
      case .manifest(local.device, let counter) where counter < local.counter:
        try files.remove(path)
        report.filesRemoved += 1
      case .source(let name, let file):
        let state = local.shared.sources[name]
        // What replaces it must be there: the device that has it may never come back.
        let isReplaced = (state?.files ?? []).allSatisfy { file in
          let path = SyncPath.source(name, file.name)
          return listing[path] == file.byteCount || written.contains(path)
        }
        guard
          state == .forgotten || isReplaced && local.obsolete[name]?.contains(file) == true
        else { continue }
        // What a backup names stays until the backup is removed.
        guard filesOfBackups?.contains(path) == false else { continue }
        try files.remove(path)
        report.filesRemoved += 1
      default: continue
      }
    }
  }

  private func writeSources(
    _ local: LocalState, _ listing: [SyncPath: UInt64], _ report: inout Report
  ) throws -> Set<SyncPath> {
    let missing = Self.missing(in: listing, of: local)
    guard !missing.isEmpty else { return [] }
    var written: Set<SyncPath> = []
    try store.read { snapshot in
      let history = snapshot.history
      let records = Dictionary(
        try history.sourceRecords().map { ($0.id, $0.source) }, uniquingKeysWith: { $1 })
      for (name, held, source) in missing {
        guard let record = records[held.id] else { continue }
        for payload in try payloads(held, source, record, history) {
          let file = files.reference(to: payload)
          let path = SyncPath.source(name, file.name)
          guard source.files.contains(file), listing[path] != file.byteCount else { continue }
          try files.write(payload, to: path)
          written.insert(path)
        }
      }
    }
    report.filesWritten = written.count
    return written
  }

  /// The sources of the store of which the folder lacks a file.
  static func missing(
    in listing: [SyncPath: UInt64], of local: LocalState
  ) -> [(name: SourceName, held: HeldSource, source: LiveSource)] {
    var missing: [(name: SourceName, held: HeldSource, source: LiveSource)] = []
    for (name, held) in local.held {
      guard case .live(let source) = local.shared.sources[name],
        source.generation == held.generation
      else { continue }
      let isMissing = source.files.contains { file in
        listing[.source(name, file.name)] != file.byteCount
      }
      if isMissing { missing.append((name, held, source)) }
    }
    return missing.sorted { $0.name < $1.name }
  }

  /// The payloads of the files of a source that the store can write.
  private func payloads(
    _ held: HeldSource, _ source: LiveSource, _ record: SourceRecord, _ history: HistoryReader
  ) throws -> [[UInt8]] {
    let row = RowContent.bytes(of: record)
    var payloads = [SourcePayload(row: row, piece: nil).bytes]
    for (number, piece) in held.pieces.enumerated() where number < source.pieces.count {
      guard source.pieces[number].alternatives.contains(where: { $0.digest == piece.content })
      else { continue }
      let content = try StoredContent(piece.chunks, number: number, ofSource: held.id, in: history)
        .content()
      payloads.append(SourcePayload(row: nil, piece: content).bytes)
      if number == 0 { payloads.append(SourcePayload(row: row, piece: content).bytes) }
    }
    return payloads
  }
}

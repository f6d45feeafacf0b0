import GeoStore

/// What a sync writes into the folder, after the store has changed.
extension SyncRun {
  /// Writes what the folder lacks, and removes what nothing needs any more.
  ///
  /// - Parameter wanted: the files that seem damaged and are needed.
  func publish(
    _ local: LocalState, _ list: FileList, wanted: Set<SyncPath>, _ report: inout SyncReport
  ) throws {
    let written = try writeSources(local, list, &report)
    let own = SyncPath.manifest(local.device, counter: local.counter)
    // Nobody else writes it, so one that is cut off here is not on its way.
    if list.sizes[own] == nil, !list.awaited.contains(own) || list.cut.contains(own) {
      try files.write(manifest(local, wanted).payload, to: own)
      report.wroteManifest = true
    }
    let obsolete = obsoleteFiles(local, list, written)
    // Read only if there is something to remove. What a backup names stays until it is removed.
    lazy var filesOfBackups = files.filesOfBackups(in: list)
    for path in obsolete {
      if path.kind == .source {
        if filesOfBackups == nil { report.keepsFiles = true }
        if filesOfBackups?.contains(path) != false { continue }
      }
      try Cancellation.current?.check()
      try files.remove(path)
      report.filesRemoved += 1
    }
    try mend(local, list, wanted, &report)
  }

  private func manifest(_ local: LocalState, _ wanted: Set<SyncPath>) -> Manifest {
    Manifest(
      device: local.device, displayName: local.displayName, counter: local.counter,
      writtenMilliseconds: now, activeMilliseconds: local.activeMilliseconds, read: local.read,
      wanted: wanted, state: local.shared)
  }

  /// Writes copies of the files that devices found damaged, also if they can be read here: the
  /// program that carries the files may not know that they are damaged elsewhere.
  private func mend(
    _ local: LocalState, _ list: FileList, _ wanted: Set<SyncPath>, _ report: inout SyncReport
  ) throws {
    var wantedFiles: [SourceName: Set<FileName>] = [:]
    for path in local.mendable(in: list) {
      switch path {
      case .manifest:
        try files.writeCopy(manifest(local, wanted).payload, of: path, by: local.device)
        report.filesWritten += 1
      case .source(let name, let file): wantedFiles[name, default: []].insert(file)
      case .key, .backup: break
      }
    }
    guard !wantedFiles.isEmpty else { return }
    try store.read { snapshot in
      let records = try Self.records(in: snapshot.history)
      for (name, wanted) in wantedFiles.sorted(by: { $0.key < $1.key }) {
        try Cancellation.current?.check()
        let payloads = try payloads(of: wanted, of: name, local, records, snapshot.history)
        for (file, payload) in payloads {
          try files.writeCopy(payload, of: .source(name, file), by: local.device)
          report.filesWritten += 1
        }
      }
    }
  }

  /// The rows of the sources of a store, by their numbers.
  private static func records(in history: HistoryReader) throws -> [Int64: SourceRecord] {
    Dictionary(
      try history.sourceRecords().map { ($0.id, $0.source) }, uniquingKeysWith: { $1 })
  }

  /// The payloads of source files, from the store or else from the folder, as far as one of them
  /// has them.
  private func payloads(
    of wanted: Set<FileName>, of name: SourceName, _ local: LocalState,
    _ records: [Int64: SourceRecord], _ history: HistoryReader
  ) throws -> [(file: FileName, payload: [UInt8])] {
    var found: [FileName: [UInt8]] = [:]
    if let held = local.held[name], let source = local.shared.sources[name]?.present,
      let record = records[held.id]
    {
      for payload in try payloads(held, source, record, history) {
        let file = files.name(ofPayload: payload)
        if wanted.contains(file) { found[file] = payload }
      }
    }
    for file in wanted where found[file] == nil {
      found[file] = try? files.payloads(of: .source(name, file)).first {
        files.name(ofPayload: $0) == file
      }
    }
    return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// The files of the folder that nothing needs any more, in order.
  private func obsoleteFiles(
    _ local: LocalState, _ list: FileList, _ written: Set<SyncPath>
  ) -> [SyncPath] {
    let paths = list.sizes.keys.filter { path in
      switch path {
      case .manifest(let device, let counter):
        return device == local.device && counter < local.counter
      case .source(let name, let file):
        let state = local.shared.sources[name]
        if state == .forgotten { return true }
        guard local.obsolete[name]?.contains(file) == true else { return false }
        // What replaces it must be there: the device that has it may never come back.
        return (state?.files ?? []).allSatisfy { file in
          list.hasOrAwaits(file, of: name) || written.contains(.source(name, file.name))
        }
      case .key, .backup: return false
      }
    }
    return paths.sorted { $0.description < $1.description }
  }

  private func writeSources(
    _ local: LocalState, _ list: FileList, _ report: inout SyncReport
  ) throws -> Set<SyncPath> {
    let missing = Self.missing(in: list, of: local)
    guard !missing.isEmpty else { return [] }
    var written: Set<SyncPath> = []
    WorkMeter.current?.begin(.writingFiles, of: missing.count)
    try store.read { snapshot in
      let history = snapshot.history
      let records = try Self.records(in: history)
      var waiting: [(path: SyncPath, payload: [UInt8])] = []
      var sources = missing[...]
      try files.writeAll {
        while waiting.isEmpty, let (name, held, source) = sources.popFirst() {
          try Cancellation.current?.check()
          WorkMeter.current?.add(1)
          guard let record = records[held.id] else { continue }
          for payload in try payloads(held, source, record, history) {
            let file = files.reference(to: payload)
            let path = SyncPath.source(name, file.name)
            guard source.hasFile(where: { $0 == file }), !list.hasOrAwaits(file, of: name),
              written.insert(path).inserted
            else { continue }
            waiting.append((path, payload))
          }
        }
        return waiting.popLast()
      }
    }
    report.filesWritten = written.count
    return written
  }

  /// The sources of the store of which the folder lacks a file.
  static func missing(
    in list: FileList, of local: LocalState
  ) -> [(name: SourceName, held: HeldSource, source: PresentSource)] {
    var missing: [(name: SourceName, held: HeldSource, source: PresentSource)] = []
    for (name, held) in local.held {
      guard let source = local.shared.sources[name]?.present, source.generation == held.generation,
        source.hasFile(where: { !list.hasOrAwaits($0, of: name) })
      else { continue }
      missing.append((name, held, source))
    }
    return missing.sorted { $0.name < $1.name }
  }

  /// The payloads of the files of a source that the store can write.
  private func payloads(
    _ held: HeldSource, _ source: PresentSource, _ record: SourceRecord, _ history: HistoryReader
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

import GeoStore

/// What a sync writes into the folder, after the store has changed.
extension SyncRun {
  /// Writes what the folder lacks, and removes what nothing needs any more.
  ///
  /// - Parameters:
  ///   - wanted: the files that seem damaged and are needed.
  ///   - mending: the files of this device that are damaged.
  func publish(
    _ local: LocalState, _ list: FileList, wanted: Set<SyncPath>, mending: Set<SyncPath>,
    _ report: inout SyncReport
  ) throws {
    let written = try writeSources(local, list, mending, &report)
    let own = SyncPath.manifest(local.device, counter: local.counter)
    if mending.contains(own) || list.sizes[own] == nil && !list.awaited.contains(own) {
      let manifest = Manifest(
        device: local.device, displayName: local.displayName, counter: local.counter,
        writtenMilliseconds: now, activeMilliseconds: local.activeMilliseconds, read: local.read,
        wanted: wanted, state: local.shared)
      try files.write(manifest.payload, to: own)
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
    _ local: LocalState, _ list: FileList, _ mending: Set<SyncPath>, _ report: inout SyncReport
  ) throws -> Set<SyncPath> {
    let missing = Self.missing(in: list, mending, of: local)
    guard !missing.isEmpty else { return [] }
    var written: Set<SyncPath> = []
    WorkMeter.current?.begin(.writingFiles, of: missing.count)
    try store.read { snapshot in
      let history = snapshot.history
      let records = Dictionary(
        try history.sourceRecords().map { ($0.id, $0.source) }, uniquingKeysWith: { $1 })
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
            guard source.hasFile(where: { $0 == file }),
              !list.hasOrAwaits(file, of: name) || mending.contains(path),
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
  ///
  /// - Parameter mending: the files that are there and damaged.
  static func missing(
    in list: FileList, _ mending: Set<SyncPath> = [], of local: LocalState
  ) -> [(name: SourceName, held: HeldSource, source: LiveSource)] {
    var missing: [(name: SourceName, held: HeldSource, source: LiveSource)] = []
    for (name, held) in local.held {
      guard let source = local.shared.sources[name]?.live, source.generation == held.generation,
        source.hasFile(where: { file in
          !list.hasOrAwaits(file, of: name)
            || !mending.isEmpty && mending.contains(.source(name, file.name))
        })
      else { continue }
      missing.append((name, held, source))
    }
    return missing.sorted { $0.name < $1.name }
  }

  /// The files that other devices found damaged, and that this one can write. They are read to see
  /// whether they are.
  static func damaged(
    _ list: FileList, _ manifests: [Manifest], of local: LocalState, files: any SyncFiles
  ) -> Set<SyncPath> {
    var wanted: Set<SyncPath> = []
    for manifest in manifests where manifest.device != local.device {
      wanted.formUnion(manifest.wanted)
    }
    return wanted.filter { path in
      guard list.sizes[path] != nil else { return false }
      switch path {
      case .source(let name, let file):
        guard local.held[name] != nil,
          let file = local.shared.sources[name]?.files.first(where: { $0.name == file })
        else { return false }
        return (try? files.source(file, of: name)) == nil
      case .manifest(let device, let counter):
        return device == local.device && counter == local.counter
          && (try? files.payload(of: path)) == nil
      case .key, .backup: return false
      }
    }
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

import GeoStore

/// What a store holds, as a backup names it: the content of each source and the file that has it.
struct HeldState {
  /// The state.
  private(set) var state = SharedState()
  /// All settings.
  private(set) var settings: [String: BackupManifest.Setting] = [:]
  /// The number of kept fixes.
  private(set) var keptFixes: UInt64 = 0
  /// Number of files that had to be written, besides those that a sync writes.
  private(set) var filesWritten = 0

  private let history: HistoryReader
  private let files: any SyncFiles
  private let list: FileList
  private var records: [Int64: SourceRecord] = [:]

  /// Reads what a store holds, right after a sync. Files that the folder lacks are written.
  ///
  /// - Returns: nil if the store has changed since it was synced.
  init?(
    _ local: LocalState, in history: HistoryReader, files: any SyncFiles,
    list: FileList
  ) throws {
    (self.history, self.files, self.list) = (history, files, list)
    guard try history.deletions() == local.deletions else { return nil }
    for (id, record) in try history.sourceRecords() { records[id] = record }
    guard Set(local.held.values.map(\.id)) == Set(records.keys) else { return nil }
    for (name, held) in local.held.sorted(by: { $0.key < $1.key }) {
      try Cancellation.current?.check()
      guard let record = records[held.id], let source = try source(name, held, record, local) else {
        return nil
      }
      state.sources[name] = .present(source)
      WorkMeter.current?.add(1)
    }
    keptFixes = UInt64(try history.chunks().reduce(0) { $0 + $1.count })
    try readSettings(local)
    for record in try history.zoneRecords() {
      guard let name = ZoneName(hexadecimal: record.uid) else { continue }
      state.zones[name] = .present(PresentZone(record))
    }
    for row in try history.achievementRows() {
      state.achievements[AchievementKey(id: row.id, tier: row.tier)] = SharedUnlock(
        unlockedMilliseconds: row.time?.millisecondsSince1970,
        givenMilliseconds: row.givenAt.millisecondsSince1970)
    }
  }

  /// Returns a source; nil if it has changed.
  private mutating func source(
    _ name: SourceName, _ held: HeldSource, _ record: SourceRecord, _ local: LocalState
  ) throws -> PresentSource? {
    let row = RowContent.bytes(of: record)
    guard Digest(of: row) == held.row else { return nil }
    let shared = local.shared.sources[name]?.present
    let known = shared?.generation == held.generation ? shared : nil
    // What others say of it may be newer than what is here.
    let rowState: RowState
    if let row = known?.row, row.digest == held.row, isThere(row.file, of: name) {
      rowState = row
    } else {
      let payload = SourcePayload(row: row, piece: nil)
      rowState = RowState(
        revision: 0, digest: held.row, file: files.reference(to: payload.bytes))
      try write(payload, rowState.file, of: name)
    }
    let fallback =
      shared?.pieces.first?.position
      ?? PiecePosition(rank: local.highestRank + 1, device: local.device)
    var pieces: [PieceState] = []
    for (number, piece) in held.pieces.enumerated() {
      let other = known.flatMap { number < $0.pieces.count ? $0.pieces[number] : nil }
      var version =
        other?.alternatives.first { $0.digest == piece.content && $0.count == piece.count }
        ?? PieceVersion(
          revision: 0, isErased: record.withheld > 0, digest: piece.content, count: piece.count,
          file: rowState.file)
      let isKnown = other?.alternatives.contains(version) ?? false
      if !isKnown || !isThere(version.file, of: name) {
        let content = try StoredContent(
          piece.chunks, number: number, ofSource: held.id, in: history
        ).content()
        guard content.digest == piece.content else { return nil }
        let payload = SourcePayload(row: nil, piece: content)
        version.file = files.reference(to: payload.bytes)
        try write(payload, version.file, of: name)
      }
      pieces.append(
        PieceState(
          position: other?.position ?? fallback, alternatives: [version],
          absorbed: other?.isConflict == false ? other?.absorbed ?? [] : []))
    }
    return PresentSource(
      generation: held.generation, withheld: UInt8(clamping: record.withheld), row: rowState,
      pieces: pieces)
  }

  private func isThere(_ file: FileReference, of name: SourceName) -> Bool {
    list.hasOrAwaits(file, of: name)
  }

  private mutating func write(
    _ payload: SourcePayload, _ file: FileReference, of name: SourceName
  ) throws {
    guard !isThere(file, of: name) else { return }
    try files.write(payload.bytes, to: .source(name, file.name))
    filesWritten += 1
  }

  private mutating func readSettings(_ local: LocalState) throws {
    for (key, record) in try history.settingRecords()
    where LocalState.isKey(key) && record.value.isFinite {
      settings[key] = BackupManifest.Setting(
        value: record.value, changedMilliseconds: record.changed)
    }
    // Those of the others that could not be taken over are not part of this store.
    state.settings = local.shared.settings.filter { settings[$0.key]?.value == $0.value.value }
  }
}

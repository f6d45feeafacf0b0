import GeoStore
import SQLiteLayer

/// Finds what changed in a store since its state was captured last, and adds it to what is known.
///
/// What it adds never takes anything away that other devices said: a change is joined like news of
/// another device.
struct Capture {
  private let history: HistoryReader
  private let files: any SyncFiles
  private let now: Int64
  private(set) var local: LocalState
  /// The files that this device has just named, and what is in them.
  private(set) var fresh: [FileReference: FreshFile] = [:]
  /// Files that are there and damaged.
  private var lost: Set<SyncPath> = []
  /// The tiers of achievements that the store has.
  private(set) var unlocks: [AchievementKey: SharedUnlock] = [:]
  /// The sources of the store, with the digests of their rows.
  private var records: [SourceName: (id: Int64, record: SourceRecord, row: Digest)] = [:]

  /// - Parameter now: the time in milliseconds since 1970.
  init(
    _ local: LocalState, in history: HistoryReader, files: any SyncFiles, now: Int64,
    fresh: [FileReference: FreshFile] = [:]
  ) {
    (self.local, self.history, self.files, self.now) = (local, history, files, now)
    self.fresh = fresh
  }

  /// Captures everything.
  ///
  /// - Parameter sealed: the last chunk that was captured before.
  mutating func run(after sealed: Int64) throws {
    try readRecords()
    findForgotten()
    try compareContents()
    try takeNewRuns(after: sealed)
    compareRows()
    try compareSettings()
    try compareZones()
    try compareAchievements()
  }

  /// Names other files for what the store has, if the folder lacks the ones that are named and this
  /// device cannot write them: they had something else in them that is no longer known here.
  ///
  /// - Parameter lost: files that are there and damaged.
  mutating func replaceLostFiles(_ list: FileList, lost: Set<SyncPath>) throws {
    self.lost = lost
    for name in lostSources(list) { try replaceLostFiles(of: name, list) }
  }

  /// The sources of the store of which a file is lost.
  private func lostSources(_ list: FileList) -> [SourceName] {
    local.held.compactMap { name, held in
      guard let source = local.shared.sources[name]?.present, source.generation == held.generation
      else { return nil }
      return source.hasFile { isLost($0, of: name, list) } ? name : nil
    }
  }

  private func isLost(_ file: FileReference, of name: SourceName, _ list: FileList) -> Bool {
    (!list.hasOrAwaits(file, of: name) || lost.contains(.source(name, file.name)))
      && !canWrite(file, of: name)
  }

  /// Whether this device has just named a file and still has what is in it. It has not if the row
  /// or the piece of another device was taken over since.
  private func canWrite(_ file: FileReference, of name: SourceName) -> Bool {
    guard let content = fresh[file], let held = local.held[name],
      let source = local.shared.sources[name]?.present
    else { return false }
    let hasRow = content.row == nil || content.row == records[name]?.row
    // As when it is written: a piece that is still one of those that count.
    let hasPiece = zip(held.pieces, source.pieces).contains { piece, state in
      piece.content == content.piece
        && state.alternatives.contains { $0.digest == piece.content }
    }
    return hasRow && (content.piece == nil || hasPiece)
  }

  private mutating func replaceLostFiles(of name: SourceName, _ list: FileList) throws {
    guard let held = local.held[name], case .present(var source) = local.shared.sources[name],
      let record = records[name]?.record
    else { return }
    let row = RowContent.bytes(of: record)
    var isChanged = false
    var isRowLost = held.row == source.row.digest && isLost(source.row.file, of: name, list)
    for (number, piece) in held.pieces.enumerated() where number < source.pieces.count {
      // Of several that are not joined yet, the one that is here.
      guard
        let version = source.pieces[number].alternatives.first(where: { version in
          version.digest == piece.content
        }), isLost(version.file, of: name, list) || number == 0 && isRowLost
      else { continue }
      let content = try StoredContent(
        piece.chunks, number: number, ofSource: held.id, in: history
      ).content()
      let own = files.reference(to: SourcePayload(row: nil, piece: content).bytes)
      let both = files.reference(to: SourcePayload(row: row, piece: content).bytes)
      if number == 0, source.row.file == both { isRowLost = false }
      guard isLost(version.file, of: name, list), version.file != own,
        number > 0 || version.file != both
      else { continue }
      var replacement = version
      (replacement.revision, replacement.file) = (version.revision + 1, own)
      source.pieces[number].join(
        PieceState(position: source.pieces[number].position, version: replacement))
      isChanged = true
    }
    let ownRow = files.reference(to: SourcePayload(row: row, piece: nil).bytes)
    if isRowLost, source.row.file != ownRow {
      (source.row.revision, source.row.file) = (source.row.revision + 1, ownRow)
      isChanged = true
    }
    if isChanged { local.shared.sources[name] = .present(source) }
  }

  // MARK: - Sources

  private mutating func readRecords() throws {
    var known: [Int64: (name: SourceName, row: Digest)] = [:]
    for (name, held) in local.held { known[held.id] = (name, held.row) }
    for (id, record) in try history.sourceRecords() {
      let row = Digest(of: RowContent.bytes(of: record))
      // The row contains the hash of the source: in the same row, it is the same one.
      let name =
        if let source = known[id], source.row == row {
          source.name
        } else {
          files.name(ofSource: record.sha256)
        }
      records[name] = (id, record, row)
    }
  }

  /// Sources that were forgotten, or replaced as a whole, since they were captured.
  private mutating func findForgotten() {
    for (name, held) in local.held {
      if let found = records[name] {
        guard found.id != held.id else { continue }
        // Imported again, because a privacy zone had kept data out of it.
        local.held[name] = nil
        guard case .present(var source) = local.shared.sources[name] else { continue }
        source.generation = max(source.generation, held.generation) + 1
        source.pieces = []
        source.withheld = UInt8(clamping: found.record.withheld)
        source.row.revision += 1
        local.shared.sources[name] = .present(source)
      } else {
        local.held[name] = nil
        local.shared.sources[name] = .forgotten
      }
    }
  }

  /// Pieces whose content changed: something was erased from them, or flights were recognized.
  private mutating func compareContents() throws {
    let deletions = try history.deletions()
    guard deletions != local.deletions else { return }
    for (name, held) in local.held {
      for number in held.pieces.indices { try compareContent(number, of: name) }
    }
    local.deletions = deletions
  }

  private mutating func compareContent(_ number: Int, of name: SourceName) throws {
    guard var held = local.held[name], case .present(var source) = local.shared.sources[name],
      source.generation == held.generation, number < source.pieces.count
    else { return }
    let piece = held.pieces[number]
    let found = try StoredContent(
      piece.chunks, number: number, ofSource: held.id, in: history)
    let stored = found.stored
    guard stored != piece.stored else { return }
    let content = try found.content()
    let digest = content.digest
    held.pieces[number].stored = stored
    defer { local.held[name] = held }
    guard digest != piece.content else { return }
    held.pieces[number].content = digest
    held.pieces[number].count = content.count
    let isErased = content.count < piece.count
    // Marks of flights do not count where something was erased: they come back with the content.
    guard isErased || !source.pieces[number].alternatives[0].isErased else { return }
    let payload = SourcePayload(row: nil, piece: content).bytes
    let version = PieceVersion(
      revision: source.pieces[number].revision + (isErased ? 0 : 1), isErased: isErased,
      digest: digest, count: content.count, file: named(payload, piece: digest))
    let old = source.pieces[number].alternatives.map(\.file)
    source.pieces[number].join(
      PieceState(
        position: source.pieces[number].position, alternatives: [version],
        absorbed: isErased ? [piece.content] : []))
    // The row must not keep the file of what was erased.
    if old.contains(source.row.file), let record = records[name]?.record {
      let row = RowContent.bytes(of: record)
      held.row = Digest(of: row)
      fresh[source.row.file] = nil
      source.row = RowState(
        revision: source.row.revision + 1, digest: held.row,
        file: named(SourcePayload(row: row, piece: nil).bytes, row: held.row))
    }
    local.shared.sources[name] = .present(source)
  }

  /// Fixes and sources that were added.
  private mutating func takeNewRuns(after sealed: Int64) throws {
    let chunks = try history.chunks(after: sealed)
    let unheld = records.filter { local.held[$0.key] == nil }
    guard !chunks.isEmpty || !unheld.isEmpty else { return }
    var names: [Int64: SourceName] = [:]
    for (name, found) in records { names[found.id] = name }
    var runs: [(source: Int64, chunks: ClosedRange<Int64>?)] = []
    for chunk in chunks {
      if let last = runs.last, last.source == chunk.source, let chunks = last.chunks {
        runs[runs.count - 1].chunks = chunks.lowerBound...chunk.id
      } else {
        runs.append((chunk.source, chunk.id...chunk.id))
      }
    }
    let withFixes = Set(runs.map(\.source))
    for found in unheld.values.sorted(by: { $0.id < $1.id })
    where !withFixes.contains(found.id) {
      runs.append((found.id, nil))
    }
    var rank = local.highestRank
    for run in runs {
      guard let name = names[run.source] else { continue }
      rank += 1
      try add(run.chunks, to: name, at: PiecePosition(rank: rank, device: local.device))
    }
  }

  private mutating func add(
    _ chunks: ClosedRange<Int64>?, to name: SourceName, at position: PiecePosition
  ) throws {
    guard let found = records[name] else { return }
    let isFirst = local.held[name] == nil
    let known = local.shared.sources[name]?.present
    let generation = local.held[name]?.generation ?? (known.map(\.generation) ?? 0)
    var held =
      local.held[name]
      ?? HeldSource(id: found.id, generation: generation, row: Digest(high: 0, low: 0), pieces: [])
    let number = held.pieces.count
    let content = try StoredContent(chunks, number: number, ofSource: found.id, in: history)
    let packed = try content.content()
    let row = RowContent.bytes(of: found.record)
    let payload = SourcePayload(row: isFirst ? row : nil, piece: packed).bytes
    let digest = packed.digest
    let file = named(payload, row: isFirst ? found.row : nil, piece: digest)
    held.pieces.append(
      HeldPiece(chunks: chunks, stored: content.stored, content: digest, count: packed.count))
    if isFirst { held.row = found.row }
    local.held[name] = held
    // What was deleted before it was shared stays deleted if another device has the same source.
    let version = PieceVersion(
      revision: 0, isErased: found.record.withheld > 0, digest: digest, count: packed.count,
      file: file)
    let piece = PieceState(position: position, version: version)
    guard var source = known, source.generation == generation else {
      return join(
        PresentSource(
          generation: generation, withheld: UInt8(clamping: found.record.withheld),
          row: RowState(revision: 0, digest: found.row, file: file), pieces: [piece]),
        as: name)
    }
    if isFirst {
      let isReplaced = source.pieces.isEmpty
      let revision = isReplaced ? source.row.revision : 0
      let own = RowState(revision: revision, digest: found.row, file: file)
      if isReplaced { source.row = own } else { source.row.join(own) }
    }
    if number < source.pieces.count {
      source.pieces[number].join(piece)
    } else {
      source.pieces.append(piece)
    }
    local.shared.sources[name] = .present(source)
  }

  private mutating func join(_ source: PresentSource, as name: SourceName) {
    guard var known = local.shared.sources[name] else {
      local.shared.sources[name] = .present(source)
      return
    }
    known.join(.present(source))
    local.shared.sources[name] = known
  }

  /// Rows that changed.
  private mutating func compareRows() {
    for (name, held) in local.held {
      guard let found = records[name], case .present(var source) = local.shared.sources[name],
        source.generation == held.generation
      else { continue }
      let withheld = max(source.withheld, UInt8(clamping: found.record.withheld))
      guard found.row != held.row || withheld != source.withheld else { continue }
      source.withheld = withheld
      if found.row != held.row {
        local.held[name]?.row = found.row
        let row = RowContent.bytes(of: found.record)
        // What was named with the old row cannot be written any more.
        fresh[source.row.file] = nil
        source.row = RowState(
          revision: source.row.revision + 1, digest: found.row,
          file: named(SourcePayload(row: row, piece: nil).bytes, row: found.row))
      }
      local.shared.sources[name] = .present(source)
    }
  }

  /// Names the file of a payload with a row, a piece, or both.
  private mutating func named(
    _ payload: [UInt8], row: Digest? = nil, piece: Digest? = nil
  ) -> FileReference {
    let file = files.reference(to: payload)
    fresh[file] = FreshFile(row: row, piece: piece)
    return file
  }

  // MARK: - Everything else

  private mutating func compareSettings() throws {
    let records = try history.settingRecords()
      .filter { LocalState.isShared(setting: $0.key) && $0.value.value.isFinite }
    for (key, record) in records where local.settings[key] != record.value {
      let known = local.shared.settings[key]
      guard known?.value != record.value else { continue }
      // A change counts after what was known here, even if the clock goes wrong.
      let time = max(record.changed, (known?.stamp.milliseconds ?? .min) + 1)
      set(key, to: record.value, at: time)
    }
    for key in local.settings.keys where records[key] == nil {
      let time = max(now, (local.shared.settings[key]?.stamp.milliseconds ?? .min) + 1)
      set(key, to: nil, at: time)
    }
    local.settings = records.mapValues(\.value)
  }

  private mutating func set(_ key: String, to value: Double?, at time: Int64) {
    let stamp = Stamp(milliseconds: time, device: local.device)
    local.shared.settings.joinValues([key: SharedSetting(value: value, stamp: stamp)])
  }

  private mutating func compareZones() throws {
    var present: Set<ZoneName> = []
    for record in try history.zoneRecords() {
      guard let name = ZoneName(hexadecimal: record.uid) else { continue }
      present.insert(name)
      guard !local.zones.contains(name) else { continue }
      local.shared.zones.joinValues([name: .present(PresentZone(record))])
    }
    for zone in local.zones.subtracting(present) {
      local.shared.zones.joinValues(
        [zone: .removed(Stamp(milliseconds: now, device: local.device))])
    }
    local.zones = present
  }

  private mutating func compareAchievements() throws {
    for row in try history.achievementRows() {
      unlocks[AchievementKey(id: row.id, tier: row.tier)] = SharedUnlock(
        unlockedMilliseconds: row.time?.millisecondsSince1970,
        givenMilliseconds: row.givenAt.millisecondsSince1970)
    }
    if unlocks != local.shared.achievements { local.shared.achievements.joinValues(unlocks) }
  }
}

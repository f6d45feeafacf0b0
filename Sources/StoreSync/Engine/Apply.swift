import Geodesy
import GeoStore
import SQLiteLayer

/// Makes a store what the devices agree on, as far as the files for it are there.
struct Apply {
  private let session: WriteSession
  private let files: any SyncFiles
  private let listing: [SyncPath: UInt64]
  private let unreadable: [SyncPath: String]
  private(set) var local: LocalState
  /// What changed.
  private(set) var changes = SyncChanges()
  /// Files that are needed and cannot be used now.
  private(set) var pending: [PendingFile] = []
  /// Whether regions, visits and coverage must be rebuilt at the end.
  private var mustRebuild = false
  private var touched: Set<Int64> = []
  /// Sources whose rows and data may come from different devices.
  private var changedByMany: Set<Int64> = []
  private var lastPayload: (path: SyncPath, payload: SourcePayload)?

  /// - Parameters:
  ///   - listing: the files that are there, with their sizes.
  ///   - unreadable: those of them that cannot be believed, and why.
  init(
    _ local: LocalState, to session: WriteSession, files: any SyncFiles,
    listing: [SyncPath: UInt64], unreadable: [SyncPath: String]
  ) {
    (self.local, self.session, self.files) = (local, session, files)
    (self.listing, self.unreadable) = (listing, unreadable)
  }

  /// Deletes what other devices deleted: privacy zones and what lies in them, and sources. What is
  /// left of the pieces must be captured before ``run()``.
  mutating func delete() throws {
    try applyZones()
    var ids: [Int64] = []
    for (name, held) in local.held where local.shared.sources[name] == .forgotten {
      ids.append(held.id)
      local.held[name] = nil
    }
    try session.forgetShared(ids.sorted())
    changes.sourcesForgotten = ids.count
  }

  /// Applies everything else.
  mutating func run() throws {
    try applySettings()
    var plan = Plan()
    for name in local.shared.sources.keys.sorted() {
      guard case .live(let source) = local.shared.sources[name] else { continue }
      try self.plan(source, name, into: &plan)
    }
    if try session.reduce(plan.reduced, isDerived: !mustRebuild) { mustRebuild = true }
    for (place, chunks) in plan.reducedPlaces {
      let count = local.held[place.name].map { held in
        (try? session.packedFixes(chunks, ofSource: held.id)) ?? []
      }
      local.held[place.name]?.pieces[place.number].chunks = count?.isEmpty == false ? chunks : nil
    }
    try arrange(plan)
    for (id, data) in plan.brought.sorted(by: { $0.key < $1.key }) {
      _ = try session.replaceBrought(data, ofSource: id)
      mustRebuild = true
    }
    try session.recount(touched.sorted())
    for id in changedByMany.intersection(touched).sorted() { try session.widenRow(ofSource: id) }
    if try session.orderBroughtRegions(bySources: idsInOrder()) { mustRebuild = true }
    if mustRebuild { try session.rebuild() }
    try applyAchievements()
    try noteStored(plan)
  }

  // MARK: - Settings, zones, achievements

  private mutating func applyZones() throws {
    let present = Set(try session.zoneRecords().map(\.uid))
    var names: [(name: ZoneName, zone: PresentZone)] = []
    for (name, zone) in local.shared.zones {
      switch zone {
      case .removed:
        local.zones.remove(name)
        guard present.contains(name.hexadecimal) else { continue }
        try session.removeZone(uid: name.hexadecimal)
        changes.zonesRemoved += 1
      case .present(let zone): names.append((name, zone))
      }
    }
    names.sort { ($0.zone, $0.name) < ($1.zone, $1.name) }
    for (name, zone) in names where !present.contains(name.hexadecimal) {
      try session.add(zone.record(uid: name, named: nil))
      local.zones.insert(name)
      changes.zonesAdded += 1
    }
    try applyZoneNames(names)
  }

  /// Gives each zone its name. Of several with one name, the later ones get a number.
  private func applyZoneNames(_ zones: [(name: ZoneName, zone: PresentZone)]) throws {
    var wanted: [String: String?] = [:]
    var taken: Set<String> = []
    for (uid, zone) in zones {
      var name = zone.name
      var number = 2
      while let tried = name, !taken.insert(tried).inserted {
        name = "\(zone.name ?? "") \(number)"
        number += 1
      }
      wanted[uid.hexadecimal] = name
    }
    let records = try session.zoneRecords()
    let wrong = records.filter { wanted[$0.uid] ?? nil != $0.name }
    for record in wrong { try session.renameZone(record.uid, to: nil) }
    for record in wrong { try session.renameZone(record.uid, to: wanted[record.uid] ?? nil) }
  }

  private mutating func applySettings() throws {
    var values: [String: SettingRecord?] = [:]
    for (key, setting) in local.shared.settings where LocalState.isShared(setting: key) {
      guard local.settings[key] != setting.value else { continue }
      values[key] = .some(
        setting.value.map { SettingRecord(value: $0, changed: setting.stamp.milliseconds) })
    }
    guard !values.isEmpty else { return }
    if try session.set(values) { mustRebuild = true }
    let records = try session.settingRecords()
    local.settings = records.filter { LocalState.isShared(setting: $0.key) }.mapValues(\.value)
    changes.settingsChanged = values.count
  }

  private mutating func applyAchievements() throws {
    var known: [AchievementKey: SharedUnlock] = [:]
    for row in try session.achievementRows() {
      known[AchievementKey(id: row.id, tier: row.tier)] = SharedUnlock(
        unlockedMilliseconds: row.time?.millisecondsSince1970,
        givenMilliseconds: row.givenAt.millisecondsSince1970)
    }
    let rows = local.shared.achievements.filter { known[$0.key] != $0.value }.map { key, unlock in
      AchievementRow(
        id: key.id, tier: key.tier,
        time: unlock.unlockedMilliseconds.map(Timestamp.init(millisecondsSince1970:)),
        generation: 0, givenAt: Timestamp(millisecondsSince1970: unlock.givenMilliseconds))
    }
    try session.merge(rows)
    changes.achievements = rows.count
  }

  // MARK: - Sources

  /// Where a piece is in the shared state.
  struct Place: Hashable {
    let name: SourceName
    let number: Int
  }

  /// What must be done to the fixes.
  private struct Plan {
    enum Content {
      case stored(ClosedRange<Int64>)
      case file(FileReference)
      case computed([PackedFixes])
      case none
    }
    struct Item {
      let position: PiecePosition
      let place: Place
      let source: Int64
      let content: Content
    }
    var items: [Item] = []
    var reduced: [ReducedRun] = []
    var reducedPlaces: [Place: ClosedRange<Int64>] = [:]
    /// The stored runs that others replace.
    var dropped: [ArrangedRun] = []
    /// What came with sources, by their numbers.
    var brought: [Int64: BroughtData] = [:]
    /// The pieces whose content changes, with the digest and count that they get.
    var changed: [Place: (digest: Digest, count: UInt64)] = [:]
  }

  /// Plans one source.
  private mutating func plan(
    _ source: LiveSource, _ name: SourceName, into plan: inout Plan
  ) throws {
    if let held = local.held[name], held.generation == source.generation {
      try applyRow(source, held, name)
    } else {
      guard try insert(source, name) else { return keep(source, name, in: &plan) }
    }
    guard let id = local.held[name]?.id else { return }
    if source.pieces.count > 1 || source.pieces.contains(where: { $0.alternatives[0].isErased }) {
      changedByMany.insert(id)
    }
    for number in source.pieces.indices {
      let place = Place(name: name, number: number)
      let count = local.held[name]?.pieces.count ?? 0
      if number < count {
        try planHeld(source.pieces[number], place, id, into: &plan)
      } else {
        // Pieces come in their order.
        guard number == count, try planNew(source.pieces[number], place, id, into: &plan) else {
          break
        }
      }
    }
  }

  /// Keeps what the store has of an earlier generation until the files of the new one are there.
  private func keep(_ source: LiveSource, _ name: SourceName, in plan: inout Plan) {
    guard let held = local.held[name], let first = source.pieces.first else { return }
    for (number, piece) in held.pieces.enumerated() {
      plan.items.append(
        Plan.Item(
          position: first.position, place: Place(name: name, number: number), source: held.id,
          content: piece.chunks.map { .stored($0) } ?? .none))
    }
  }

  /// Stores the row of a source that is new here, in place of an earlier generation. Returns false
  /// if its files are not there.
  private mutating func insert(_ source: LiveSource, _ name: SourceName) throws -> Bool {
    // Not before the first piece is there, so that a source is never seen empty.
    guard let row = try payload(source.row.file, of: name)?.row,
      let first = source.pieces.first, try isUsable(first, of: name)
    else { return false }
    let path = SyncPath.source(name, source.row.file.name)
    let record = try reading(path) { try RowContent.record(row, withheld: source.withheld) }
    guard files.name(ofSource: record.sha256) == name else {
      throw UnreadableFile(path: path, underlying: SyncFormatError(.notAuthentic, in: "row", at: 0))
    }
    if let held = local.held[name] {
      try session.forgetShared([held.id])
      local.held[name] = nil
    }
    let id = try session.insert(record)
    local.held[name] = HeldSource(
      id: id, generation: source.generation, row: source.row.digest, pieces: [])
    changes.sourcesAdded += 1
    return true
  }

  private mutating func applyRow(
    _ source: LiveSource, _ held: HeldSource, _ name: SourceName
  ) throws {
    if source.row.digest != held.row {
      guard let row = try payload(source.row.file, of: name)?.row else { return }
      let path = SyncPath.source(name, source.row.file.name)
      let record = try reading(path) { try RowContent.record(row, withheld: source.withheld) }
      try session.update(held.id, to: record)
      touched.insert(held.id)
      changedByMany.insert(held.id)
      local.held[name]?.row = source.row.digest
      changes.sourcesChanged += 1
    } else {
      try session.setWithheld(Int64(source.withheld), ofSource: held.id)
    }
  }

  /// Whether the files of a piece are there and fit the store.
  private mutating func isUsable(_ piece: PieceState, of name: SourceName) throws -> Bool {
    for version in piece.alternatives {
      guard let content = try payload(version.file, of: name)?.piece else { return false }
      let radius = session.settings[.explorationRadiusMeters]
      if !content.tiles.isEmpty, content.gridRadiusMeters != radius {
        pending.append(
          PendingFile(
            path: .source(name, version.file.name),
            reason: .otherGrid(radiusMeters: content.gridRadiusMeters)))
        return false
      }
    }
    return true
  }

  private mutating func planHeld(
    _ piece: PieceState, _ place: Place, _ id: Int64, into plan: inout Plan
  ) throws {
    guard let held = local.held[place.name]?.pieces[place.number] else { return }
    func keep(_ plan: inout Plan) {
      plan.items.append(
        Plan.Item(
          position: piece.position, place: place, source: id,
          content: held.chunks.map { .stored($0) } ?? .none))
    }
    if let version = piece.version, version.digest == held.content { return keep(&plan) }
    let stored = try StoredContent(
      held.chunks, number: place.number, ofSource: id, in: session)
    guard let target = try target(of: piece, place, stored, held) else { return keep(&plan) }
    guard target.digest != held.content else { return keep(&plan) }
    plan.changed[place] = (target.digest, target.content.count)
    changedByMany.insert(id)
    let brought = try reading(target.path) { try target.content.brought() }
    if place.number == 0, brought != stored.brought { plan.brought[id] = brought }
    touched.insert(id)
    let (old, new) = (
      try stored.fixes(), try reading(target.path) { try target.content.fixes() }
    )
    if let chunks = held.chunks, let removed = Self.removed(from: old, to: new) {
      if !removed.isEmpty {
        plan.reduced.append(
          ReducedRun(source: id, chunks: chunks, fixes: new, removed: removed))
        plan.reducedPlaces[place] = chunks
      }
      return plan.items.append(
        Plan.Item(
          position: piece.position, place: place, source: id,
          content: new.isEmpty ? .none : .stored(chunks)))
    }
    if let chunks = held.chunks {
      plan.dropped.append(ArrangedRun(source: id, content: .stored(chunks)))
    }
    plan.items.append(
      Plan.Item(
        position: piece.position, place: place, source: id,
        content: new.isEmpty ? .none : .computed(target.content.packed)))
  }

  private mutating func planNew(
    _ piece: PieceState, _ place: Place, _ id: Int64, into plan: inout Plan
  ) throws -> Bool {
    guard try isUsable(piece, of: place.name) else { return false }
    let target: (content: PieceContent, digest: Digest)
    var isFile = true
    if let version = piece.version {
      guard let content = try payload(version.file, of: place.name)?.piece else { return false }
      target = (content, version.digest)
    } else {
      guard let found = try self.target(of: piece, place, nil, nil) else { return false }
      target = (found.content, found.digest)
      isFile = false
    }
    let path = SyncPath.source(place.name, piece.alternatives[0].file.name)
    let brought = try reading(path) { try target.content.brought() }
    if !brought.isEmpty { plan.brought[id] = brought }
    plan.changed[place] = (target.digest, target.content.count)
    touched.insert(id)
    local.held[place.name]?.pieces.append(
      HeldPiece(
        chunks: nil, stored: Digest(high: 0, low: 0), content: target.digest,
        count: target.content.count))
    let packed = target.content.packed
    changes.fixesAdded += packed.reduce(0) { $0 + $1.count }
    plan.items.append(
      Plan.Item(
        position: piece.position, place: place, source: id,
        content: packed.isEmpty
          ? .none : isFile ? .file(piece.alternatives[0].file) : .computed(packed)))
    return true
  }

  /// The content that a piece gets, and its digest; nil if the files for it are not there.
  ///
  /// If several devices erased different things from it, the content is what all of them left, and
  /// that is from now on what this device says.
  private mutating func target(
    of piece: PieceState, _ place: Place, _ stored: StoredContent?, _ held: HeldPiece?
  ) throws -> (content: PieceContent, digest: Digest, path: SyncPath)? {
    var found: [(version: PieceVersion, content: PieceContent)] = []
    for version in piece.alternatives {
      if let stored, version.digest == held?.content {
        found.append((version, try stored.content()))
      } else if let content = try payload(version.file, of: place.name)?.piece {
        found.append((version, content))
      } else {
        return nil
      }
    }
    let path = SyncPath.source(place.name, piece.alternatives[0].file.name)
    guard found.count > 1 else { return (found[0].content, found[0].version.digest, path) }
    let rest = try reading(path) { try Intersection(found).content }
    var version = PieceVersion(
      revision: piece.revision, isErased: true, digest: rest.digest, count: rest.count,
      file: files.reference(to: SourcePayload(row: nil, piece: rest).bytes))
    var content = rest
    if let same = found.first(where: { $0.version.count == rest.count }) {
      (version, content) = (same.version, same.content)
    }
    guard case .live(var source) = local.shared.sources[place.name] else { return nil }
    source.pieces[place.number].replaceAlternatives(with: version)
    local.shared.sources[place.name] = .live(source)
    return (content, version.digest, path)
  }

  /// The keys of the fixes that must go so that new fixes are left; nil if more than that differs.
  private static func removed(from old: [KeptFix], to new: [KeptFix]) -> Set<FixKey>? {
    let left = Set(new.map(FixKey.init))
    let removed = Set(old.lazy.map(FixKey.init).filter { !left.contains($0) })
    let staying = old.filter { left.contains(FixKey($0)) }
    guard staying.count == new.count else { return nil }
    for (var fix, other) in zip(staying, new) {
      // A cut may make it start a segment.
      if other.startsSegment { fix.startsSegment = true }
      if fix != other { return nil }
    }
    // Without a deletion, a new start of a segment changes nothing that is derived.
    return removed.isEmpty ? nil : removed
  }

  // MARK: - The order

  private mutating func arrange(_ plan: Plan) throws {
    let items = plan.items.sorted {
      ($0.position, $0.place.name, $0.place.number) < ($1.position, $1.place.name, $1.place.number)
    }
    .compactMap { item -> Plan.Item? in
      if case .none = item.content { return nil }
      guard case .stored = item.content else { return item }
      // Its chunks may have changed since it was planned.
      guard let chunks = local.held[item.place.name]?.pieces[item.place.number].chunks else {
        return nil
      }
      return Plan.Item(
        position: item.position, place: item.place, source: item.source, content: .stored(chunks))
    }
    var kept = 0
    var last: Int64 = 0
    while kept < items.count, case .stored(let chunks) = items[kept].content,
      chunks.lowerBound > last,
      try session.chunkCount(from: last + 1, to: chunks.lowerBound - 1) == 0
    {
      last = chunks.upperBound
      kept += 1
    }
    let rest = Array(items[kept...])
    guard !rest.isEmpty || !plan.dropped.isEmpty else { return }
    let runs = rest.map { item in
      if case .stored(let chunks) = item.content {
        return ArrangedRun(source: item.source, content: .stored(chunks))
      }
      return ArrangedRun(source: item.source, content: .new)
    }
    var reader = self
    let (stored, isRebuildNeeded) = try session.arrange(
      after: last, runs, dropping: plan.dropped, isDerived: !mustRebuild
    ) { index in
      switch rest[index].content {
      case .computed(let packed): return packed
      case .file(let file):
        return try reader.payload(file, of: rest[index].place.name)?.piece?.packed ?? []
      case .stored, .none: return []
      }
    }
    if isRebuildNeeded { mustRebuild = true }
    for (item, run) in zip(rest, stored) {
      local.held[item.place.name]?.pieces[item.place.number].chunks = run.chunks
      if run.isWithheld { local.deletions = -1 }
      touched.insert(item.source)
    }
  }

  /// Notes what is stored now of the pieces that changed. What a privacy zone kept out is found by
  /// the next capture, because the digests of what is stored differ then.
  private mutating func noteStored(_ plan: Plan) throws {
    for (place, target) in plan.changed {
      guard let held = local.held[place.name] else { continue }
      let piece = held.pieces[place.number]
      let stored = try StoredContent(
        piece.chunks, number: place.number, ofSource: held.id, in: session)
      let count = stored.count
      local.held[place.name]?.pieces[place.number].content = target.digest
      local.held[place.name]?.pieces[place.number].count = target.count
      local.held[place.name]?.pieces[place.number].stored =
        count == target.count ? stored.stored : Digest(high: 0, low: 0)
      if count != target.count { local.deletions = -1 }
    }
  }

  /// The numbers of the sources in the order of their first pieces.
  private func idsInOrder() -> [Int64] {
    local.held.compactMap { name, held -> (PiecePosition, Int64)? in
      local.shared.sources[name]?.live?.pieces.first.map { ($0.position, held.id) }
    }.sorted { $0 < $1 }.map(\.1)
  }

  // MARK: - Files

  /// Returns the payload of a source file; nil if it is not there.
  private mutating func payload(
    _ file: FileReference, of name: SourceName
  ) throws -> SourcePayload? {
    let path = SyncPath.source(name, file.name)
    if let lastPayload, lastPayload.path == path { return lastPayload.payload }
    if let reason = unreadable[path] {
      pending.append(PendingFile(path: path, reason: .unreadable(reason)))
      return nil
    }
    guard listing[path] == file.byteCount else {
      pending.append(PendingFile(path: path, reason: .missing))
      return nil
    }
    let payload = try reading(path) {
      let bytes = try files.payload(of: path)
      guard files.name(ofPayload: bytes) == file.name else {
        throw SyncFormatError(.notAuthentic, in: "source", at: 0)
      }
      return try SourcePayload(bytes: bytes)
    }
    lastPayload = (path, payload)
    return payload
  }

  /// Runs `body`, and names the file if it fails.
  private func reading<T>(_ path: SyncPath, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw UnreadableFile(path: path, underlying: error)
    }
  }
}

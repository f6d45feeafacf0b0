import Geodesy
import GeoStore
import SQLiteLayer

/// Makes a store what the devices agree on, as far as the files for it are there.
struct Apply {
  let session: WriteSession
  let files: any SyncFiles
  private let list: FileList
  private let prefetched: [SyncPath: SourcePayload]
  private let unreadable: [SyncPath: String]
  /// What the store keeps. Between ``delete()`` and ``run()``, what is left is captured.
  var local: LocalState
  /// What changed.
  var changes = SyncChanges()
  /// Files that are needed and cannot be used now.
  var pending: [PendingFile] = []
  /// Whether regions, visits and coverage must be rebuilt at the end.
  var mustRebuild = false
  /// The sources whose data or rows change.
  var touched: Set<Int64> = []
  /// Sources whose rows and data may come from different devices.
  var changedByMany: Set<Int64> = []
  /// Sources of which privacy zones kept something out.
  var withheld: Set<Int64> = []
  /// Pieces that differ here because of a privacy zone.
  var changedByZone: Set<PiecePlan.Place> = []
  private var lastPayload: (path: SyncPath, payload: SourcePayload)?

  /// - Parameters:
  ///   - list: the files that are there.
  ///   - prefetched: what some of them say.
  ///   - unreadable: those of them that cannot be believed, and why.
  init(
    _ local: LocalState, to session: WriteSession, files: any SyncFiles, _ list: FileList,
    prefetched: [SyncPath: SourcePayload], unreadable: [SyncPath: String]
  ) {
    (self.local, self.session, self.files) = (local, session, files)
    (self.list, self.prefetched, self.unreadable) = (list, prefetched, unreadable)
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
    // As of the fixes that are stored: the rows that come may be about later ones.
    let cut = try session.cutSources()
    var plan = PiecePlan()
    for name in local.shared.sources.keys.sorted() {
      guard case .present(let source) = local.shared.sources[name] else { continue }
      try self.plan(source, name, into: &plan)
    }
    if try session.reduce(plan.reduced, isDerived: !mustRebuild) { mustRebuild = true }
    try arrange(plan, cut: cut)
    // A row that came without its fixes does not know that the fixes before were cut here.
    let arranged = Set(plan.changed.keys.compactMap { local.held[$0.name]?.id })
    try session.markCut(cut.subtracting(arranged))
    for (id, brought) in plan.brought.sorted(by: { $0.key < $1.key }) {
      let isWithheld = try storing(brought.path) {
        try session.replaceBrought(brought.data, ofSource: id)
      }
      if isWithheld { withheld.insert(id) }
      mustRebuild = true
    }
    try session.recount(touched.sorted())
    try session.fitRowsToZones(of: touched.sorted(), withheld: withheld.sorted())
    for id in changedByMany.intersection(touched).sorted() { try session.widenRow(ofSource: id) }
    if try session.orderBroughtRegions(bySources: idsInOrder()) { mustRebuild = true }
    if mustRebuild { try session.rebuild() }
    try applyAchievements()
    try noteStored(plan)
    try session.removeOtherReports(of: wholeSources)
  }

  /// The sources that changed and of which the store has all that the devices have, in order.
  private var wholeSources: [Int64] {
    local.held.compactMap { name, held -> Int64? in
      guard touched.contains(held.id), let source = local.shared.sources[name]?.present,
        source.generation == held.generation, source.row.digest == held.row,
        source.pieces.count == held.pieces.count,
        zip(source.pieces, held.pieces).allSatisfy({ $0.version?.digest == $1.content })
      else { return nil }
      return held.id
    }.sorted()
  }

  // MARK: - Files

  /// Returns the payload of a source file; nil if it is not there.
  mutating func payload(
    _ file: FileReference, of name: SourceName
  ) throws -> SourcePayload? {
    let path = SyncPath.source(name, file.name)
    if let reason = unreadable[path] {
      pending.append(PendingFile(path: path, reason: .unreadable(reason)))
      return nil
    }
    if let lastPayload, lastPayload.path == path { return lastPayload.payload }
    if let payload = prefetched[path] { return payload }
    guard list.has(path, byteCount: file.byteCount) else {
      pending.append(PendingFile(path: path, reason: .missing))
      return nil
    }
    let payload = try reading(path) {
      let payload = try files.source(file, of: name).payload
      try payload.validate()
      return payload
    }
    lastPayload = (path, payload)
    return payload
  }

  /// Runs `body`, which stores what a file says, and names the file if the store refuses it.
  func storing<T>(_ path: SyncPath, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let error as DatabaseError where error.refusesContent {
      throw UnreadableFile(path: path, underlying: error)
    }
  }

  /// Runs `body`, and names the file if it fails.
  func reading<T>(_ path: SyncPath, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw UnreadableFile(path: path, underlying: error)
    }
  }
}

extension DatabaseError {
  /// Whether the values that were to be stored are such as no store has.
  fileprivate var refusesContent: Bool {
    if case .damaged = self { true } else { isConstraint }
  }
}

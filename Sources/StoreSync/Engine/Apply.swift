import Geodesy
import GeoStore
import SQLiteLayer

/// Makes a store what the devices agree on, as far as the files for it are there.
struct Apply {
  let session: WriteSession
  let files: any SyncFiles
  private let listing: [SyncPath: UInt64]
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
    var plan = PiecePlan()
    for name in local.shared.sources.keys.sorted() {
      guard case .live(let source) = local.shared.sources[name] else { continue }
      try self.plan(source, name, into: &plan)
    }
    if try session.reduce(plan.reduced, isDerived: !mustRebuild) { mustRebuild = true }
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

  // MARK: - Files

  /// Returns the payload of a source file; nil if it is not there.
  mutating func payload(
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
  func reading<T>(_ path: SyncPath, _ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch {
      throw UnreadableFile(path: path, underlying: error)
    }
  }
}

import Geodesy
import GeoStore
import SQLiteLayer

/// One sync of a store with a folder: sends to the folder what is new here, and takes what is new
/// there.
///
/// Files are read before the store is locked, as far as they fit in memory. The store changes in
/// one transaction, which also keeps what was captured and read. Files are written after it; if
/// that fails, or the program ends, the next sync writes them.
package struct SyncRun {
  /// The device that a store is now, and its name for people. A store that was copied from another
  /// device goes on as this one.
  package typealias Device = (name: DeviceName, displayName: String)

  let store: Store
  let files: any SyncFiles
  let now: Int64
  /// What is joined besides the manifests: what a backup holds.
  private let restored: SharedState

  /// - Parameters:
  ///   - now: the time in milliseconds since 1970.
  ///   - restored: what is joined besides the manifests of other devices.
  package init(
    _ store: Store, with files: any SyncFiles, now: Int64, restoring restored: SharedState = .init()
  ) {
    (self.store, self.files, self.restored) = (store, files, restored)
    let years = Timestamp.writable
    self.now = min(
      max(now, years.lowerBound.millisecondsSince1970), years.upperBound.millisecondsSince1970)
  }

  /// Syncs once.
  ///
  /// - Parameters:
  ///   - device: the device that the store is now.
  ///   - isDryRun: whether to only report what would happen. Neither the store nor the folder
  ///     changes then.
  /// - Throws: `DatabaseError`, `CancellationError`, and what the folder throws. The store is then
  ///   unchanged, or changed as a whole.
  package func run(as device: Device, isDryRun: Bool = false) throws -> SyncReport {
    do {
      return try run(as: device, isDryRun: isDryRun, readsOwn: false)
    } catch is OtherManifest {
      // Another store has the keys of this device, and wrote a manifest of the same number.
      return try run(as: device, isDryRun: isDryRun, readsOwn: true)
    }
  }

  private func run(as device: Device, isDryRun: Bool, readsOwn: Bool) throws -> SyncReport {
    let list = try files.list()
    if !isDryRun { try store.forgetReplaced() }
    let look = try store.read { try Look($0.history, as: device, files: files, now: now) }
    let reading = ManifestReading(list, look.local, files: files, readsOwn: readsOwn)
    var report = SyncReport(reading, look)
    if reading.manifests.isEmpty, restored == SharedState(), look.isSettled,
      Self.missing(in: list, of: look.local).isEmpty,
      look.local.mark == mark(of: look.local, wanted: reading.damaged),
      look.local.mendable(in: list).isEmpty
    {
      if !isDryRun { try publish(look.local, list, wanted: reading.damaged, &report) }
      return report
    }
    var joined = look.local.joined(with: reading.manifests)
    joined.shared.join(restored)
    let lost = lostFiles(of: joined, list)
    let prefetch = try Prefetch(joined, list, files: files)
    report.filesRead += prefetch.filesRead
    var unreadable = prefetch.unreadable
    while true {
      do {
        let input = Input(
          device: device, reading: reading, prefetch: prefetch, unreadable: unreadable, list: list,
          lost: lost)
        let (local, wanted) = try change(input, isDryRun: isDryRun, &report)
        (report.seen, report.read) = (local.seen, local.read)
        guard !isDryRun else { return report }
        try publish(local, list, wanted: wanted, &report)
        return report
      } catch let error as UnreadableFile {
        // Nothing was changed. The file is left out.
        guard unreadable[error.path] == nil else { throw error.underlying }
        unreadable[error.path] = "\(error.underlying)"
      }
    }
  }

  /// What a change of the store starts from.
  private struct Input {
    let device: Device
    let reading: ManifestReading
    let prefetch: Prefetch
    let unreadable: [SyncPath: String]
    let list: FileList
    /// Damaged files that this device has found to be lost.
    let lost: Set<SyncPath>
  }

  /// The files that devices found damaged and that cannot be read here either.
  private func lostFiles(of local: LocalState, _ list: FileList) -> Set<SyncPath> {
    local.mendable(in: list).filter { path in
      guard case .source(let name, let file) = path, Cancellation.current?.isCancelled != true,
        let file = local.shared.sources[name]?.files.first(where: { $0.name == file })
      else { return false }
      do {
        _ = try files.source(file, of: name)
        return false
      } catch {
        // What is out of reach may come back.
        return SyncFileError.isDamage(error)
      }
    }
  }

  /// Captures, joins and applies, in one transaction.
  private func change(
    _ input: Input, isDryRun: Bool, _ report: inout SyncReport
  ) throws -> (local: LocalState, wanted: Set<SyncPath>) {
    let list = input.list
    let (local, apply, wanted, radius) = try store.write { session in
      let stored = try LocalState.stored(in: session.history, as: input.device, files: files)
      var (local, sealed) = (stored.local, stored.sealedChunk)
      var fresh: [FileReference: FreshFile] = [:]
      var changedRows = session.changedRowCount
      func capture(always: Bool = false, isLast: Bool = false) throws {
        if always || session.changedRowCount != changedRows || isLast && !fresh.isEmpty {
          var capture = Capture(local, in: session.history, files: files, now: now, fresh: fresh)
          try capture.run(after: sealed)
          if isLast { try capture.replaceLostFiles(list, lost: input.lost) }
          (local, fresh) = (capture.local, capture.fresh)
        } else if isLast, !input.lost.isEmpty || !Self.missing(in: list, of: local).isEmpty {
          return try capture(always: true, isLast: true)
        }
        sealed = try local.sealedChunk(in: session.history)
        changedRows = session.changedRowCount
      }
      try capture(always: true)
      if local.shared != stored.local.shared { local.activeMilliseconds = now }
      local = local.joined(with: input.reading.manifests)
      local.shared.join(restored)
      var work = Apply(
        local, to: session, files: files, list, prefetched: input.prefetch.payloads,
        unreadable: input.unreadable)
      try work.delete()
      local = work.local
      try capture()
      work.local = local
      try work.run()
      local = work.local
      sealed = try local.sealedChunk(in: session.history)
      try capture(isLast: true)
      local.noteObsoleteFiles(since: stored.local.shared)
      let wanted = input.reading.damaged.union(
        input.prefetch.damaged.intersection(work.pending.map(\.path)))
      local.countManifest(marked: mark(of: local, wanted: wanted))
      local.dropRequests()
      if isDryRun {
        session.cancel()
      } else if local != stored.local || stored.sealedChunk != sealed {
        try session.setSyncState((sealed, local.bytes))
      } else {
        session.cancel()
      }
      let hasOwnCells = try session.history.hasOwnCells()
      return (local, work, wanted, local.refusedRadius(hasOwnCells: hasOwnCells))
    }
    if isDryRun {
      report.filesWritten =
        Self.missing(in: list, of: local).count + local.mendable(in: list).count
    } else {
      store.eraseIfOwed()
    }
    report.changes = apply.changes
    report.pending += apply.pending
    report.refusedRadiusMeters = radius
    return (local, wanted)
  }

  /// The digest of what a manifest says besides what is shared, and of the key to which it is
  /// encrypted.
  ///
  /// - Parameter wanted: the files that seem damaged and are needed.
  private func mark(of local: LocalState, wanted: Set<SyncPath>) -> Digest {
    var writer = PayloadWriter()
    writer.name(files.currentKey)
    writer.text(local.displayName)
    for path in wanted.map(\.description).sorted() { writer.text(path) }
    return Digest(of: writer.bytes)
  }
}

import GeoStore
import SQLiteLayer

/// One sync of a store with a folder: tells the folder what is new here, and the store what is new
/// there.
///
/// The store changes in one transaction, which also keeps what was captured and read. Files are
/// written after it; if that fails, or the program ends, the next sync writes them.
package struct SyncRun {
  /// What happened.
  package struct Report: Sendable {
    /// What changed in the store.
    package var changes = SyncChanges()
    /// The files that are needed and cannot be used now.
    package var pending: [PendingFile] = []
    /// Devices whose manifests are older than those that were read before: the folder went
    /// backwards.
    package var rolledBack: [DeviceName] = []
    /// Manifests that cannot be believed, and why.
    package var unreadable: [SyncPath: String] = [:]
    /// The manifests that were read, newest of each device.
    package var manifests: [Manifest] = []
    /// Number of source files written, or that would be.
    package var filesWritten = 0
    /// Number of files removed that nothing needs any more.
    package var filesRemoved = 0
    /// Whether a manifest was written.
    package var wroteManifest = false
    /// Number of files read.
    package var filesRead = 0
  }

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
    (self.store, self.files, self.now, self.restored) = (store, files, now, restored)
  }

  /// Syncs once.
  ///
  /// - Parameters:
  ///   - device: the device that the store is now, and its name for people. A store that was copied
  ///     from another device goes on as this one.
  ///   - isDryRun: whether to only report what would happen. Neither the store nor the folder
  ///     changes then.
  /// - Throws: `DatabaseError`, and what the folder throws. The store is then unchanged, or changed
  ///   as a whole.
  package func run(
    as device: (name: DeviceName, displayName: String), isDryRun: Bool = false
  ) throws -> Report {
    var report = Report()
    let listing = try files.list()
    if !isDryRun { try store.forgetReplaced() }
    let start = try store.read { try state(in: $0.history, as: device).local }
    let manifests = readManifests(listing, start, &report)
    var unreadable: [SyncPath: String] = [:]
    while true {
      do {
        let local = try change(
          device, manifests, listing, unreadable, isDryRun: isDryRun, &report)
        if !isDryRun { try publish(local, listing, &report) }
        return report
      } catch let error as UnreadableFile {
        // Nothing was changed. The file is left out.
        guard unreadable[error.path] == nil else { throw error.underlying }
        unreadable[error.path] = "\(error.underlying)"
      }
    }
  }

  /// Returns what a store keeps about sharing its history through this folder, and the last chunk
  /// that is captured. Nothing that it shared through another folder counts here.
  private func state(
    in history: HistoryReader, as device: (name: DeviceName, displayName: String)
  ) throws -> (local: LocalState, sealedChunk: Int64) {
    let folder = files.name(ofSource: "folder")
    let new = LocalState(folder: folder, device: device.name, displayName: device.displayName)
    guard let stored = try history.syncState() else { return (new, 0) }
    var state = try LocalState(bytes: stored.state)
    guard state.folder == folder else { return (new, 0) }
    state.displayName = device.displayName
    if state.device != device.name {
      state.read[state.device] = state.counter
      state.counter = state.read.removeValue(forKey: device.name) ?? 0
      state.device = device.name
    }
    return (state, stored.sealedChunk)
  }

  /// Reads the newest manifest of each other device, if it is newer than the one read before.
  private func readManifests(
    _ listing: [SyncPath: UInt64], _ local: LocalState, _ report: inout Report
  ) -> [Manifest] {
    var newest: [DeviceName: [UInt64]] = [:]
    for case .manifest(let device, let counter) in listing.keys {
      newest[device, default: []].append(counter)
    }
    var manifests: [Manifest] = []
    for (device, counters) in newest.sorted(by: { $0.key < $1.key }) {
      let read = device == local.device ? local.counter : local.read[device] ?? 0
      // If the newest cannot be read, an older one says what it can.
      for counter in counters.sorted(by: >) where counter > read {
        let path = SyncPath.manifest(device, counter: counter)
        do {
          let manifest = try Manifest(payload: files.payload(of: path))
          report.filesRead += 1
          guard manifest.device == device, manifest.counter == counter else {
            throw SyncFormatError(.notAuthentic, in: "manifest", at: 0)
          }
          manifests.append(manifest)
          break
        } catch {
          report.unreadable[path] = "\(error)"
        }
      }
      if let last = counters.max(), last < read, device != local.device {
        report.rolledBack.append(device)
      }
    }
    for device in local.read.keys.sorted() where newest[device] == nil {
      report.rolledBack.append(device)
    }
    report.manifests = manifests
    return manifests
  }

  /// Captures, joins and applies, in one transaction.
  private func change(
    _ device: (name: DeviceName, displayName: String), _ manifests: [Manifest],
    _ listing: [SyncPath: UInt64], _ unreadable: [SyncPath: String], isDryRun: Bool,
    _ report: inout Report
  ) throws -> LocalState {
    var missing = 0
    let (local, changes, pending) = try store.write { session in
      let stored = try state(in: session.history, as: device)
      var local = stored.local
      let before = local
      var fresh: Set<FileReference> = []
      func capture(after sealed: Int64, isLast: Bool = false) throws {
        var capture = Capture(local, in: session, files: files, now: now, fresh: fresh)
        try capture.run(after: sealed)
        if isLast { try capture.replaceLostFiles(listing) }
        (local, fresh) = (capture.local, capture.fresh)
      }
      try capture(after: stored.sealedChunk)
      local.shared.join(restored)
      for manifest in manifests {
        local.shared.join(manifest.state)
        // A store that was put back goes on after what the others have read of it.
        local.counter = max(local.counter, manifest.read[local.device] ?? 0)
        if manifest.device == local.device {
          // The store was copied or put back: its counter goes on from there.
          local.counter = max(local.counter, manifest.counter)
        } else {
          local.read[manifest.device] = max(local.read[manifest.device] ?? 0, manifest.counter)
        }
      }
      var sealed = try local.sealedChunk(in: session.history)
      var apply = Apply(
        local, to: session, files: files, listing: listing, unreadable: unreadable)
      try apply.delete()
      local = apply.local
      try capture(after: sealed)
      apply.local = local
      try apply.run()
      local = apply.local
      sealed = try local.sealedChunk(in: session.history)
      try capture(after: sealed, isLast: true)
      local.noteObsoleteFiles(since: before.shared)
      let digest = Digest(of: local.sharedBytes)
      if digest != local.manifest {
        local.manifest = digest
        local.counter += 1
      }
      if isDryRun {
        missing = Self.missing(in: listing, of: local).count
        session.cancel()
      } else if local != before || stored.sealedChunk != sealed {
        try session.setSyncState((sealed, local.bytes))
      } else {
        session.cancel()
      }
      return (local, apply.changes, apply.pending)
    }
    if isDryRun { report.filesWritten = missing } else { store.eraseIfOwed() }
    (report.changes, report.pending) = (changes, pending)
    return local
  }
}

extension LocalState {
  /// Notes the files that were named before and are not any more.
  fileprivate mutating func noteObsoleteFiles(since before: SharedState) {
    for (name, state) in before.sources where shared.sources[name] != state {
      obsolete[name, default: []].formUnion(state.files.map(\.name))
    }
    for (name, files) in obsolete {
      // A forgotten source has no files at all.
      let named = Set((shared.sources[name]?.files ?? []).map(\.name))
      let left = shared.sources[name] == .forgotten ? [] : files.subtracting(named)
      obsolete[name] = left.isEmpty ? nil : left
    }
  }

  /// The last chunk that is captured. Chunks of a piece may have been deleted at its end: their
  /// numbers must not be used again, because the piece would seem to have them.
  fileprivate func sealedChunk(in history: HistoryReader) throws -> Int64 {
    let held = held.values.flatMap(\.pieces).compactMap { $0.chunks?.upperBound }.max() ?? 0
    return max(held, try history.chunks().last?.id ?? 0)
  }

  /// The bytes of what is known, for comparison.
  fileprivate var sharedBytes: [UInt8] {
    var writer = PayloadWriter()
    shared.write(to: &writer)
    return writer.bytes
  }
}

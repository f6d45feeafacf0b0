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

  private let store: Store
  private let files: any SyncFiles
  private let now: Int64

  /// - Parameter now: the time in milliseconds since 1970.
  package init(_ store: Store, with files: any SyncFiles, now: Int64) {
    (self.store, self.files, self.now) = (store, files, now)
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
    let start = try store.write { session in
      session.cancel()
      return try state(in: session, as: device).local
    }
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
    in session: WriteSession, as device: (name: DeviceName, displayName: String)
  ) throws -> (local: LocalState, sealedChunk: Int64) {
    let folder = files.name(ofSource: "folder")
    let new = LocalState(folder: folder, device: device.name, displayName: device.displayName)
    guard let stored = try session.syncState() else { return (new, 0) }
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
      let stored = try state(in: session, as: device)
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
      var sealed = try local.sealedChunk(in: session)
      var apply = Apply(
        local, to: session, files: files, listing: listing, unreadable: unreadable)
      try apply.delete()
      local = apply.local
      try capture(after: sealed)
      var second = Apply(
        local, to: session, files: files, listing: listing, unreadable: unreadable)
      try second.run()
      local = second.local
      sealed = try local.sealedChunk(in: session)
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
      return (local, apply.changes + second.changes, second.pending)
    }
    if isDryRun { report.filesWritten = missing } else { store.eraseIfOwed() }
    (report.changes, report.pending) = (changes, pending)
    return local
  }

  /// Writes what the folder lacks, and removes what nothing needs any more.
  private func publish(
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
    try store.write { session in
      session.cancel()
      let records = Dictionary(
        try session.sourceRecords().map { ($0.id, $0.source) }, uniquingKeysWith: { $1 })
      for (name, held, source) in missing {
        guard let record = records[held.id] else { continue }
        for payload in try payloads(held, source, record, session) {
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
  private static func missing(
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
    _ held: HeldSource, _ source: LiveSource, _ record: SourceRecord, _ session: WriteSession
  ) throws -> [[UInt8]] {
    let row = RowContent.bytes(of: record)
    var payloads = [SourcePayload(row: row, piece: nil).bytes]
    for (number, piece) in held.pieces.enumerated() where number < source.pieces.count {
      guard source.pieces[number].alternatives.contains(where: { $0.digest == piece.content })
      else { continue }
      let content = try StoredContent(piece.chunks, number: number, ofSource: held.id, in: session)
        .content()
      payloads.append(SourcePayload(row: nil, piece: content).bytes)
      if number == 0 { payloads.append(SourcePayload(row: row, piece: content).bytes) }
    }
    return payloads
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
  fileprivate func sealedChunk(in session: WriteSession) throws -> Int64 {
    let held = held.values.flatMap(\.pieces).compactMap { $0.chunks?.upperBound }.max() ?? 0
    return max(held, try session.chunks().last?.id ?? 0)
  }

  /// The bytes of what is known, for comparison.
  fileprivate var sharedBytes: [UInt8] {
    var writer = PayloadWriter()
    shared.write(to: &writer)
    return writer.bytes
  }
}

extension SyncChanges {
  /// The sum, field by field.
  static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum.sourcesAdded += right.sourcesAdded
    sum.sourcesForgotten += right.sourcesForgotten
    sum.sourcesChanged += right.sourcesChanged
    sum.fixesAdded += right.fixesAdded
    sum.zonesAdded += right.zonesAdded
    sum.zonesRemoved += right.zonesRemoved
    sum.settingsChanged += right.settingsChanged
    sum.achievements += right.achievements
    return sum
  }
}

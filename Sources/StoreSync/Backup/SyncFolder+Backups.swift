import GeoStore

/// Backups of a store in its sync folder.
extension SyncFolder {
  /// What a restore did.
  package struct RestoreReport: Sendable {
    /// The backup.
    package let entry: BackupCatalog.Entry
    /// Number of its sources that a device has forgotten since. A merge leaves them out; after a
    /// replacement, the next sync forgets them again.
    package var forgottenSince = 0
    /// What a merge changed; nil for a replacement.
    package var sync: SyncReport?
    /// The number of kept fixes of the new store; nil for a merge.
    package var keptFixes: Int?
    /// Number of sources of the old store that neither the folder nor the backup has: no sync
    /// brings them back. Nil if that is not known, or for a merge.
    package var unsynced: Int?
    /// The path at which the old store is kept for a day; nil if there was none, or for a merge.
    package var kept: String?
  }

  /// The backups of the folder.
  package func backups() throws -> BackupCatalog { try BackupCatalog(sealed()) }

  /// Syncs a store once, and deletes stores that were replaced more than a day ago.
  ///
  /// - Throws: as ``SyncRun/run(as:isDryRun:)``.
  package func syncAndCleanUp(_ store: Store, now: Int64) throws -> SyncReport {
    let report = try sync(store, now: now)
    StoreReplacement(storePath: store.path).cleanUp(now: now)
    return report
  }

  /// Makes a backup.
  ///
  /// - Parameters:
  ///   - note: what a person notes about it; empty for nothing.
  ///   - now: the time in milliseconds since 1970.
  /// - Throws: as ``BackupRun/run(as:note:keeping:)``, and ``BackupError/damagedLimit(path:)``.
  package func backUp(_ store: Store, note: String = "", now: Int64) throws -> BackupRun.Report {
    StoreReplacement(storePath: store.path).cleanUp(now: now)
    let most = try home.backupLimit()
    let files = try sealed()
    try encryptBackupsAgain(files)
    let report = try BackupRun(store, with: files, now: now).run(
      as: (device, displayName), note: note, keeping: most)
    if case .backup(let name) = report.entry.path {
      try home.keep(ownBackups: home.ownBackups() + [name])
    }
    return report
  }

  /// Encrypts the backups of this device to the current key, after a device was removed. Those of
  /// other devices stay: each of them knows which ones it made.
  func encryptBackupsAgain(_ files: SealedFolder) throws {
    var own = home.ownBackups()
    guard !own.isEmpty else { return }
    let list = try files.list()
    own.removeAll { list.sizes[.backup($0)] == nil && !list.awaited.contains(.backup($0)) }
    for (index, name) in own.enumerated() {
      do {
        _ = try files.payload(of: .backup(name))
      } catch SyncFileError.olderKey {
        let payload = try files.payloadsOfAnyKey(of: .backup(name))[0]
        var random = SystemRandomNumberGenerator()
        let new = FileName(number: random.next())
        try files.write(payload, to: .backup(new))
        own[index] = new
        try home.keep(ownBackups: own)
        try files.remove(.backup(name))
      } catch {
        // It is reported when the backups are read.
        continue
      }
    }
    if own != home.ownBackups() { try home.keep(ownBackups: own) }
  }

  /// Sets how many backups of this device are kept.
  package func keep(backups number: Int) throws { try home.keep(backupLimit: number) }

  /// Reads all files of all backups, or of one.
  ///
  /// - Parameter store: the store; nil if there is none. Its next sync or backup writes the damaged
  ///   files again, as far as it has what was in them.
  /// - Throws: ``BackupError``, `DatabaseError`, `CancellationError`.
  package func verify(
    _ selector: String? = nil, store: Store?
  ) throws -> (verification: BackupVerification, catalog: BackupCatalog) {
    let files = try sealed()
    let catalog = try BackupCatalog(files)
    let entries = try selector.map { [try catalog.entry($0)] } ?? catalog.entries
    let found = try BackupVerification(entries, of: catalog, in: files)
    // What was found is reported even if the store cannot note it.
    if let store { try? request(found, from: store, files) }
    return (found, catalog)
  }

  /// Lets a store write damaged files again.
  private func request(
    _ found: BackupVerification, from store: Store, _ files: SealedFolder
  ) throws {
    guard let known = try known(store, files) else { return }
    let before = known.requests[known.device] ?? []
    let damaged = before.subtracting(found.paths).union(found.damaged)
    guard damaged != before else { return }
    try store.write { session in
      guard let stored = try session.history.syncState() else { return }
      var state = try LocalState(bytes: stored.state)
      state.requests[state.device] = damaged.isEmpty ? nil : damaged
      try session.setSyncState((stored.sealedChunk, state.bytes))
    }
  }

  /// Removes a backup of any device, and the files that nobody else needs.
  ///
  /// - Parameters:
  ///   - selector: as ``BackupCatalog/entry(_:)``; of one that cannot be read, its code.
  ///   - store: the store; nil if there is none.
  /// - Returns: its date, or its code if it cannot be read; the number of files removed, nil if it
  ///   cannot be read, which leaves its files to the next sync; and whether files stay because not
  ///   everything in the folder can be read.
  /// - Throws: ``BackupError``.
  package func removeBackup(
    _ selector: String, store: Store?
  ) throws -> (name: String, filesRemoved: Int?, isIncomplete: Bool) {
    let files = try sealed()
    let catalog = try BackupCatalog(files)
    if let path = catalog.unreadable(selector) {
      try files.remove(path)
      return (path.code, nil, true)
    }
    let entry = try catalog.entry(selector)
    let result = try BackupRemoval(files, catalog, shared: known(store, files)?.shared).remove(
      [entry], isPostponing: false)
    return (entry.date, result.filesRemoved, result.isIncomplete)
  }

  /// Adds what a backup has to the store, as if a device with that state were synced. Nothing that
  /// was forgotten comes back.
  ///
  /// - Returns: a report that has the files that are missing or damaged.
  /// - Throws: as ``SyncRun/run(as:isDryRun:)``.
  package func merge(
    _ entry: BackupCatalog.Entry, into store: Store, now: Int64
  ) throws -> RestoreReport {
    StoreReplacement(storePath: store.path).cleanUp(now: now)
    let files = try sealed()
    var report = RestoreReport(entry: entry)
    report.sync = try SyncRun(store, with: files, now: now, restoring: entry.manifest.state).run(
      as: (device, displayName))
    // Only now does the store's state have what was forgotten since the last sync. The merge has
    // succeeded, even if this cannot be counted.
    if let state = try? known(store, files) {
      report.forgottenSince = Self.forgottenSince(entry, statesOfDevices(files) + [state.shared])
    }
    return report
  }

  /// Replaces the store by what a backup has. The old store is kept for a day.
  ///
  /// The store must not be open. The new one knows of the folder what the backup says: the next
  /// sync takes what the devices have said since.
  ///
  /// - Parameters:
  ///   - storePath: the path of the store, which need not exist.
  ///   - present: opens the present store to ask what it knows; nil if it cannot be opened.
  ///   - opening: makes a new store at a path.
  /// - Throws: ``BackupError``, `DatabaseError`; the store is then unchanged.
  package func replace(
    _ storePath: String, with entry: BackupCatalog.Entry, now: Int64,
    present: () -> Store?, opening: (_ path: String) throws -> Store
  ) throws -> RestoreReport {
    let files = try sealed()
    var report = RestoreReport(entry: entry)
    _ = try files.list()
    // It is closed here.
    let old = look(at: present(), files)
    var states = statesOfDevices(files)
    if let known = old.known { states.append(known.shared) }
    report.forgottenSince = Self.forgottenSince(entry, states)
    states.append(entry.manifest.state)
    report.unsynced = old.sources.map { sources in
      sources.count { name in !states.contains { $0.sources[name]?.present != nil } }
    }
    let replacement = StoreReplacement(storePath: storePath)
    replacement.cleanUp(now: now)
    let path = try replacement.newPath()
    do {
      report.keptFixes = try fill(opening, path, with: entry, from: files)
      report.kept = try replacement.replace(with: path, now: now)
    } catch {
      replacement.cleanUp(now: now)
      throw error
    }
    return report
  }

  /// Makes a new store and closes it.
  private func fill(
    _ opening: (String) throws -> Store, _ path: String, with entry: BackupCatalog.Entry,
    from files: SealedFolder
  ) throws -> Int {
    let store = try opening(path)
    return try RestoredStore(store, entry, from: files, as: (device, displayName)).fill()
  }

  /// What a store keeps about sharing through this folder; nil if that is nothing.
  private func known(_ store: Store?, _ files: SealedFolder) throws -> LocalState? {
    let stored = try store?.read { try $0.history.syncState() }
    guard let state = try stored.map({ try LocalState(bytes: $0.state) }),
      state.folder == files.name(ofSource: "folder")
    else { return nil }
    return state
  }

  /// What a store knows of the folder, and the names of its sources there; nil if that cannot be
  /// read.
  private func look(
    at store: Store?, _ files: SealedFolder
  ) -> (known: LocalState?, sources: [SourceName]?) {
    let records = try? store?.read { try $0.history.sourceRecords() }
    return (
      try? known(store, files), records?.map { files.name(ofSource: $0.source.sha256) }
    )
  }

  /// What the manifests in the folder say.
  private func statesOfDevices(_ files: SealedFolder) -> [SharedState] {
    var states: [SharedState] = []
    for case .manifest(let device, let counter) in files.listing.files.keys {
      let path = SyncPath.manifest(device, counter: counter)
      guard let payload = try? files.payload(of: path),
        let manifest = try? Manifest(payload: payload)
      else { continue }
      states.append(manifest.state)
    }
    return states
  }

  /// The number of sources of a backup that the store or any device has forgotten.
  private static func forgottenSince(
    _ entry: BackupCatalog.Entry, _ states: [SharedState]
  ) -> Int {
    entry.manifest.state.sources.keys.count { name in
      states.contains { $0.sources[name] == .forgotten }
    }
  }
}

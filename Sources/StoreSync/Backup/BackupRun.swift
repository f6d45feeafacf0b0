import GeoStore

/// Makes a backup of a store.
package struct BackupRun {
  /// What was done.
  package struct Report: Sendable {
    /// The backup.
    package let entry: BackupCatalog.Entry
    /// Number of source files that the folder lacked.
    package var filesWritten = 0
    /// The dates of older backups that were removed.
    package var expired: [String] = []
    /// Number of source files that were removed with them.
    package var filesRemoved = 0
    /// Whether older backups stay for now, because not everything in the folder can be read.
    package var isExpiryPostponed = false
  }

  private let store: Store
  private let files: any SyncFiles
  private let now: Int64
  /// How often a store that changes meanwhile is read.
  private static let attempts = 5

  /// - Parameter now: the time in milliseconds since 1970.
  package init(_ store: Store, with files: any SyncFiles, now: Int64) {
    (self.store, self.files, self.now) = (store, files, now)
  }

  /// Makes a backup: sends the files that the folder lacks, as a sync does, and names all files of
  /// the store. News of other devices are not taken over. Then removes the oldest backups of this
  /// device.
  ///
  /// - Parameters:
  ///   - device: the device that the store is, and its name for people.
  ///   - note: what a person notes about the backup; cut to ``TextLimit/note``.
  ///   - most: the number of backups of this device that are kept, at least 1.
  /// - Throws: ``BackupError/busy(path:)``, `DatabaseError`, and what the folder throws.
  package func run(
    as device: (name: DeviceName, displayName: String), note: String, keeping most: Int
  ) throws -> Report {
    for _ in 0..<Self.attempts {
      try Cancellation.current?.check()
      let sync = try SyncRun(store, with: OwnFiles(files: files, device: device.name), now: now)
        .run(as: device)
      guard let held = try hold() else { continue }
      let catalog = try BackupCatalog(files)
      let manifest = BackupManifest(
        device: device.name,
        displayName: PresentZone.cut(device.displayName, toBytes: TextLimit.displayName),
        number: (catalog.entries(of: device.name).last?.manifest.number ?? 0) + 1,
        writtenMilliseconds: now, note: PresentZone.cut(note, toBytes: TextLimit.note),
        keptFixes: held.keptFixes, settings: held.settings, state: held.state)
      var random = SystemRandomNumberGenerator()
      let path = SyncPath.backup(FileName(number: random.next()))
      try files.write(manifest.payload, to: path)
      var report = Report(entry: .init(path: path, manifest: manifest))
      report.filesWritten = sync.filesWritten + held.filesWritten
      try expire(keeping: max(1, most), of: device.name, &report)
      return report
    }
    throw BackupError.busy(path: store.path)
  }

  /// What the store holds; nil if it has changed since it was synced.
  private func hold() throws -> HeldState? {
    let list = try files.list()
    return try store.read { snapshot in
      guard let stored = try snapshot.history.syncState() else { return nil }
      let local = try LocalState(bytes: stored.state)
      WorkMeter.current?.begin(.writingFiles, of: local.held.count)
      return try HeldState(local, in: snapshot.history, files: files, list: list)
    }
  }

  private func expire(
    keeping most: Int, of device: DeviceName, _ report: inout Report
  ) throws {
    let catalog = try BackupCatalog(files)
    let old = catalog.entries(of: device).dropLast(most)
    guard !old.isEmpty else { return }
    let shared = try store.read { snapshot in
      try snapshot.history.syncState().map { try LocalState(bytes: $0.state).shared }
    }
    let result = try BackupRemoval(files, catalog, shared: shared).remove(
      Array(old), isPostponing: true)
    report.isExpiryPostponed = result.isIncomplete
    report.filesRemoved = result.filesRemoved
    if !result.isIncomplete { report.expired = old.map(\.date) }
  }
}

import GeoStore
import SQLiteLayer

/// Fills a new store with what a backup says.
struct RestoredStore {
  private let store: Store
  private let files: any SyncFiles
  private let entry: BackupCatalog.Entry
  private let device: SyncRun.Device

  /// - Parameter device: the device that the store becomes.
  init(
    _ store: Store, _ entry: BackupCatalog.Entry, from files: any SyncFiles,
    as device: SyncRun.Device
  ) {
    (self.store, self.entry, self.files, self.device) = (store, entry, files, device)
  }

  /// Fills the store in one transaction, and compares it with the backup.
  ///
  /// The store then knows of the folder what the backup says and nothing else. So the next sync
  /// takes what the devices have said since, and what was forgotten, removed or reset after the
  /// restoration is news of this device.
  ///
  /// - Returns: the number of its kept fixes.
  /// - Throws: ``BackupError/incomplete(backup:problems:)``,
  ///   ``BackupError/different(backup:detail:)``, `DatabaseError`.
  func fill() throws -> Int {
    let manifest = entry.manifest
    let list = try files.list()
    let held = try store.write { session in
      var local = LocalState(
        folder: files.name(ofSource: "folder"), device: device.name,
        displayName: device.displayName)
      // Before anything that depends on them.
      _ = try session.set(
        manifest.settings.mapValues {
          .some(SettingRecord(value: $0.value, changed: $0.changedMilliseconds))
        })
      local.settings = manifest.settings.filter { LocalState.isShared(setting: $0.key) }
        .mapValues(\.value)
      local.shared = manifest.state
      var apply = Apply(local, to: session, files: files, list, prefetched: [:], unreadable: [:])
      do {
        try apply.delete()
        try apply.run()
      } catch let error as UnreadableFile {
        throw BackupError.incomplete(
          backup: entry.date,
          problems: [BackupProblem(error.path, .damaged("\(error.underlying)"))])
      }
      guard apply.pending.isEmpty else { throw BackupError.incomplete(apply.pending, of: entry) }
      local = apply.local
      local.deletions = try session.history.deletions()
      local.activeMilliseconds = manifest.writtenMilliseconds
      try session.setSyncState((try local.sealedChunk(in: session.history), local.bytes))
      return local.held
    }
    store.eraseIfOwed()
    try compare(held)
    return try store.read { try $0.history.chunks().reduce(0) { $0 + $1.count } }
  }

  /// Compares what is stored now with the backup.
  private func compare(_ held: [SourceName: HeldSource]) throws {
    func fail(_ detail: String) -> BackupError { .different(backup: entry.date, detail: detail) }
    let sources = entry.manifest.state.sources
    guard held.count == sources.count else {
      throw fail("\(held.count) of \(sources.count) sources were stored")
    }
    try store.read { snapshot in
      for (name, source) in sources {
        try Cancellation.current?.check()
        guard let id = held[name]?.id, let pieces = held[name]?.pieces,
          let expected = source.present?.pieces, pieces.count == expected.count
        else { throw fail("the source \(name) is not whole") }
        for (number, piece) in pieces.enumerated() {
          let content = try StoredContent(
            piece.chunks, number: number, ofSource: id, in: snapshot.history
          ).content()
          guard content.digest == expected[number].version?.digest else {
            throw fail("the source \(name) has other contents")
          }
        }
      }
    }
    let check = try store.check(isQuick: true)
    guard check.isSound else {
      throw fail(check.steps.flatMap(\.differences).first ?? "the new file is damaged")
    }
  }
}

extension BackupError {
  fileprivate static func incomplete(
    _ pending: [PendingFile], of entry: BackupCatalog.Entry
  ) -> BackupError {
    .incomplete(
      backup: entry.date,
      problems: pending.map { file in
        switch file.reason {
        case .missing: BackupProblem(file.path, .missing)
        case .unreadable(let reason): BackupProblem(file.path, .damaged(reason))
        case .otherGrid: BackupProblem(file.path, .damaged("its cells have another grid"))
        }
      })
  }
}

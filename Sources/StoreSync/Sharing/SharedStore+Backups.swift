import Foundation
import Geodesy
import GeoStore

/// A dated backup in a sync folder: what a store held at one moment.
///
/// ```swift
/// import StoreSync
///
/// let shared = SharedStore(store, folder: "/Volumes/Drive/roqua", deviceName: "Laptop")
/// for backup in try await shared.backups() {
///   print(backup.date.iso8601, backup.device, "\(backup.keptFixes) fixes", backup.note)
/// }
/// ```
public struct StoreBackup: Hashable, Sendable {
  /// When it was made, by the clock of the device.
  public let date: Timestamp
  /// The device that made it, as people read it.
  public let device: String
  /// What a person noted about it; empty for nothing.
  public let note: String
  /// Number of sources.
  public let sources: Int
  /// Number of kept fixes.
  public let keptFixes: Int
  /// The size of its files in the folder in bytes. Other backups and the devices may need some of
  /// them too.
  public let byteCount: Int
  /// Its name in the folder: 16 hexadecimal digits.
  public let code: String

  init(_ entry: BackupCatalog.Entry) {
    let manifest = entry.manifest
    date = Timestamp(millisecondsSince1970: manifest.writtenMilliseconds)
    (device, note) = (manifest.displayName, manifest.note)
    sources = manifest.state.sources.count
    keptFixes = Int(clamping: manifest.keptFixes)
    byteCount = Int(clamping: entry.byteCount)
    code = entry.path.code
  }
}

/// Backups of a shared store.
extension SharedStore {
  /// Makes a dated backup in the folder, which has all that the store holds. The last five of each
  /// device are kept.
  ///
  /// ```swift
  /// import StoreSync
  ///
  /// let shared = SharedStore(store, folder: "/Volumes/Drive/roqua", deviceName: "Laptop")
  /// let backup = try await shared.backUp(note: "before the journey")
  /// print(backup.date.iso8601, backup.keptFixes)
  /// print(try await shared.verifyBackups())
  /// ```
  ///
  /// - Parameters:
  ///   - note: what a person notes about it; cut to 1,000 bytes of UTF-8.
  ///   - progress: called on the thread of the work.
  /// - Throws: as ``sync(fingerprint:recoveryKey:progress:)``, and an error that says what
  ///   is wrong with the backup.
  public func backUp(
    note: String = "", progress: (@Sendable (SharingProgress) -> Void)? = nil
  ) async throws -> StoreBackup {
    try await run(progress) { shared in
      StoreBackup(try shared.open().backUp(shared.store, note: note, now: Self.now).entry)
    }
  }

  /// Returns the backups of all devices that can be read, oldest first.
  ///
  /// - Throws: as ``sync(fingerprint:recoveryKey:progress:)``.
  public func backups() async throws -> [StoreBackup] {
    try await run(nil) { try $0.open(isReadOnly: true).backups().entries.map(StoreBackup.init) }
  }

  /// Reads every file of every backup, and returns what is missing or damaged: a line each, which
  /// names the file; none if all is well. The next sync or backup writes damaged files again, as
  /// far as the store has what was in them.
  ///
  /// - Complexity: O(bytes of the files).
  /// - Throws: as ``sync(fingerprint:recoveryKey:progress:)``.
  public func verifyBackups(
    progress: (@Sendable (SharingProgress) -> Void)? = nil
  ) async throws -> [String] {
    try await run(progress) { shared in
      let (found, catalog) = try shared.open(isReadOnly: true).verify(store: shared.store)
      let problems = catalog.problems + found.findings.flatMap(\.problems)
      return problems.map { "\($0)" }
    }
  }

  /// Adds what a backup has and the store lacks, as if a device in that state were synced. What was
  /// forgotten since stays forgotten.
  ///
  /// - Throws: as ``sync(fingerprint:recoveryKey:progress:)``, and an error that says what
  ///   is wrong with the backup.
  public func merge(
    _ backup: StoreBackup, progress: (@Sendable (SharingProgress) -> Void)? = nil
  ) async throws -> SyncChanges {
    try await run(progress) { shared in
      let folder = try shared.open()
      let entry = try folder.backups().entry(backup.code)
      let report = try folder.merge(entry, into: shared.store, now: Self.now)
      return report.sync?.changes ?? SyncChanges()
    }
  }

  /// Removes a backup, and its files that nothing else needs.
  ///
  /// - Throws: as ``sync(fingerprint:recoveryKey:progress:)``, and an error that says what
  ///   is wrong with the backup.
  public func remove(_ backup: StoreBackup) async throws {
    try await run(nil) { shared in
      _ = try shared.open().removeBackup(backup.code, store: shared.store)
    }
  }
}

import Geodesy
import GeoStore
import SQLiteLayer

/// Replacing a store by a backup. The store must not be open, in this program or another one.
extension SharedStore {
  /// Replaces a store by what a backup holds, and compares it with the backup. The old store is
  /// kept for a day.
  ///
  /// The next sync brings back what was added since, as far as the folder has it, and forgets what
  /// was forgotten since. What was never synced is only in the old store.
  ///
  /// ```swift
  /// import StoreSync
  ///
  /// let path = "/path/to/history.sqlite"
  /// func backup(of day: String) async throws -> StoreBackup? {
  ///   let shared = SharedStore(store, folder: "/Volumes/Drive/roqua", deviceName: "Laptop")
  ///   return try await shared.backups().last { $0.date.iso8601.hasPrefix(day) }
  /// }
  /// if let backup = try await backup(of: "2026-05-01") {
  ///   // Nothing has the store open any more.
  ///   try await SharedStore.replace(
  ///     path, with: backup, from: "/Volumes/Drive/roqua", deviceName: "Laptop")
  ///   print(try await SharedStore.bringBack(path))
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - storePath: the path of the store, which need not exist.
  ///   - backup: the backup.
  ///   - folder: the path of the sync folder, which the device has joined.
  ///   - deviceName: the name of this device that people read on the others.
  ///   - progress: called on the thread of the work.
  ///   - opening: opens the new store at its first path, to give its regions names; the default
  ///     gives none.
  /// - Returns: the path at which the old store is kept; nil if there was none.
  /// - Throws: `BackupError` if a file of the backup is missing or damaged, or the store is open;
  ///   ``SharingError``, `DatabaseError`, `CancellationError`. The store is then unchanged.
  /// - Complexity: O(bytes of the backup).
  @discardableResult
  public static func replace(
    _ storePath: String, with backup: StoreBackup, from folder: String, deviceName: String,
    progress: (@Sendable (SharingProgress) -> Void)? = nil,
    opening: @escaping @Sendable (String) throws -> Store = { path in
      try Store(path: path, creating: true)
    }
  ) async throws -> String? {
    try await Self.run(progress) {
      try checkIsUnlocked(storePath)
      let shared = try open(
        folder, ofStoreAt: storePath, deviceName: deviceName, isReadOnly: true)
      let entry = try shared.backups().entry(backup.code)
      return try shared.replace(
        storePath, with: entry, now: now,
        present: { try? Store(path: storePath, creating: false) }, opening: opening
      ).kept
    }
  }

  /// Brings back the store that was replaced last, and keeps the present one in its place.
  ///
  /// - Returns: when it was replaced.
  /// - Throws: `BackupError` if none is kept, or the store is open; ``SharingError/busy(path:)``,
  ///   `DatabaseError`.
  @discardableResult
  public static func bringBack(_ storePath: String) async throws -> Timestamp {
    try await Self.run(nil) {
      try checkIsUnlocked(storePath)
      return Timestamp(
        millisecondsSince1970: try StoreReplacement.bringBack(storePath: storePath, now: now))
    }
  }

  /// Checks that a store is not locked: its keys are locked with it, and new ones would take their
  /// place.
  private static func checkIsUnlocked(_ storePath: String) throws(DatabaseError) {
    if LockedFile.isLocked(path: storePath) { throw .locked(path: storePath) }
  }
}

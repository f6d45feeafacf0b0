import GeoStore
import SQLiteLayer

/// Sources of a store that were forgotten on a device that shares it, and imported again: the next
/// sync forgets them again, because forgetting is for ever.
package enum ForgottenSources {
  /// Returns the paths of the files that they came from, as they were imported.
  ///
  /// - Throws: `DatabaseError`, ``SyncFormatError``, and what reading the keys throws.
  package static func paths(
    in store: Store, home: SyncHome, sealing: any Sealing = AgeSealing()
  ) throws -> [String] {
    guard let ring = try home.ring() else { return [] }
    let keys = try FolderKeys(ring, sealing: sealing)
    return try store.read { snapshot in
      guard let stored = try snapshot.history.syncState() else { return [] }
      let local = try LocalState(bytes: stored.state)
      guard local.folder == keys.sourceName(sha256: "folder") else { return [] }
      let held = Set(local.held.values.map(\.id))
      return try snapshot.history.sourceRecords().compactMap { id, record in
        guard !held.contains(id),
          local.shared.sources[keys.sourceName(sha256: record.sha256)] == .forgotten,
          case .text(let path)? = record.columns.first
        else { return nil }
        return path
      }
    }
  }
}

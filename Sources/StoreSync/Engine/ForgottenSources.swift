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

  /// Returns those of some sources that the store had not shared yet. If it has forgotten one of
  /// them, and another device has the same, the next sync brings it back.
  ///
  /// - Throws: `DatabaseError`, ``SyncFormatError``, and what reading the keys throws.
  package static func unshared(
    _ ids: some Sequence<StoredSource.ID>, in store: Store, home: SyncHome,
    sealing: any Sealing = AgeSealing()
  ) throws -> [StoredSource.ID] {
    guard let ring = try home.ring() else { return Array(ids) }
    let keys = try FolderKeys(ring, sealing: sealing)
    let held = try store.read { snapshot -> Set<Int64> in
      guard let stored = try snapshot.history.syncState() else { return [] }
      let local = try LocalState(bytes: stored.state)
      guard local.folder == keys.sourceName(sha256: "folder") else { return [] }
      return Set(local.held.values.map(\.id))
    }
    return ids.filter { !held.contains($0) }
  }
}

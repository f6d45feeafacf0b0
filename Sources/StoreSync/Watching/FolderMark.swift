/// What says whether anything in a sync folder has changed: the names, sizes and times of all
/// files.
///
/// Notices of the operating system are not used: cloud drives and network file systems do not send
/// them.
package struct FolderMark: Hashable, Sendable {
  private let count: Int
  /// The sum of the hashes of the files, so that their order does not matter.
  private let sum: Int

  /// Describes what folders contain, by folder. Files that this program is writing do not count.
  package init(_ entries: [String: [SyncDirectoryEntry]]) {
    var (count, sum) = (0, 0)
    for (folder, entries) in entries {
      for entry in entries where !entry.name.hasPrefix(LocalSyncDirectory.partialPrefix) {
        count += 1
        // The size and the time of a folder say nothing about what is in it.
        var hasher = Hasher()
        hasher.combine(folder)
        hasher.combine(entry.name)
        hasher.combine(entry.isFile)
        hasher.combine(entry.isFile ? entry.byteCount : 0)
        hasher.combine(entry.isFile ? entry.modifiedMilliseconds : 0)
        sum &+= hasher.finalize()
      }
    }
    (self.count, self.sum) = (count, sum)
  }
}

extension SyncDirectory {
  /// The mark of what the folder contains now; nil if it cannot be listed.
  ///
  /// - Complexity: O(files).
  package func mark() -> FolderMark? {
    var found: [String: [SyncDirectoryEntry]] = [:]
    for folder in ["", SyncPath.keys, SyncPath.devices, SyncPath.sources, SyncPath.backups] {
      guard let entries = try? entries(of: folder) else { return nil }
      found[folder] = entries
    }
    return FolderMark(found)
  }
}

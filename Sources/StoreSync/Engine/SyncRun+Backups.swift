/// Which source files backups need.
extension SyncFiles {
  /// Returns the source files that the backups of the folder name; nil if that is not known,
  /// because a backup is not there yet or cannot be read.
  ///
  func filesOfBackups(
    in list: FileList, except left: Set<SyncPath> = []
  ) -> Set<SyncPath>? {
    var files: Set<SyncPath> = []
    for path in list.sizes.keys where path.kind == .backup && !left.contains(path) {
      guard let payload = try? payloadsOfAnyKey(of: path)[0],
        let manifest = try? BackupManifest(payload: payload)
      else { return nil }
      files.formUnion(manifest.files.keys)
    }
    return list.isAwaitingBackup ? nil : files
  }
}

import GeoStore

/// Removes backups, and the files that nobody needs any more.
struct BackupRemoval {
  /// What was removed.
  struct Result: Hashable, Sendable {
    /// Number of source files that were removed.
    var filesRemoved = 0
    /// Whether files were left because it is not known who needs them.
    var isIncomplete = false
  }

  private let files: any SyncFiles
  private let catalog: BackupCatalog
  /// What the store knows; nil if it shares nothing.
  private let shared: SharedState?

  init(_ files: any SyncFiles, _ catalog: BackupCatalog, shared: SharedState?) {
    (self.files, self.catalog, self.shared) = (files, catalog, shared)
  }

  /// Removes backups. Of their files, those go that no device and no other backup names. They go
  /// first: a backup whose removal was interrupted can be removed again, while nobody would know
  /// its files without it.
  ///
  /// - Parameter isPostponing: whether to remove nothing at all if it is not known who needs the
  ///   files.
  func remove(_ entries: [BackupCatalog.Entry], isPostponing: Bool) throws -> Result {
    var result = Result()
    guard !entries.isEmpty else { return result }
    if let needed = neededFiles(without: Set(entries.map(\.path))) {
      let own = Set(entries.flatMap { $0.manifest.files.keys })
      for path in own.subtracting(needed).sorted(by: { $0.description < $1.description })
      where catalog.list.sizes[path] != nil {
        try files.remove(path)
        result.filesRemoved += 1
      }
    } else {
      result.isIncomplete = true
      if isPostponing { return result }
    }
    for entry in entries { try files.remove(entry.path) }
    return result
  }

  /// The source files that devices and other backups name; nil if that is not known, because not
  /// everything can be read.
  private func neededFiles(without left: Set<SyncPath>) -> Set<SyncPath>? {
    guard var needed = files.filesOfBackups(in: catalog.list, except: left) else { return nil }
    var states = [shared].compactMap { $0 }
    guard let manifests = files.manifests(in: catalog.list) else { return nil }
    states += manifests.map(\.state)
    for state in states {
      for (name, source) in state.sources {
        // What is forgotten anywhere is forgotten for ever.
        guard !states.contains(where: { $0.sources[name] == .forgotten }) else { continue }
        for file in source.files { needed.insert(.source(name, file.name)) }
      }
    }
    return needed
  }
}

extension SyncFiles {
  /// Returns all manifests of a folder, without those that are encrypted to a key of before; nil if
  /// one is not there yet or cannot be read.
  func manifests(in list: FileList) -> [Manifest]? {
    guard !list.awaited.contains(where: { $0.kind == .manifest }) else { return nil }
    var manifests: [Manifest] = []
    for path in list.sizes.keys where path.kind == .manifest {
      do {
        for payload in try payloads(of: path) { manifests.append(try Manifest(payload: payload)) }
      } catch SyncFileError.olderKey {
        // A device that was removed. What another such device has, it sends again once it syncs.
        continue
      } catch {
        return nil
      }
    }
    return manifests
  }
}

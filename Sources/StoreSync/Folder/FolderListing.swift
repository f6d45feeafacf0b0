/// What lies in a sync folder, by what it means.
package struct FolderListing: Hashable, Sendable {
  /// A file as it lies in the folder.
  package struct File: Hashable, Sendable {
    /// Its name, which is another one than the path's for a renamed copy.
    package var name: String
    /// Its size in bytes.
    package var byteCount: Int
    /// When it was last changed, in milliseconds since 1970, by the clock of whoever wrote it.
    package var modifiedMilliseconds: Int64
    /// Whether a program renamed it.
    package var isCopy: Bool
  }

  /// Why a file is not there yet.
  package enum Delay: Hashable, Sendable {
    /// A cloud drive has not downloaded it.
    case placeholder
    /// Another program is copying it.
    case arriving
  }

  /// A file that is not there yet.
  package struct AwaitedFile: Hashable, Sendable {
    /// The name of what is there instead.
    package var name: String
    /// When that was last changed, in milliseconds since 1970.
    package var modifiedMilliseconds: Int64
    /// Why it is not there.
    package var delay: Delay
  }

  /// A file that this program was writing when it ended, on this or another device.
  package struct PartialFile: Hashable, Sendable {
    /// Its folder.
    package var folder: String
    /// Its name.
    package var name: String
    /// When it was last changed, in milliseconds since 1970.
    package var modifiedMilliseconds: Int64
  }

  /// The files of each path that is there: the one with the path's own name first, then renamed
  /// copies by name. Any of them may be the one whose code is right.
  package private(set) var files: [SyncPath: [File]] = [:]
  /// The paths of which no file is there, but something says that one will be.
  package private(set) var awaited: [SyncPath: AwaitedFile] = [:]
  /// The names of what is there instead of files that are not there yet.
  package private(set) var delayed: [SyncPath: Set<String>] = [:]
  /// Files that were never completed.
  package private(set) var partials: [PartialFile] = []
  /// The paths of everything else, sorted. They are left alone.
  package private(set) var unknown: [String] = []

  /// The sizes that no file of a sync folder is below: a smaller one is still arriving.
  package static let smallestFile = Envelope.fewestBytes

  /// Creates a listing.
  ///
  /// - Parameter entries: what the folders contain, by folder; that of the empty name is the sync
  ///   folder itself.
  /// - Complexity: O(entries), and sorting copies.
  package init(_ entries: [String: [SyncDirectoryEntry]]) {
    files.reserveCapacity(entries.values.reduce(0) { $0 + $1.count })
    for (folder, entries) in entries {
      for entry in entries { add(entry, in: folder) }
    }
    for path in files.filter({ $0.value.count > 1 }).keys {
      files[path]?.sort {
        $0.isCopy == $1.isCopy
          ? $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) : !$0.isCopy
      }
    }
    awaited = awaited.filter { files[$0.key] == nil }
    partials.sort { ($0.folder, $0.name) < ($1.folder, $1.name) }
    unknown.sort()
  }

  private mutating func add(_ entry: SyncDirectoryEntry, in folder: String) {
    let found = FoundName(entry.name, in: folder)
    switch found {
    case .file(let path) where entry.isFile, .copy(let path) where entry.isFile:
      guard entry.byteCount >= Self.smallestFile else {
        return wait(for: path, entry, entry.byteCount == 0 ? .placeholder : .arriving)
      }
      var isCopy = false
      if case .copy = found { isCopy = true }
      files[path, default: []].append(
        File(
          name: entry.name, byteCount: entry.byteCount,
          modifiedMilliseconds: entry.modifiedMilliseconds, isCopy: isCopy))
    case .placeholder(let path) where entry.isFile: wait(for: path, entry, .placeholder)
    case .arriving(let path) where entry.isFile: wait(for: path, entry, .arriving)
    case .partial where entry.isFile:
      partials.append(
        PartialFile(
          folder: folder, name: entry.name, modifiedMilliseconds: entry.modifiedMilliseconds))
    case .ignored: break
    default: unknown.append(folder.isEmpty ? entry.name : folder + "/" + entry.name)
    }
  }

  private mutating func wait(for path: SyncPath, _ entry: SyncDirectoryEntry, _ delay: Delay) {
    delayed[path, default: []].insert(entry.name)
    let file = AwaitedFile(
      name: entry.name, modifiedMilliseconds: entry.modifiedMilliseconds, delay: delay)
    // Of several signs, the latest one counts, whatever their order.
    if let other = awaited[path],
      (other.modifiedMilliseconds, other.name) >= (file.modifiedMilliseconds, file.name)
    {
      return
    }
    awaited[path] = file
  }

  /// The key files, in the order of their numbers.
  package var keys: [SyncPath] {
    files.keys.compactMap { path in
      if case .key(let number, let name) = path { (number, name, path) } else { nil }
    }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }

  /// The counters of the manifests of each device, in ascending order.
  package var manifests: [DeviceName: [UInt64]] {
    var counters: [DeviceName: [UInt64]] = [:]
    for case .manifest(let device, let counter) in files.keys {
      counters[device, default: []].append(counter)
    }
    return counters.mapValues { $0.sorted() }
  }

  /// The names of the files of each source, in ascending order.
  package var sources: [SourceName: [FileName]] {
    var names: [SourceName: [FileName]] = [:]
    for case .source(let source, let name) in files.keys { names[source, default: []].append(name) }
    return names.mapValues { $0.sorted() }
  }

  /// The backups, in the order of their names.
  package var backups: [SyncPath] {
    files.keys.filter { $0.kind == .backup }.sorted { $0.name < $1.name }
  }
}

extension SyncDirectory {
  /// Lists the sync folder and its four folders.
  ///
  /// - Throws: ``SyncDirectoryError``.
  package func listing() throws(SyncDirectoryError) -> FolderListing {
    var found: [String: [SyncDirectoryEntry]] = [:]
    for folder in ["", SyncPath.keys, SyncPath.devices, SyncPath.sources, SyncPath.backups] {
      found[folder] = try entries(of: folder)
    }
    return FolderListing(found)
  }
}

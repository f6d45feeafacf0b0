/// Which files a sync folder has, as far as their names and sizes say.
package struct FileList: Hashable, Sendable {
  /// The sizes in bytes of the files of each path; of a path that a program copied under other
  /// names, there are several.
  package var sizes: [SyncPath: [UInt64]] = [:]
  /// The paths of which no file is there, but something says that one will be, such as the
  /// placeholder of a cloud drive.
  package var awaited: Set<SyncPath> = []

  /// Those of them that are there under their own name, and too small.
  package var cut: Set<SyncPath> = []
  /// The other names of files that programs or devices copied, also if they have not arrived.
  package var copies: [SyncPath: Set<String>] = [:]

  /// Creates a list.
  package init(sizes: [SyncPath: [UInt64]] = [:], awaited: Set<SyncPath> = []) {
    (self.sizes, self.awaited) = (sizes, awaited)
  }

  /// Creates the list of a folder.
  ///
  /// - Complexity: O(files).
  package init(_ listing: FolderListing) {
    sizes = listing.files.mapValues { $0.map { UInt64($0.byteCount) } }
    cut = Set(
      listing.awaited.filter { $1.delay == .arriving && $1.name == $0.name }.keys)
    copies = listing.delayed
    for (path, files) in listing.files where files.contains(where: \.isCopy) {
      copies[path, default: []].formUnion(files.filter(\.isCopy).map(\.name))
    }
    let files = listing.files.values.joined().map(\.modifiedMilliseconds)
    let newest = (files + listing.awaited.values.map(\.modifiedMilliseconds)).max() ?? 0
    awaited = Set(
      listing.awaited.filter { path, file in
        // A file of that name that stays too small is not on its way any more.
        file.name != path.name
          || newest - file.modifiedMilliseconds < Self.arrivalMilliseconds
      }.keys)
  }

  /// The time in which a file that is too small arrives: an hour.
  private static let arrivalMilliseconds: Int64 = 3_600_000

  /// Whether a file that is whole by its size is there.
  func has(_ path: SyncPath, byteCount: UInt64) -> Bool {
    sizes[path]?.contains(byteCount) ?? false
  }

  /// Whether a device has written a copy of a file that was found damaged.
  func hasCopy(of path: SyncPath, by device: DeviceName) -> Bool {
    // A program may have added to the name, or changed the case of letters.
    copies[path]?.contains { $0.lowercased().contains(SyncPath.copyMark(of: device)) } ?? false
  }

  /// Whether the folder has a source file, though it may not have arrived on this device.
  func hasOrAwaits(_ file: FileReference, of name: SourceName) -> Bool {
    let path = SyncPath.source(name, file.name)
    return has(path, byteCount: file.byteCount) || !awaited.isEmpty && awaited.contains(path)
  }

  /// Whether a backup is not there yet.
  var isAwaitingBackup: Bool { awaited.contains { $0.kind == .backup } }

  /// The counters of the manifests of each device, and of those that have not arrived.
  var manifests: [DeviceName: (here: [UInt64], awaited: [UInt64])] {
    var found: [DeviceName: (here: [UInt64], awaited: [UInt64])] = [:]
    for case .manifest(let device, let counter) in sizes.keys {
      found[device, default: ([], [])].here.append(counter)
    }
    for case .manifest(let device, let counter) in awaited {
      found[device, default: ([], [])].awaited.append(counter)
    }
    return found
  }
}

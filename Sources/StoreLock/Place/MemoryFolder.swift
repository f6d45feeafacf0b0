import ByteStreams
import Foundation
import SQLiteLayer

/// The folder in memory into which a store is unlocked. Its name follows from the path of the
/// store, so that the next program finds what a killed one left.
struct MemoryFolder {
  /// The folder.
  let path: String
  /// The store in it.
  var file: String { FilePath(path).appending(StoreFile.storeName) }

  /// Space that a store needs besides itself: its log, and what is added to it.
  private static let spareBytes = 16 << 20

  /// The folders of the system in memory: `$XDG_RUNTIME_DIR`, which is private to the user, and
  /// `/dev/shm`.
  static func parents(runtimeFolder: String?) -> [String] {
    (runtimeFolder.map { $0.hasPrefix("/") ? [$0] : [] } ?? []) + ["/dev/shm"]
  }

  /// The folders in which a killed program may have left something.
  static func all(of store: String, in parents: [String]) -> [MemoryFolder] {
    parents.map { MemoryFolder(path: FilePath($0).appending(name(of: store))) }
  }

  /// Chooses a folder with space for a store, and creates it.
  ///
  /// - Throws: ``LockError/noMemory(bytes:)`` and ``LockError/stray(path:)``.
  static func make(
    for store: String, bytes: Int, in parents: [String]
  ) throws(LockError) -> MemoryFolder {
    for parent in parents where isInMemory(parent, free: bytes + spareBytes) {
      let folder = MemoryFolder(path: FilePath(parent).appending(name(of: store)))
      guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST,
        LockedFile.isPrivate(folder: folder.path)
      else { continue }
      // A complete store without the link to it: somebody removed the link.
      guard LockPlace.kind(of: folder.file) == nil else { throw .stray(path: folder.file) }
      return folder
    }
    throw .noMemory(bytes: bytes)
  }

  /// Removes what a killed program left, but no complete store.
  func removeLeftovers() {
    guard LockedFile.isPrivate(folder: path) else { return }
    PartialFile.removeAbandoned(of: file)
    guard LockPlace.kind(of: file) == nil else { return }
    let sync = file + StoreFile.syncFolder
    for name in PartialFile.names(in: sync) { unlink(FilePath(sync).appending(name)) }
    rmdir(sync)
    for name in PartialFile.names(in: path) where name.hasPrefix(StoreFile.storeName) {
      unlink(FilePath(path).appending(name))
    }
    rmdir(path)
  }

  private static func name(of store: String) -> String {
    let place = FilePath(store)
    let full = FilePath(FilePath(place.folder).resolved).appending(place.name)
    return "roqua-\(geteuid())-" + SHA256.hexadecimal(of: Array(full.utf8)).prefix(16)
  }

  /// Whether the files of a folder are in memory, and at least `bytes` bytes are free.
  private static func isInMemory(_ path: String, free bytes: Int) -> Bool {
    var status = statvfs()
    guard statvfs(path, &status) == 0,
      Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize)) >= bytes
    else { return false }
    #if os(Linux)
      let mounts = (try? FilePath("/proc/self/mounts").contents()) ?? []
      return fileSystem(of: FilePath(path).resolved, String(decoding: mounts, as: UTF8.self))
        == "tmpfs"
    #else
      return false
    #endif
  }

  /// Returns the type of the file system that a path is on, given the table of mounts (proc(5)):
  /// that of the innermost mount, and of several at one place the last.
  static func fileSystem(of path: String, _ mounts: String) -> String? {
    var (best, type): (Int, String?) = (0, nil)
    for line in mounts.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 2 else { continue }
      let folder = fields[1] == "/" ? "/" : fields[1] + "/"
      guard (path + "/").hasPrefix(folder), folder.utf8.count >= best else { continue }
      (best, type) = (folder.utf8.count, String(fields[2]))
    }
    return type
  }
}

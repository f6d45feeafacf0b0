import Foundation

/// What says whether any process has changed a store: the identity, size and time of its file and
/// of SQLite's log next to it. No lock is taken, and the file is not opened.
package struct StoreMark: Hashable, Sendable {
  private struct File: Hashable, Sendable {
    let device, inode: UInt64
    let size: Int64
    let seconds, nanoseconds: Int

    init?(_ path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      #if canImport(Darwin)
        let time = status.st_mtimespec
      #else
        let time = status.st_mtim
      #endif
      (device, inode) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
      size = Int64(status.st_size)
      (seconds, nanoseconds) = (Int(time.tv_sec), Int(time.tv_nsec))
    }
  }

  private let store, log: File?

  /// The mark of a store now. A store that does not exist has one too.
  package init(storePath: String) {
    store = File(storePath)
    // An empty log appears and disappears with whoever reads the store.
    log = File(storePath + "-wal").flatMap { $0.size == 0 ? nil : $0 }
  }
}

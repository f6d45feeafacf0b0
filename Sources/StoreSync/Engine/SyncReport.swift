/// What happened in a sync.
package struct SyncReport: Sendable {
  /// What changed in the store.
  package var changes = SyncChanges()
  /// The files that are needed and cannot be used now.
  package var pending: [PendingFile] = []
  /// Devices whose manifests are older than those that were read before: the folder went backwards.
  package var rolledBack: [DeviceName] = []
  /// Devices that have not synced since a device was removed. What they wrote since they were read
  /// last counts once they do.
  package var outdated: [DeviceName] = []
  /// Files that cannot be believed, and why.
  package var unreadable: [SyncPath: String] = [:]
  /// Whether another store syncs with the keys of this device.
  package var hasTwin = false
  /// The exploration radius of the other devices in meters, if this store keeps another one because
  /// its sources came with cells; 0 for the default.
  package var refusedRadiusMeters: Double?
  /// The devices that were read so far, with what they said of themselves.
  package var seen: [DeviceName: SeenDevice] = [:]
  /// The counters of the manifests of other devices that were read.
  package var read: [DeviceName: UInt64] = [:]
  /// Whether files that nothing needs stay, because a backup cannot be read.
  package var keepsFiles = false
  /// Number of source files written, or sources of which files would be written.
  package var filesWritten = 0
  /// Number of files removed that nothing needs any more.
  package var filesRemoved = 0
  /// Whether a manifest was written.
  package var wroteManifest = false
  /// Number of files read.
  package var filesRead = 0

  /// Creates the report of a sync that did nothing.
  package init() {}

  /// Creates a report of what was read.
  init(_ reading: ManifestReading, _ look: Look) {
    (rolledBack, outdated) = (reading.rolledBack, reading.outdated)
    (unreadable, hasTwin) = (reading.unreadable, reading.hasTwin)
    filesRead = reading.filesRead
    (seen, read) = (look.local.seen, look.local.read)
    pending = reading.awaited.map { PendingFile(path: $0, reason: .missing) }
    refusedRadiusMeters = look.refusedRadiusMeters
  }
}

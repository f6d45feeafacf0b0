/// What a store keeps about sharing its history: what the devices know, as far as they sent it, and
/// which of it the store has.
package struct LocalState: Hashable, Sendable {
  /// What identifies the folder: a name under its key. All other names are meaningless in
  /// another folder.
  package var folder: SourceName
  /// The device that the store is.
  package var device: DeviceName
  /// The name of the device for people.
  package var displayName: String
  /// The number of the last manifest that this device decided to write.
  package var counter: UInt64 = 0
  /// The digest of that manifest.
  package var manifest = Digest(high: 0, low: 0)
  /// The digest of what that manifest said besides what is shared: the key to which it is
  /// encrypted, and the files that this device could not read.
  package var mark = Digest(high: 0, low: 0)
  /// When this device last found a change of the store, in milliseconds since 1970.
  package var activeMilliseconds: Int64 = 0
  /// The numbers of the last manifests of other devices that were read.
  package var read: [DeviceName: UInt64] = [:]
  /// When other devices wrote those manifests, and when their stores last changed, by their clocks.
  package var seen: [DeviceName: SeenDevice] = [:]
  /// The files that devices found damaged, as their last manifests say. Those of this device are
  /// from its last verification of backups.
  package var requests: [DeviceName: Set<SyncPath>] = [:]
  /// The number of deletions in the store (`revision.deletions`) when the contents of the held
  /// pieces were compared last.
  package var deletions: Int64 = -1
  /// All that is known.
  package var shared = SharedState()
  /// The files that nothing names any more. They are removed from the folder, also if they arrive
  /// there later, or if the program ended before it could remove them.
  package var obsolete: [SourceName: Set<FileName>] = [:]
  /// The sources of the store.
  package var held: [SourceName: HeldSource] = [:]
  /// The settings of the store, as they were last seen.
  package var settings: [String: Double] = [:]
  /// The privacy zones of the store, as they were last seen.
  package var zones: Set<ZoneName> = []

  /// Creates the state of a store that has shared nothing.
  package init(folder: SourceName, device: DeviceName, displayName: String) {
    (self.folder, self.device, self.displayName) = (folder, device, displayName)
  }
}

/// What a device said of itself in its last manifest.
package struct SeenDevice: Hashable, Sendable {
  /// When it wrote the manifest, in milliseconds since 1970.
  package var writtenMilliseconds: Int64
  /// When its store last changed, in milliseconds since 1970.
  package var activeMilliseconds: Int64
}

/// A source that is in the store and shared.
package struct HeldSource: Hashable, Sendable {
  /// Its number in the store.
  package var id: Int64
  /// The generation that the store has.
  package var generation: UInt64
  /// The digest of its row.
  package var row: Digest
  /// Its pieces, by number.
  package var pieces: [HeldPiece]
}

/// A piece that is in the store.
package struct HeldPiece: Hashable, Sendable {
  /// Its chunks of kept fixes; nil if it has none.
  package var chunks: ClosedRange<Int64>?
  /// The digest of what the store has of it as packed there, which is quick to compare.
  package var stored: Digest
  /// The digest of its content.
  package var content: Digest
  /// The number of its fixes, cells and regions.
  package var count: UInt64
}

/// A file of the folder that cannot be used now.
package struct PendingFile: Hashable, Sendable {
  /// Why not.
  package enum Reason: Hashable, Sendable {
    /// It is not there, or not whole, yet.
    case missing
    /// It cannot be believed.
    case unreadable(String)
    /// Its cells belong to the grid of another exploration radius, in meters.
    case otherGrid(radiusMeters: Double)
  }

  /// The file.
  package let path: SyncPath
  /// Why it cannot be used.
  package let reason: Reason
}

/// A file that turned out to be unreadable while it was applied.
struct UnreadableFile: Error {
  let path: SyncPath
  let underlying: any Error
}

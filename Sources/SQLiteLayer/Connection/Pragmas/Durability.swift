/// The effect of a power cut. A crash of the program loses nothing with either choice, and the
/// database is never damaged.
///
/// ```swift
/// var options = StoreOptions()
/// options.durability = .full
/// let store = try Store(path: "tracks.roqua", creating: true, options: options)
/// ```
public enum Durability: String, Sendable {
  /// The last transactions may be lost, because the write-ahead log is synced only at checkpoints.
  /// Lost data can be imported again from its file.
  case normal = "NORMAL"
  /// No finished transaction is lost, because each waits for the disk. For recordings, which have
  /// no file.
  case full = "FULL"
}

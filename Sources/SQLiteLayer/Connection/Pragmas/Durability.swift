/// What a power cut may take. A crash of the program takes nothing, whatever is chosen, and the
/// database is never damaged.
///
/// ```swift
/// var options = StoreOptions()
/// options.durability = .full
/// let store = try Store(path: "tracks.roqua", creating: true, options: options)
/// ```
public enum Durability: String, Sendable {
  /// The last transactions may be lost: the write-ahead log reaches the disk at its checkpoints.
  /// What was lost is imported again from its file.
  case normal = "NORMAL"
  /// No finished transaction is lost: each waits for the disk. For recordings that have no file.
  case full = "FULL"
}

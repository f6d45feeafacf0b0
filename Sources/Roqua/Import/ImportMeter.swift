import Synchronization

/// How far an import is: counted while it runs, to be asked from any thread.
public final class ImportMeter: Sendable {
  /// What has been done at one moment, and of how much.
  public struct Reading: Hashable, Sendable {
    /// Files that are done with: imported, refused or passed over. An archive is one.
    public var filesDone = 0
    /// Files that were found.
    public var filesFound = 0
    /// Bytes read, as they lie on the disk; ahead of what is stored by the files that decoders have read.
    public var bytesRead = 0
    /// Bytes of all files; nil where that is not known, because one of them is a pipe.
    public var bytesFound: Int?
    /// Track points decoded.
    public var points = 0

    /// The share of the bytes that are read, 0...1; nil where their number is not known.
    public var share: Double? {
      guard let bytesFound, bytesFound > 0 else { return nil }
      return min(1, max(0, Double(bytesRead) / Double(bytesFound)))
    }
  }

  private let state = Mutex(Reading())

  /// A meter that has seen nothing yet.
  public init() {}

  /// How far it is now.
  public var reading: Reading { state.withLock { $0 } }

  func begin(_ files: [FoundFile]) {
    let sizes = files.map { $0.failure == nil ? $0.byteCount : 0 }
    state.withLock {
      $0.filesFound += files.count
      $0.bytesFound = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
    }
  }

  func add(bytes: Int = 0, points: Int = 0) {
    state.withLock {
      $0.bytesRead += bytes
      $0.points += points
    }
  }

  func finishFile() { state.withLock { $0.filesDone += 1 } }
}

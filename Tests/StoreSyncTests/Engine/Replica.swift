import ByteStreams
import TestSupport

@testable import StoreSync

/// What one device sees of a sync folder whose files travel slowly.
final class Replica: SyncFiles {
  /// What is known of a file: its contents, or nil once it was removed, and how often it was
  /// written or removed.
  private struct Version {
    var number = 0
    var payload: [UInt8]?
    /// Whether it is there in part only.
    var isHalf = false
    /// Whether a cloud drive has not downloaded it.
    var isPlaceholder = false
  }

  private var versions: [SyncPath: Version] = [:]
  /// The number of writes after which the next one fails; nil for never.
  var failsAfter: Int?

  struct Failed: Error {}

  /// The paths of the files that are there.
  var visible: Set<SyncPath> { Set(versions.filter { $0.value.payload != nil }.keys) }

  var currentKey: Digest { Digest(high: 1, low: 1) }

  func list() -> FileList {
    var list = FileList()
    for (path, version) in versions {
      guard let payload = version.payload else { continue }
      if version.isPlaceholder {
        list.awaited.insert(path)
      } else {
        list.sizes[path] = [fileSize(forPayload: payload.count) - (version.isHalf ? 7 : 0)]
      }
    }
    return list
  }

  func payloads(of path: SyncPath) throws -> [[UInt8]] {
    guard let version = versions[path], let payload = version.payload, !version.isHalf,
      !version.isPlaceholder
    else { throw Failed() }
    return [payload]
  }

  func write(_ payload: [UInt8], to path: SyncPath) throws {
    if let left = failsAfter {
      if left == 0 { throw Failed() }
      failsAfter = left - 1
    }
    versions[path] = Version(number: (versions[path]?.number ?? 0) + 1, payload: payload)
  }

  func remove(_ path: SyncPath) {
    guard let version = versions[path], version.payload != nil else { return }
    versions[path] = Version(number: version.number + 1)
  }

  func fileSize(forPayload byteCount: Int) -> UInt64 { UInt64(byteCount + 200) }

  func name(ofSource sha256: String) -> SourceName {
    let hash = SHA256.digest(of: Array(sha256.utf8))
    return SourceName(bytes: hash.prefix(16)) ?? SourceName(high: 0, low: 0)
  }

  func name(ofPayload payload: [UInt8]) -> FileName {
    FileName(bytes: SHA256.digest(of: payload).prefix(8)) ?? FileName(number: 0)
  }

  /// Takes some of what another replica has written and removed.
  func pull(from other: Replica, all: Bool, using random: inout SplitMix64) {
    for (path, theirs) in other.versions.sorted(by: { $0.key.description < $1.key.description }) {
      let own = versions[path] ?? Version()
      guard !theirs.isHalf, !theirs.isPlaceholder,
        theirs.number > own.number
          || theirs.number == own.number && (own.isHalf || own.isPlaceholder),
        all || Int.random(in: 0..<3, using: &random) > 0
      else { continue }
      var taken = theirs
      if !all, taken.payload != nil {
        taken.isHalf = Int.random(in: 0..<8, using: &random) == 0
        taken.isPlaceholder = !taken.isHalf && Int.random(in: 0..<8, using: &random) == 0
      }
      versions[path] = taken
    }
  }

  /// Takes one file as another replica has it.
  func pull(_ path: SyncPath, from other: Replica) {
    guard let theirs = other.versions[path], theirs.number > versions[path]?.number ?? 0 else {
      return
    }
    versions[path] = theirs
  }
}

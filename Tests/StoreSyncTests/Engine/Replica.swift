import ByteStreams
import TestSupport

@testable import StoreSync

/// What one device sees of a sync folder whose files travel slowly.
final class Replica: SyncFiles {
  /// The files that are there. A file of which a part is missing has fewer bytes than it should.
  var visible: [SyncPath: [UInt8]] = [:]
  /// Files that are there in part only.
  var halves: Set<SyncPath> = []
  /// Files that this device has removed: they are removed elsewhere too.
  var removed: Set<SyncPath> = []
  /// The number of writes after which the next one fails; nil for never.
  var failsAfter: Int?

  struct Failed: Error {}

  func list() -> [SyncPath: UInt64] {
    var listing = visible.mapValues { fileSize(forPayload: $0.count) }
    for half in halves { listing[half]? -= 7 }
    return listing
  }

  func payload(of path: SyncPath) throws -> [UInt8] {
    guard let payload = visible[path], !halves.contains(path) else { throw Failed() }
    return payload
  }

  func write(_ payload: [UInt8], to path: SyncPath) throws {
    if let left = failsAfter {
      if left == 0 { throw Failed() }
      failsAfter = left - 1
    }
    halves.remove(path)
    visible[path] = payload
    removed.remove(path)
  }

  func remove(_ path: SyncPath) {
    if visible.removeValue(forKey: path) != nil { removed.insert(path) }
    halves.remove(path)
  }

  func fileSize(forPayload byteCount: Int) -> UInt64 { UInt64(byteCount + 200) }

  func name(ofSource sha256: String) -> SourceName {
    let hash = SHA256.digest(of: Array(sha256.utf8))
    return SourceName(bytes: hash.prefix(16)) ?? SourceName(high: 0, low: 0)
  }

  func name(ofPayload payload: [UInt8]) -> FileName {
    FileName(bytes: SHA256.digest(of: payload).prefix(8)) ?? FileName(number: 0)
  }

  /// Takes some of the files that another replica has, and removes some of those that it removed.
  func pull(from other: Replica, all: Bool, using random: inout SplitMix64) {
    for (path, payload) in other.visible.sorted(by: { $0.key.description < $1.key.description }) {
      guard visible[path] == nil || halves.contains(path), !removed.contains(path),
        !other.halves.contains(path)
      else { continue }
      guard all || Int.random(in: 0..<3, using: &random) > 0 else { continue }
      visible[path] = payload
      if !all, Int.random(in: 0..<8, using: &random) == 0 {
        halves.insert(path)
      } else {
        halves.remove(path)
      }
    }
    for path in other.removed.sorted(by: { $0.description < $1.description }) {
      guard all || Bool.random(using: &random) else { continue }
      if visible.removeValue(forKey: path) != nil { removed.insert(path) }
      halves.remove(path)
    }
  }
}

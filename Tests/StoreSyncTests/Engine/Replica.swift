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
    /// Whether a byte of it changed on the way. No program notices.
    var isDamaged = false
  }

  /// A path, and the name of a copy.
  private struct Name: Hashable, Comparable {
    let path: SyncPath
    var copy: String?

    private var text: String { path.description + (copy ?? "") }
    static func < (one: Self, other: Self) -> Bool { one.text < other.text }
  }

  private var versions: [Name: Version] = [:]
  /// The number of writes after which the next one fails; nil for never.
  var failsAfter: Int?

  /// Whether files that arrive may be damaged on the way.
  var isDamaging = false

  struct Failed: Error {}

  /// The paths of the files that are there.
  var visible: Set<SyncPath> { Set(versions.filter { $0.value.payload != nil }.keys.map(\.path)) }

  /// The names of the files that are there, copies too.
  var names: Set<String> {
    Set(
      versions.filter { $0.value.payload != nil }.keys.map { name in
        name.copy.map { name.path.folder + "/" + $0 } ?? name.path.description
      })
  }

  var currentKey: Digest { Digest(high: 1, low: 1) }

  func list() -> FileList {
    var list = FileList()
    for (name, version) in versions {
      guard let payload = version.payload else { continue }
      if version.isPlaceholder {
        list.awaited.insert(name.path)
      } else {
        list.sizes[name.path, default: []].append(
          fileSize(forPayload: payload.count) - (version.isHalf ? 7 : 0))
        if let copy = name.copy { list.copies[name.path, default: []].insert(copy) }
      }
    }
    for path in list.sizes.keys { list.awaited.remove(path) }
    return list
  }

  func payloads(of path: SyncPath) throws -> [[UInt8]] {
    let there = versions.filter { $0.key.path == path && $0.value.payload != nil }.values
    let whole = there.filter { !$0.isHalf && !$0.isPlaceholder && !$0.isDamaged }
    guard !whole.isEmpty else {
      if there.contains(where: { $0.isDamaged || $0.isHalf }) {
        throw SyncFileError.notDecrypted("The chunk was changed.")
      }
      throw Failed()
    }
    return whole.compactMap(\.payload)
  }

  func write(_ payload: [UInt8], to path: SyncPath) throws {
    if let left = failsAfter {
      if left == 0 { throw Failed() }
      failsAfter = left - 1
    }
    store(payload, as: Name(path: path))
  }

  func writeCopy(_ payload: [UInt8], of path: SyncPath, by device: DeviceName) throws {
    store(payload, as: Name(path: path, copy: path.copyName(by: device)))
  }

  private func store(_ payload: [UInt8], as name: Name) {
    versions[name] = Version(number: (versions[name]?.number ?? 0) + 1, payload: payload)
  }

  func remove(_ path: SyncPath) {
    for (name, version) in versions where name.path == path && version.payload != nil {
      versions[name] = Version(number: version.number + 1)
    }
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
    for (name, theirs) in other.versions.sorted(by: { $0.key < $1.key }) {
      let own = versions[name] ?? Version()
      guard !theirs.isHalf, !theirs.isPlaceholder,
        theirs.number > own.number
          || theirs.number == own.number && (own.isHalf || own.isPlaceholder),
        all || Int.random(in: 0..<3, using: &random) > 0
      else { continue }
      var taken = theirs
      if !all, taken.payload != nil {
        taken.isHalf = Int.random(in: 0..<8, using: &random) == 0
        taken.isPlaceholder = !taken.isHalf && Int.random(in: 0..<8, using: &random) == 0
        if isDamaging, name.copy == nil {
          taken.isDamaged = Int.random(in: 0..<12, using: &random) == 0
        }
      }
      versions[name] = taken
    }
  }

  /// Takes one file as another replica has it.
  func pull(_ path: SyncPath, from other: Replica) {
    for (name, theirs) in other.versions where name.path == path {
      if theirs.number > versions[name]?.number ?? 0 { versions[name] = theirs }
    }
  }
}

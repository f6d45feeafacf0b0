import Foundation
import Geodesy
import TestSupport

@testable import GeoStore
@testable import StoreSync

/// Stores that share a folder on the disk, encrypted.
struct BackupBench {
  let folder: TemporaryFolder
  static let now: Int64 = 1_700_000_000_000
  static let day: Int64 = 86_400_000

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("shared"), withIntermediateDirectories: false)
  }

  func path(_ name: String) -> String { folder.file(name + ".sqlite") }

  func store(_ name: String) throws -> Store { try Store(path: path(name), creating: true) }

  func join(_ name: String, recoveryKey: String? = nil) throws -> SyncFolder {
    try SyncFolder(
      LocalSyncDirectory(path: folder.file("shared")), path: "shared",
      home: SyncHome(storePath: path(name)), displayName: name, recoveryKey: recoveryKey,
      now: Self.now)
  }

  /// Imports a track of so many fixes.
  func add(_ count: Int, to store: Store, as name: String, seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let points = wanderingPoints(
      count: count, homes: [awkwardHomes[1]], strideMeters: 150, using: &random)
    let fixes = points.map {
      KeptFix(coordinate: $0.coordinate, time: $0.time, accuracyMeters: 5, startsSegment: false)
    }
    let times = fixes.compactMap(\.time)
    _ = try store.write { session in
      let writer = try session.beginSource()
      try writer.append(fixes)
      return try writer.finish(
        SourceDescription(
          sha256: String(repeating: name, count: 64), path: "\(name).gpx", format: "gpx",
          bytes: 10, points: count, firstTime: times.min(), lastTime: times.max(), report: "{}"))
    }
  }

  /// Forgets the source with a name.
  func forget(_ name: String, in store: Store) throws {
    let id = try store.read { try $0.sources().first { $0.path == "\(name).gpx" }?.id }
    _ = try store.forget(sources: [id ?? -1])
  }

  /// The names of the files in a folder of the sync folder.
  func names(_ kind: String) throws -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.file("shared/" + kind))) ?? [])
      .sorted()
  }

  func file(_ kind: String, _ name: String) -> URL {
    URL(fileURLWithPath: folder.file("shared/\(kind)/\(name)"))
  }
}

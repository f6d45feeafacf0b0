import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import StoreSync

/// Devices that share a folder on the disk, encrypted.
struct SharingDevices {
  /// The time of all syncs.
  static let now: Int64 = 1_700_000_000_000
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: folder.file("shared"), withIntermediateDirectories: false)
  }

  /// The path of something in the shared folder.
  func path(_ name: String) -> String { folder.file("shared/" + name) }

  func names(in place: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path(place)).sorted()
  }

  /// Changes the bytes of a file.
  func change(_ name: String, in place: String, _ body: (inout Data) -> Void) throws {
    let url = URL(fileURLWithPath: path(place + "/" + name))
    var bytes = try Data(contentsOf: url)
    body(&bytes)
    try bytes.write(to: url)
  }

  func storePath(_ name: String) -> String { folder.file(name + ".sqlite") }

  func store(_ name: String) throws -> Store { try Store(path: storePath(name), creating: true) }

  /// Gives a store the keys of another one's device.
  func copyHome(from name: String, to other: String) throws {
    try FileManager.default.copyItem(
      atPath: folder.file(name + ".sqlite-sync"), toPath: folder.file(other + ".sqlite-sync"))
  }

  /// What a device keeps next to its store.
  func home(of name: String) -> SyncHome { SyncHome(storePath: folder.file(name + ".sqlite")) }

  func join(
    _ name: String, fingerprint: String? = nil, recoveryKey: String? = nil
  ) throws -> SyncFolder {
    try SyncFolder(
      LocalSyncDirectory(path: folder.file("shared")), path: "shared",
      home: home(of: name), displayName: name,
      fingerprint: fingerprint, recoveryKey: recoveryKey, now: Self.now)
  }

  /// Joins as a device that another one adds.
  func join(_ name: String, addedBy other: SyncFolder) throws -> SyncFolder {
    do {
      _ = try join(name)
      Issue.record("\(name) is a member already")
    } catch SharingError.notAMember(_, let key) {
      try other.add(publicKey: key, displayName: name, now: Self.now)
    }
    return try join(name)
  }

  /// Stores a track.
  func add(
    _ count: Int, to store: Store, as name: String, seed: UInt64, report: String = "{}"
  ) throws {
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
          bytes: 10, points: count, firstTime: times.min(), lastTime: times.max(), report: report))
    }
  }

  /// The place of a kept fix of the first source.
  func place(in store: Store, number: Int) throws -> Coordinate {
    let place = try store.read { snapshot in
      try snapshot.history.chunks().first.map { chunk in
        try snapshot.history.keptFixes(chunk.id...chunk.id, ofSource: chunk.source)[number]
          .coordinate
      }
    }
    return try #require(place)
  }
}

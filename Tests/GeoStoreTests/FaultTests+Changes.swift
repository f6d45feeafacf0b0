import CFaultVFS
import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

extension FaultTests {
  /// An operation that changes, creates or copies a store.
  enum Change: CaseIterable {
    case making, forgetting, forgettingZone, rebuilding, backingUp, adopting

    /// Whether the store exists before the operation.
    var hasStore: Bool { self != .making }

    /// The path of a store's backup.
    static func backup(of path: String) -> String { path + "-backup" }

    /// Applies the change to a store opened with these options.
    func apply(to path: String, options: StoreOptions) throws {
      let store = try Store(path: path, creating: !hasStore, options: options)
      switch self {
      case .making: break
      case .forgetting: _ = try store.forget(sources: ["2"])
      case .forgettingZone:
        _ = try store.forget(in: PrivacyZone(center: Coordinate(47.37, 8.54), radiusMeters: 200))
      case .rebuilding: _ = try store.rebuild(changing: [.visitGapMinutes: 1])
      case .backingUp: try store.backup(to: Self.backup(of: path))
      case .adopting:
        var region = SourceRegion(center: Coordinate(47.4, 8.5), original: "{}")
        (region.visitCount, region.radiusMeters) = (3, 200)
        try store.add(regions: [region], as: "adopted")
      }
    }

    /// Whether the file is rewritten after the change.
    var writesAnew: Bool {
      switch self {
      case .making, .backingUp, .adopting: false
      case .forgetting, .forgettingZone, .rebuilding: true
      }
    }

    /// The distance between two file system operations that fail. Rewriting a store's pages takes
    /// many similar operations.
    var stride: Int { writesAnew ? 7 : 3 }
  }

  @Test(arguments: Change.allCases, 0..<Int32(FAULT_KINDS))
  func `a failed change leaves the store as before or complete, and a retry works`(
    change: Change, kind: Int32
  ) throws {
    fault_vfs_lock()
    defer { fault_vfs_unlock() }
    try #require(fault_vfs_register() == 0)
    let folder = try TemporaryFolder()
    let (usual, failing) = (options(fileSystem: nil), options(fileSystem: "fault", kind: kind))
    let (base, whole) = (folder.file("base.sqlite"), folder.file("whole.sqlite"))
    var before: State?
    if change.hasStore {
      let store = try Store(path: base, creating: true, options: usual)
      for seed in 1...2 { try store.add(track(UInt64(seed)), as: "\(seed)") }
      before = try state(store)
      try store.checkpoint()
      try FileManager.default.copyItem(atPath: base, toPath: whole)
    }
    try change.apply(to: whole, options: usual)
    let after = try state(Store(path: whole, creating: false, options: usual))
    if [.making, .backingUp].contains(change) { #expect(before == nil || before == after) }

    // Kinds that count only reads or syncs have few operations that can fail.
    let isRare = kind >= Int32(FAULT_READ_FROM)
    let stride = (isRare ? 1 + change.stride / 4 : change.stride) * Self.sparseness
    var (n, tries, failures, hasReachedEnd) = (1 - stride, 0, 0, false)
    while !hasReachedEnd {
      (n, tries) = (n + stride, tries + 1)
      let path = folder.file("\(n).sqlite")
      if change.hasStore { try FileManager.default.copyItem(atPath: base, toPath: path) }
      var failure: DatabaseError?
      fault_vfs_arm(kind, n)
      do { try change.apply(to: path, options: failing) } catch let error as DatabaseError {
        failure = error
      }
      hasReachedEnd = fault_vfs_has_failed() == 0
      fault_vfs_arm(kind, 0)
      if failure != nil { failures += 1 }
      if hasReachedEnd { #expect(failure == nil) }
      let place: Comment =
        "\(change), kind \(kind), operation \(n): \(failure?.description ?? "no error")"

      if change == .backingUp {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.hasPrefix("\(n).sqlite-backup.") }, place)
        #expect(names.contains("\(n).sqlite-backup") == (failure == nil), place)
        if failure != nil { try change.apply(to: path, options: usual) }
        try #expect(
          state(Store(path: Change.backup(of: path), creating: false, options: usual)) == after,
          place)
      }
      // A failed creation may leave an empty file, which is not a store.
      let store = try Store(path: path, creating: !change.hasStore, options: usual)
      let found = try state(store)
      #expect(found == before || found == after, place)
      if failure == nil { #expect(found == after, place) }
      #expect(try store.pragma("integrity_check").writer == "ok")
      if found != after {
        try change.apply(to: path, options: usual)
        try #expect(state(store) == after, place)
      } else if change.writesAnew {
        // If the file was not rewritten, a rebuild does so.
        #expect(try store.rebuild().isErased, place)
      }
      if tries % 10 == 0 || hasReachedEnd { #expect(try store.check().isSound, place) }
      for suffix in ["", "-wal", "-shm", "-backup", "-backup-wal", "-backup-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
    #expect(isRare || tries > 15 / Self.sparseness, "only \(tries) operations")
    #expect(isRare || failures > 5 / Self.sparseness)
  }
}

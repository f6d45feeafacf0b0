import CFaultVFS
import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

extension FaultTests {
  /// Something that changes a store, or makes one or a copy of it.
  enum Change: CaseIterable {
    case making, forgetting, forgettingZone, rebuilding, backingUp, adopting

    /// Whether the store is there before.
    var hasStore: Bool { self != .making }

    /// Where a store's copy goes.
    static func backup(of path: String) -> String { path + "-backup" }

    /// Does it to a store that is opened with some options.
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

    /// Whether the file is rewritten after it.
    var writesAnew: Bool {
      switch self {
      case .making, .backingUp, .adopting: false
      case .forgetting, .forgettingZone, .rebuilding: true
      }
    }

    /// Operations of the file system from one that fails to the next. Writing a store's pages anew
    /// takes many that are alike.
    var stride: Int { writesAnew ? 7 : 3 }
  }

  @Test(arguments: Change.allCases, 0..<Int32(FAULT_KINDS))
  func `whatever fails while a store is changed, it is as before or whole, and the next try works`(
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

    // Kinds that count only reads, or only syncs, have few to fail.
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
      // Where making a store failed there may be an empty file, which is none.
      let store = try Store(path: path, creating: !change.hasStore, options: usual)
      let found = try state(store)
      #expect(found == before || found == after, place)
      if failure == nil { #expect(found == after, place) }
      #expect(try store.pragma("integrity_check").writer == "ok")
      if found != after {
        try change.apply(to: path, options: usual)
        try #expect(state(store) == after, place)
      } else if change.writesAnew {
        // Whatever kept the file from being rewritten: that is made good.
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

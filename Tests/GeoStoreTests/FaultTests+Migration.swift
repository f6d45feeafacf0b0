import CFaultVFS
import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore

extension FaultTests {
  @Test(arguments: 1..<Schema.currentVersion, 0..<Int32(FAULT_KINDS))
  func `whatever fails while an old store is opened, the next try brings it to the current version`(
    version: Int, kind: Int32
  ) throws {
    try #require(fault_vfs_register() == 0)
    let folder = try TemporaryFolder()
    let (usual, failing) = (options(fileSystem: nil), options(fileSystem: "fault", kind: kind))
    let new = try Store(path: folder.file("new.sqlite"), creating: true, options: usual)
    for seed in 1...2 { try new.add(track(UInt64(seed)), as: "\(seed)") }
    let expected = try StoreContents(new)
    let base = folder.file("base.sqlite")
    try OldStore.make(at: base, version: version, from: new)

    var (n, failures, hasReachedEnd) = (0, 0, false)
    while !hasReachedEnd {
      n += (kind >= Int32(FAULT_READ_FROM) ? 1 : 3) * Self.sparseness
      let path = folder.file("\(n).sqlite")
      try FileManager.default.copyItem(atPath: base, toPath: path)
      var failure: StoreError?
      fault_vfs_arm(kind, n)
      do {
        try Store(path: path, creating: false, options: failing).checkpoint()
      } catch {
        failure = error
      }
      hasReachedEnd = fault_vfs_has_failed() == 0
      fault_vfs_arm(kind, 0)
      let place: Comment =
        "version \(version), kind \(kind), operation \(n): \(failure?.description ?? "no error")"
      if hasReachedEnd { #expect(failure == nil, place) }
      if let failure {
        failures += 1
        #expect(!failure.description.contains("\n"), place)
      }
      let store = try Store(path: path, creating: false, options: usual)
      #expect(try store.pragma("user_version").writer == "\(Schema.currentVersion)", place)
      try #expect(StoreContents(store) == expected, place)
      #expect(try store.check().isSound, place)
      for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }
    let least = kind == Int32(FAULT_SYNC_FROM) ? 1 : 6
    #expect(failures >= least / Self.sparseness, "only \(failures) failures")
  }
}

import CFaultVFS
import CSQLite
import Foundation
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

extension FaultTests {
  @Test(arguments: 0..<Int32(FAULT_KINDS))
  func `an export for the app leaves a complete file or none, whatever fails`(kind: Int32)
    throws
  {
    fault_vfs_lock()
    defer { fault_vfs_unlock() }
    try #require(fault_vfs_register() == 0)
    let folder = try TemporaryFolder()
    let (path, target) = (folder.file("s.sqlite"), folder.file("app.sqlite"))
    do {
      let store = try Store(path: path, creating: true, options: options(fileSystem: nil))
      for seed in 1...2 { try store.add(track(UInt64(seed)), as: "\(seed)") }
      try store.checkpoint()
    }
    let usual = try Store(path: path, creating: false, options: options(fileSystem: nil))
    try usual.exportAppDatabase(to: target)
    let whole = try Data(contentsOf: URL(fileURLWithPath: target))
    try FileManager.default.removeItem(atPath: target)

    var (n, failures, hasReachedEnd) = (0, 0, false)
    while !hasReachedEnd {
      n += Self.sparseness
      fault_vfs_arm(kind, n)
      var failure: DatabaseError?
      do throws(DatabaseError) {
        let store = try Store(
          path: path, creating: false, options: options(fileSystem: "fault", kind: kind))
        try store.exportAppDatabase(to: target)
      } catch {
        failure = error
      }
      hasReachedEnd = fault_vfs_has_failed() == 0
      fault_vfs_arm(kind, 0)
      let place: Comment = "kind \(kind), operation \(n): \(failure?.description ?? "no error")"
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.filter { $0.hasPrefix("app") } == (failure == nil ? ["app.sqlite"] : []), place)
      if let failure {
        failures += 1
        #expect(!failure.description.contains("\n"), place)
        if case .cannotWrite(let path, let reason) = failure {
          #expect(path == target, place)
          let reasons = ["the disk is full", "no space is left for temporary files"]
          #expect(kind != Int32(FAULT_FULL_FROM) || reasons.contains(reason), place)
        }
      } else {
        #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == whole, place)
        try FileManager.default.removeItem(atPath: target)
      }
    }
    // Afterward the store is unchanged and can be exported.
    try usual.exportAppDatabase(to: target)
    #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == whole)
    // SQLite neither reads the new file back nor syncs it.
    let isRare = kind >= Int32(FAULT_READ_FROM)
    #expect(isRare || failures > 10 / Self.sparseness, "only \(failures) of \(n)")
  }
}

import CFaultVFS
import CSQLite
import Foundation
import GridHash
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Full disk, read errors, failed syncs and short writes at every operation of a small import. The
/// tests are serialized because the failing file system is global.
@Suite(.serialized) struct FaultTests {
  /// A factor for the distance between two failing operations, from `ROQUA_FAULT_STRIDE`. Use a
  /// larger value if operations are slow, as under a sanitizer.
  static let sparseness = max(
    1, Int(ProcessInfo.processInfo.environment["ROQUA_FAULT_STRIDE"] ?? "") ?? 1)

  struct State: Equatable {
    let regions: [VisitedRegion]
    let coverage: Coverage
    let sources: Int
  }

  func state(_ store: Store) throws -> State {
    State(
      regions: try store.regions(), coverage: try store.coverage(),
      sources: try store.read { snapshot in try snapshot.counts().sources })
  }

  func track(_ seed: UInt64) -> [KeptFix] {
    var random = SplitMix64(seed: seed)
    return wanderingTrack(count: 40, homes: [Coordinate(47.37, 8.54)], using: &random)
  }

  /// A fixed clock, so that rows are equal each time they are written, and a cache so small that
  /// every import writes pages to the log before it ends, like the import of a large file.
  func options(fileSystem: String?, kind: Int32 = 0) -> StoreOptions {
    var options = StoreOptions(now: { Timestamp(millisecondsSince1970: 1_700_000_000_000) })
    options.fileSystem = fileSystem
    options.writerCacheBytes = 0
    return options
  }

  /// Returns whether an error matches the kind of fault and includes a failure of SQLite.
  private func isOfKind(_ kind: Int32, _ error: DatabaseError) -> Bool {
    guard let failure = error.sqliteFailure, failure.extendedCode != SQLITE_OK else { return false }
    let isDiskError =
      if case .sqlite = error { failure.extendedCode & 0xFF == SQLITE_IOERR } else { false }
    switch Int(kind) {
    case FAULT_FULL_FROM: return if case .diskFull = error { true } else { false }
    case FAULT_READ_FROM: return isDiskError && failure.extendedCode == 266  // SQLITE_IOERR_READ
    case FAULT_SYNC_FROM: return isDiskError && failure.extendedCode == 1_034  // SQLITE_IOERR_FSYNC
    default:
      // Opening the database or its log is also an operation.
      if case .cannotOpen = error { return failure.extendedCode == SQLITE_CANTOPEN }
      return isDiskError
    }
  }

  @Test(arguments: 0..<Int32(FAULT_KINDS))
  func `a failed import leaves the store as before or complete, and a retry works`(
    kind: Int32
  )
    throws
  {
    fault_vfs_lock()
    defer { fault_vfs_unlock() }
    try #require(fault_vfs_register() == 0)
    let folder = try TemporaryFolder()
    let base = folder.file("base.sqlite")
    let before: State
    let after: State
    do {
      let store = try Store(path: base, creating: true, options: options(fileSystem: nil))
      try store.add(track(1), as: "one")
      before = try state(store)
      try store.checkpoint()
      let whole = try Store(
        path: folder.file("whole.sqlite"), creating: true, options: options(fileSystem: nil))
      try whole.add(track(1), as: "one")
      try whole.add(track(2), as: "two")
      after = try state(whole)
    }
    let bytes = try Data(contentsOf: URL(fileURLWithPath: base))

    var (n, failures, hasReachedEnd) = (0, 0, false)
    while !hasReachedEnd {
      n += Self.sparseness
      let path = folder.file("\(kind)-\(n).sqlite")
      try bytes.write(to: URL(fileURLWithPath: path))
      fault_vfs_arm(kind, n)
      var failure: DatabaseError?
      do {
        let store = try Store(
          path: path, creating: false, options: options(fileSystem: "fault", kind: kind))
        try store.add(track(2), as: "two")
        try store.checkpoint()
      } catch let error as DatabaseError {
        failure = error
      }
      hasReachedEnd = fault_vfs_has_failed() == 0
      fault_vfs_arm(kind, 0)
      if hasReachedEnd { #expect(failure == nil) }
      if let failure {
        failures += 1
        #expect(!failure.description.isEmpty && !failure.description.contains("\n"))
        #expect(isOfKind(kind, failure), "kind \(kind), operation \(n): \(failure)")
      }

      let store = try Store(path: path, creating: false, options: options(fileSystem: nil))
      let found = try state(store)
      #expect(found == before || found == after, "kind \(kind), operation \(n)")
      if failure == nil { #expect(found == after, "kind \(kind), operation \(n)") }
      #expect(try store.pragma("integrity_check").writer == "ok")
      if found == before {
        try store.add(track(2), as: "two")
        #expect(try state(store) == after, "kind \(kind), operation \(n), tried again")
      }
      for suffix in ["", "-wal", "-shm"] {
        try? FileManager.default.removeItem(atPath: path + suffix)
      }
    }
    let least = [FAULT_READ_FROM: 15, FAULT_SYNC_FROM: 2][Int(kind)] ?? 50
    #expect(n > least, "only \(n) operations")
    #expect(failures >= min(20, least) / Self.sparseness, "only \(failures) failures")
  }

  @Test(arguments: 0..<Int32(FAULT_KINDS))
  func `an open store keeps working once a failing disk works again`(kind: Int32) throws {
    fault_vfs_lock()
    defer { fault_vfs_unlock() }
    try #require(fault_vfs_register() == 0)
    let folder = try TemporaryFolder()
    let reference = try Store(
      path: folder.file("whole.sqlite"), creating: true, options: options(fileSystem: nil))
    for seed in 1...3 { try reference.add(track(UInt64(seed)), as: "\(seed)") }
    let expected = try state(reference)
    for n in stride(from: 1, to: 200, by: 7 * Self.sparseness) {
      let path = folder.file("go-on-\(kind)-\(n).sqlite")
      fault_vfs_arm(kind, 0)
      let store = try Store(path: path, creating: true, options: options(fileSystem: "fault"))
      try store.add(track(1), as: "1")
      _ = try state(store)
      fault_vfs_arm(kind, n)
      for seed in 2...3 {
        if (try? store.add(track(UInt64(seed)), as: "\(seed)")) == nil {
          fault_vfs_arm(kind, 0)
          try store.add(track(UInt64(seed)), as: "\(seed)")
        }
      }
      fault_vfs_arm(kind, 0)
      #expect(try state(store) == expected, "kind \(kind), operation \(n)")
    }
  }

  @Test(arguments: 0..<Int32(FAULT_KINDS))
  func `changes after a failure in the same transaction are stored with it or not at all`(
    kind: Int32
  )
    throws
  {
    fault_vfs_lock()
    defer { fault_vfs_unlock() }
    try #require(fault_vfs_register() == 0)
    let folder = try TemporaryFolder()
    let states = try [[1], [1, 3], [1, 2, 3]].map { (seeds: [UInt64]) in
      let path = folder.file(seeds.map(String.init).joined() + ".sqlite")
      let store = try Store(path: path, creating: true, options: options(fileSystem: nil))
      for seed in seeds { try store.add(track(seed), as: "\(seed)") }
      return try state(store)
    }
    var (failures, losses) = (0, 0)
    for n in stride(from: 1, to: 120, by: 3 * Self.sparseness) {
      let path = folder.file("swallowed-\(kind)-\(n).sqlite")
      fault_vfs_arm(kind, 0)
      let failing = try Store(
        path: path, creating: true, options: options(fileSystem: "fault", kind: kind))
      try failing.add(track(1), as: "1")
      var hasFailed = false
      let loss = goOn(failing, kind, n, &hasFailed)
      if hasFailed { failures += 1 }
      if let loss {
        #expect(isOfKind(kind, loss), "kind \(kind), operation \(n): \(loss)")
        losses += 1
      }
      let store = try Store(path: path, creating: false, options: options(fileSystem: nil))
      #expect(states.contains(try state(store)), "kind \(kind), operation \(n)")
      #expect(try store.check().isSound)
    }
    if kind != Int32(FAULT_SYNC_FROM) {
      let least = 5 / Self.sparseness
      #expect(
        failures > least && losses > least,
        "kind \(kind): \(failures) failures, \(losses) transactions undone")
    }
  }

  /// Adds one source in a part of a transaction whose n-th operation fails, and then another source
  /// on a working disk. Returns the error of the transaction.
  private func goOn(_ store: Store, _ kind: Int32, _ n: Int, _ hasFailed: inout Bool)
    -> DatabaseError?
  {
    let (second, third) = (track(2), track(3))
    do {
      hasFailed = try store.write { session in
        fault_vfs_arm(kind, n)
        let part: Void? = try? session.attempt { try add(second, "2", session) }
        fault_vfs_arm(kind, 0)
        if n % 2 == 0 {
          try add(third, "3", session)
        } else {
          try session.attempt { try add(third, "3", session) }
        }
        return part == nil
      }
      return nil
    } catch {
      hasFailed = true
      return error as? DatabaseError
    }
  }

  private func add(_ fixes: [KeptFix], _ name: String, _ session: WriteSession)
    throws(DatabaseError)
  {
    let writer = try session.beginSource()
    try writer.append(fixes)
    _ = try writer.finish(.sample(name, of: fixes))
  }
}

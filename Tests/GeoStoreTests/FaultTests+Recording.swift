import CFaultVFS
import Geodesy
import TestSupport
import Testing

@testable import GeoStore

extension FaultTests {
  /// Options with which each transaction of a recording syncs, so that a sync may fail at its end.
  private func recordingOptions(_ kind: Int32) -> StoreOptions {
    var options = options(fileSystem: "fault", kind: kind)
    options.durability = .full
    return options
  }

  @Test(arguments: 0..<Int32(FAULT_KINDS))
  func `a recording continues after a disk failure when the failed fix is added again`(
    kind: Int32
  )
    throws
  {
    fault_vfs_lock()
    defer { fault_vfs_unlock() }
    try #require(fault_vfs_register() == 0)
    let folder = try TemporaryFolder()
    var random = SplitMix64(seed: 21)
    // Two chunks of 16 that are merged, and an open one.
    let track = wanderingTrack(count: 36, homes: [Coordinate(47.37, 8.54)], using: &random)
    func record(in store: Store, failingAt operation: Int) throws -> (
      failures: Int, reachedEnd: Bool
    ) {
      let recording = try store.beginRecording(
        identifier: SourceDescription.sampleHash("live"), name: "recording", format: "live")
      var failures = 0
      fault_vfs_arm(kind, operation)
      for fix in track {
        if (try? recording.append([fix], points: 1)) == nil {
          failures += 1
          fault_vfs_arm(kind, 0)
          _ = try recording.append([fix], points: 1)
        }
      }
      let hasFailed = fault_vfs_has_failed() != 0
      fault_vfs_arm(kind, 0)
      return (failures, failures == 0 && !hasFailed)
    }
    let expected = try Store(
      path: folder.file("whole.sqlite"), creating: true, options: options(fileSystem: nil))
    _ = try record(in: expected, failingAt: 0)

    // There are several hundred reads, and one sync per call.
    let stride = ([FAULT_READ_FROM: 13, FAULT_SYNC_FROM: 2][Int(kind)] ?? 37) * Self.sparseness
    var (n, failures, hasReachedEnd) = (0, 0, false)
    while !hasReachedEnd {
      n += stride
      let store = try Store(
        path: folder.file("\(n).sqlite"), creating: true, options: recordingOptions(kind))
      let run = try record(in: store, failingAt: n)
      (failures, hasReachedEnd) = (failures + run.failures, run.reachedEnd)
      try #expect(StoreContents(store) == StoreContents(expected), "kind \(kind), operation \(n)")
      #expect(try store.check().isSound, "kind \(kind), operation \(n)")
    }
    #expect(failures > 10 / Self.sparseness, "only \(failures) failures")
  }

  @Test(arguments: 0..<Int32(FAULT_KINDS))
  func `two recordings on a failing disk keep exactly the fixes that were confirmed`(
    kind: Int32
  ) throws {
    fault_vfs_lock()
    defer { fault_vfs_unlock() }
    try #require(fault_vfs_register() == 0)
    let folder = try TemporaryFolder()
    var failures = 0
    for n in stride(from: 1, to: 700, by: 29 * Self.sparseness) {
      var random = SplitMix64(seed: UInt64(n))
      let track = wanderingTrack(count: 60, homes: [Coordinate(47.37, 8.54)], using: &random)
      let store = try Store(
        path: folder.file("\(n).sqlite"), creating: true, options: recordingOptions(kind))
      let recordings = try ["a", "b"].map {
        try store.beginRecording(
          identifier: SourceDescription.sampleHash($0), name: $0, format: "live")
      }
      var expected: [Int64: [KeptFix]] = [:]
      fault_vfs_arm(kind, n)
      for fix in track {
        guard let recording = recordings.randomElement(using: &random) else { continue }
        if (try? recording.append([fix], points: 1)) != nil {
          expected[recording.id, default: []].append(fix)
        } else {
          failures += 1
          fault_vfs_arm(kind, 0)
        }
      }
      fault_vfs_arm(kind, 0)
      var found: [Int64: [KeptFix]] = [:]
      let sources = try store.read { snapshot in
        try snapshot.forEachChunkOfKeptFixesBySource { found[$0, default: []] += $1 }
        return try snapshot.sources()
      }
      #expect(found == expected, "kind \(kind), operation \(n)")
      for source in sources {
        let times = (expected[source.id] ?? []).compactMap(\.time)
        #expect(
          source.firstTime == times.min() && source.lastTime == times.max(),
          "kind \(kind), operation \(n)")
      }
      #expect(try store.check().isSound, "kind \(kind), operation \(n)")
    }
    let least = (kind >= Int32(FAULT_READ_FROM) ? 2 : 20) / Self.sparseness
    #expect(failures > least, "only \(failures) failures")
  }
}

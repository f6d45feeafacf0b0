import Foundation
import Geodesy
import Synchronization
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer
@testable import StoreSync

/// The interface for apps.
@Suite struct SharedStoreTests {
  private let devices: SharingDevices

  init() throws { devices = try SharingDevices() }

  @Test func `an app shares a store, adds a device, and removes it`() async throws {
    let (a, b) = (try devices.store("a"), try devices.store("b"))
    try devices.add(500, to: a, as: "1", seed: 1)
    let first = SharedStore(a, folder: devices.path(""), deviceName: "a")
    let phases = Mutex<Set<SharingProgress.Phase>>([])
    let made = try await first.sync { progress in
      _ = phases.withLock { $0.insert(progress.phase) }
      #expect((0...1).contains(progress.fraction ?? 0))
    }
    #expect(phases.withLock { $0.contains(.writingFiles) })
    #expect(made.filesWritten == 1 && made.isComplete && made.recoveryKey != nil)
    #expect(try await first.sync().recoveryKey == made.recoveryKey)
    try await first.confirmRecoveryKey()
    #expect(try await first.sync().recoveryKey == nil)
    let second = SharedStore(b, folder: devices.path(""), deviceName: "b")
    do {
      try await second.sync()
      Issue.record("the device was not added")
    } catch SharingError.notAMember(_, let key) {
      try await first.add(publicKey: key, named: "phone")
    }
    let preview = try await second.preview()
    #expect(preview.changes.fixesAdded == 500 && preview.fingerprint == made.fingerprint)
    #expect(try await b.read { try $0.sources().count } == 0)
    let joined = try await second.sync(fingerprint: made.fingerprint)
    #expect(joined.changes.fixesAdded == 500)
    #expect(joined.devices.first { !$0.isThisDevice }?.lastSynced != nil)
    _ = try await first.sync()
    try await first.remove("phone")
    try devices.add(50, to: a, as: "2", seed: 2)
    let after = try await first.sync()
    #expect(after.devices.count == 1 && after.isComplete)
    _ = try? await second.sync()
    #expect(try await b.read { try $0.sources().count } == 1)
  }

  @Test func `a canceled sync leaves the store as it was, and the next one does the rest`()
    async throws
  {
    let (a, b) = (try devices.store("a"), try devices.store("b"))
    for number in 0..<40 {
      try devices.add(20, to: a, as: String(UnicodeScalar(UInt8(48 + number))), seed: 3)
    }
    let first = SharedStore(a, folder: devices.path(""), deviceName: "a")
    let key = try await first.sync().recoveryKey
    let second = SharedStore(b, folder: devices.path(""), deviceName: "b")
    let task = Mutex<Task<Void, any Error>?>(nil)
    let run = Task {
      _ = try await second.sync(recoveryKey: key) { _ in task.withLock { $0?.cancel() } }
    }
    task.withLock { $0 = run }
    let result = await run.result
    if case .failure(let error) = result { #expect(error is CancellationError) }
    let count = try await b.read { try $0.sources().count }
    #expect(count == 0 || count == 40)
    try await second.sync(recoveryKey: key)
    #expect(try await b.read { try $0.sources().count } == 40)
  }

  @Test func `an app backs up, verifies, merges and removes a backup`() async throws {
    let a = try devices.store("a")
    try devices.add(60, to: a, as: "1", seed: 4)
    let shared = SharedStore(a, folder: devices.path(""), deviceName: "a")
    let backup = try await shared.backUp(note: "first")
    #expect(backup.sources == 1 && backup.keptFixes == 60 && backup.note == "first")
    #expect(try await shared.backups() == [backup])
    #expect(try await shared.verifyBackups() == [])
    let file = try #require(devices.names(in: "sources").first)
    let path = devices.path("sources/" + file)
    try FileManager.default.moveItem(atPath: path, toPath: devices.path("../kept"))
    #expect(try await shared.verifyBackups().count == 1)
    try FileManager.default.moveItem(atPath: devices.path("../kept"), toPath: path)
    let key = try await shared.sync().recoveryKey
    let b = try devices.store("b")
    let other = SharedStore(b, folder: devices.path(""), deviceName: "b")
    try await other.sync(recoveryKey: key)
    #expect(try await other.merge(backup).sourcesAdded == 0)
    try await other.remove(backup)
    #expect(try await shared.backups() == [])
    #expect(try await shared.sync().isComplete)
  }

  @Test func `an app replaces a store by a backup, and brings the old one back`() async throws {
    let (path, folder) = (devices.storePath("a"), devices.path(""))
    func counts() throws -> Int {
      try Store(path: path, creating: false).read { try $0.sources().count }
    }
    func backUp() async throws -> StoreBackup {
      let a = try devices.store("a")
      try devices.add(60, to: a, as: "1", seed: 4)
      let shared = SharedStore(a, folder: folder, deviceName: "a")
      let backup = try await shared.backUp()
      try devices.add(40, to: a, as: "2", seed: 5)
      // It is open.
      await #expect(throws: (any Error).self) {
        try await SharedStore.replace(path, with: backup, from: folder, deviceName: "a")
      }
      return backup
    }
    let backup = try await backUp()
    #expect(try counts() == 2)
    let phases = Mutex<Set<SharingProgress.Phase>>([])
    let kept = try await SharedStore.replace(
      path, with: backup, from: folder, deviceName: "a"
    ) { progress in _ = phases.withLock { $0.insert(progress.phase) } }
    #expect(try counts() == 1 && FileManager.default.fileExists(atPath: #require(kept)))
    try await SharedStore.bringBack(path)
    #expect(try counts() == 2)
    // The next sync of a replaced store brings back what was added since.
    try await SharedStore.replace(path, with: backup, from: folder, deviceName: "a")
    let again = SharedStore(try devices.store("a"), folder: folder, deviceName: "a")
    try await again.sync()
    #expect(try await again.store.read { try $0.sources().count } == 1)
  }

  @Test func `a device writes nothing into the folder of other devices`() async throws {
    let (a, b) = (try devices.store("a"), try devices.store("b"))
    try devices.add(60, to: a, as: "1", seed: 4)
    try devices.add(60, to: b, as: "2", seed: 5)
    let other = devices.path("../other")
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    let first = SharedStore(a, folder: devices.path(""), deviceName: "a")
    let second = SharedStore(b, folder: other, deviceName: "b")
    try await first.sync()
    try await second.sync()
    let names = try FileManager.default.subpathsOfDirectory(atPath: devices.path("")).sorted()
    let lost = SharedStore(b, folder: devices.path(""), deviceName: "b")
    await #expect(throws: SharingError.otherFolder(path: devices.path(""))) {
      try await lost.sync()
    }
    await #expect(throws: SharingError.otherFolder(path: devices.path(""))) {
      _ = try await lost.backUp()
    }
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: devices.path("")).sorted() == names)
    #expect(try await first.sync().problems == [])
  }

  @Test func `a locked store is not replaced, and gets no keys`() async throws {
    let path = devices.storePath("a")
    func backUp() async throws -> StoreBackup {
      let a = try devices.store("a")
      try devices.add(60, to: a, as: "1", seed: 4)
      return try await SharedStore(a, folder: devices.path(""), deviceName: "a").backUp()
    }
    let backup = try await backUp()
    try FileManager.default.moveItem(atPath: path, toPath: path + ".age")
    try FileManager.default.removeItem(atPath: path + "-sync")
    await #expect(throws: DatabaseError.locked(path: path)) {
      try await SharedStore.replace(path, with: backup, from: devices.path(""), deviceName: "a")
    }
    await #expect(throws: DatabaseError.locked(path: path)) {
      try await SharedStore.bringBack(path)
    }
    #expect(!FileManager.default.fileExists(atPath: path + "-sync"))
    // A folder that is not the sync folder stays empty.
    let empty = devices.path("../empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
    try FileManager.default.removeItem(atPath: path + ".age")
    await #expect(throws: SharingError.empty(path: empty)) {
      try await SharedStore.replace(path, with: backup, from: empty, deviceName: "a")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: empty) == [])
  }

  @Test func `what is not right with a sync is said in one line each`() {
    let problems: [SyncProblem] = [
      .notThere(file: "f"), .notBelieved(file: "f", reason: "it is damaged"),
      .otherGrid(file: "f", radiusMeters: 200), .wentBackwards(device: "phone"),
      .notSyncedSinceRemoval(device: "phone"), .otherRadius(meters: nil),
      .otherRadius(meters: 99.5), .sharedKeys, .newerKeys(files: ["f"]),
      .keepsFiles,
    ]
    #expect(Set(problems.map(\.description)).count == problems.count)
    #expect(
      problems.allSatisfy { !"\($0)".contains("\n") && !"\($0)".hasSuffix(".") })
    #expect("\(problems[2])" == "f: its cells were made for an exploration radius of 200 m")
    #expect(problems.filter(\.isIncomplete).count == 6)
  }
}

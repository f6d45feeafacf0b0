import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import StoreSync

/// Backups during the histories of several devices whose files travel in any order.
@Suite struct BackupHistoryTests {
  /// `ROQUA_HISTORIES` sets another number of them.
  private static let count =
    UInt64(ProcessInfo.processInfo.environment["ROQUA_HISTORIES"] ?? "") ?? 30

  private static var seeds: [UInt64] {
    ProcessInfo.processInfo.environment["ROQUA_HISTORY"].flatMap { UInt64($0) }.map { [$0] }
      ?? Seeds.sample(count)
  }

  /// A backup, and the store at that time.
  private struct Taken {
    let device: History.Device
    let entry: BackupCatalog.Entry
    let contents: StoreContents
  }

  @Test(arguments: seeds)
  func `a restored store equals the one that was backed up`(seed: UInt64) throws {
    let history = try History(seed: seed)
    var taken: [Taken] = []
    for _ in 0..<30 {
      history.clock.advance(by: .random(in: 1...3_600_000, using: &history.random))
      let device = try #require(history.devices.randomElement(using: &history.random))
      switch Int.random(in: 0..<5, using: &history.random) {
      case 0, 1: try history.change(device)
      case 2, 3: try history.sync(device)
      default: taken.append(try backUp(device, in: history))
      }
      history.travel(all: false)
      // A device that has not heard of a backup does not know what it needs.
      for backup in taken {
        for device in history.devices {
          device.replica.pull(backup.entry.path, from: backup.device.replica)
        }
      }
    }
    try history.settle()
    for (number, backup) in taken.enumerated() {
      let store = try restore(backup, to: "restored \(number).sqlite", in: history)
      let differences = try StoreContents(store).differences(from: backup.contents)
      #expect(differences == [], "seed \(seed), backup \(number)")
      let problems = try store.check().steps.flatMap(\.differences)
      #expect(problems.filter { !$0.contains("report says") } == [], "seed \(seed)")
      let known = try #require(try store.read { try $0.history.syncState() })
      let local = try LocalState(bytes: known.state)
      #expect(local.shared.sources == backup.entry.manifest.state.sources)
      #expect(Set(local.held.keys) == Set(local.shared.sources.keys))
      // It has no news of its own.
      let look = try store.read {
        try Look(
          $0.history, as: (DeviceName(number: 99), "restored"), files: backup.device.replica,
          now: history.clock.now)
      }
      #expect(look.local.shared == local.shared, "seed \(seed), backup \(number)")
      // Adding it to a store that has nothing gives the same, but for the settings of a device.
      let merged = try merge(backup, into: "merged \(number).sqlite", in: history)
      #expect(merged.differences(from: backup.contents.shared) == [], "seed \(seed), \(number)")
    }
    // Once no backup names them, superseded files go.
    let device = history.devices[0]
    let catalog = try BackupCatalog(device.replica)
    let shared = try device.store.read { try $0.history.syncState() }
      .map { try LocalState(bytes: $0.state).shared }
    let result = try BackupRemoval(device.replica, catalog, shared: shared).remove(
      catalog.entries, isPostponing: true)
    #expect(!result.isIncomplete)
    for case .source(let name, let file) in device.replica.visible {
      let named = shared?.sources[name]?.files.map(\.name) ?? []
      #expect(named.contains(file), "seed \(seed): \(name)-\(file) is left")
    }
    #expect(try BackupCatalog(device.replica).entries.isEmpty)
  }

  private func backUp(_ device: History.Device, in history: History) throws -> Taken {
    // A file that another device removed before it heard of the backup would be missing: what it
    // removed has arrived.
    for other in history.devices where other !== device {
      device.replica.pull(from: other.replica, all: true, using: &history.random)
    }
    let report = try BackupRun(
      device.store, with: device.replica, now: history.clock.now + device.skew
    ).run(
      as: (DeviceName(number: UInt64(device.number + 1)), "device \(device.number)"),
      note: "a note", keeping: 1_000)
    let kept = try device.store.read { try $0.counts().keptFixes }
    #expect(report.entry.manifest.keptFixes == UInt64(kept))
    return Taken(
      device: device, entry: report.entry, contents: try StoreContents(device.store))
  }

  private func restore(_ backup: Taken, to name: String, in history: History) throws -> Store {
    let path = history.folder.file(name)
    try {
      let store = try Store(path: path, creating: true, options: backup.device.options)
      let count = try RestoredStore(
        store, backup.entry, from: backup.device.replica, as: (DeviceName(number: 99), "restored")
      ).fill()
      #expect(UInt64(count) == backup.entry.manifest.keptFixes)
    }()
    return try Store(path: path, creating: false, options: backup.device.options)
  }

  private func merge(
    _ backup: Taken, into name: String, in history: History
  ) throws -> SharedContents {
    let store = try Store(
      path: history.folder.file(name), creating: true, options: backup.device.options)
    let alone = Replica()
    for path in backup.entry.manifest.files.keys {
      alone.pull(path, from: backup.device.replica)
    }
    let report = try SyncRun(
      store, with: alone, now: history.clock.now, restoring: backup.entry.manifest.state
    ).run(as: (DeviceName(number: 99), "new"))
    #expect(report.pending == [])
    return try SharedContents(store)
  }
}

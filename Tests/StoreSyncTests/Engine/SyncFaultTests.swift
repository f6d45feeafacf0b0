import Foundation
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import GeoStore
@testable import StoreSync

/// What can go wrong with a sync folder on the disk, and comes right again.
@Suite struct SyncFaultTests {
  private let devices: SharingDevices
  private let (a, b): (Store, Store)

  init() throws {
    devices = try SharingDevices()
    (a, b) = (try devices.store("a"), try devices.store("b"))
  }

  private func expectEqual(_ place: String = #function) throws {
    #expect(try SharedContents(a).differences(from: SharedContents(b)) == [], "\(place)")
    for store in [a, b] {
      #expect(try store.check().steps.flatMap(\.differences).map { "\($0)" } == [])
    }
  }

  @Test func `rubbish under a file's own name does not hide the right copy`() throws {
    try devices.add(200, to: a, as: "1", seed: 2)
    let first = try devices.join("a")
    _ = try first.sync(a, now: SharingDevices.now)
    let file = try #require(devices.names(in: "sources").first)
    let path = devices.path("sources/" + file)
    let copy = devices.path("sources/\(file.dropLast(4)).sync-conflict-20240501-101010-ABCDEFG.age")
    try FileManager.default.moveItem(atPath: path, toPath: copy)
    try Data(repeating: 7, count: 900).write(to: URL(fileURLWithPath: path))
    let second = try devices.join("b", addedBy: first)
    #expect(try second.sync(b, now: SharingDevices.now).changes.fixesAdded == 200)
    #expect(try first.sync(a, now: SharingDevices.now).filesWritten == 0)
    try expectEqual()
  }

  @Test func `what a placeholder stands for is neither written again nor missed`() throws {
    try devices.add(200, to: a, as: "1", seed: 3)
    let first = try devices.join("a")
    _ = try first.sync(a, now: SharingDevices.now)
    let second = try devices.join("b", addedBy: first)
    _ = try second.sync(b, now: SharingDevices.now)
    for folder in ["sources", "devices"] {
      for name in try devices.names(in: folder) {
        try FileManager.default.removeItem(atPath: devices.path(folder + "/" + name))
        try Data("bplist".utf8).write(
          to: URL(fileURLWithPath: devices.path("\(folder)/.\(name).icloud")))
      }
    }
    for (folder, store) in [(first, a), (second, b)] {
      let report = try folder.sync(store, now: SharingDevices.now)
      #expect(report.filesWritten == 0 && !report.wroteManifest && report.rolledBack == [])
    }
  }

  @Test func `a manifest that has not arrived is reported and waited for`() throws {
    let first = try devices.join("a")
    let second = try devices.join("b", addedBy: first)
    _ = try second.sync(b, now: SharingDevices.now)
    try devices.add(200, to: a, as: "1", seed: 3)
    _ = try first.sync(a, now: SharingDevices.now)
    let name = try #require(
      devices.names(in: "devices").first { $0.hasPrefix("\(first.device)") })
    let (path, placeholder) = (
      devices.path("devices/" + name), devices.path("devices/.\(name).icloud")
    )
    let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    try FileManager.default.removeItem(atPath: path)
    try Data("bplist".utf8).write(to: URL(fileURLWithPath: placeholder))
    let waiting = try second.sync(b, now: SharingDevices.now)
    #expect(waiting.pending.map(\.path.name) == [name])
    #expect(waiting.pending.map(\.reason) == [.missing])
    #expect(waiting.changes.sourcesAdded == 0 && waiting.rolledBack == [])
    try FileManager.default.removeItem(atPath: placeholder)
    try bytes.write(to: URL(fileURLWithPath: path))
    let report = try second.sync(b, now: SharingDevices.now)
    #expect(report.pending == [] && report.changes.sourcesAdded == 1)
    try expectEqual()
  }

  @Test func `a zone that the sender did not know cuts what arrives, and the row fits`() throws {
    let first = try devices.join("a")
    _ = try first.sync(a, now: SharingDevices.now)
    let second = try devices.join("b", addedBy: first)
    try devices.add(300, to: b, as: "1", seed: 4, report: #"{"kept":300}"#)
    let center = try devices.place(in: b, number: 100)
    _ = try a.addZone(PrivacyZone(center: center, radiusMeters: 300), named: "home")
    _ = try second.sync(b, now: SharingDevices.now)
    _ = try first.sync(a, now: SharingDevices.now)
    #expect(try a.read { try $0.sources().map(\.kept) }[0] < 300)
    #expect(try a.check().steps.flatMap(\.differences).map { "\($0)" } == [])
    _ = try second.sync(b, now: SharingDevices.now)
    _ = try first.sync(a, now: SharingDevices.now)
    try expectEqual()
  }

  @Test func `a first sync that also receives a zone writes every file that it names`() throws {
    let first = try devices.join("a")
    try devices.add(50, to: b, as: "1", seed: 5, report: #"{"kept":50}"#)
    // A zone on the track changes its row.
    let center = try devices.place(in: b, number: 49)
    _ = try a.addZone(PrivacyZone(center: center, radiusMeters: 1), named: "end")
    _ = try first.sync(a, now: SharingDevices.now)
    let second = try devices.join("b", addedBy: first)
    let joined = try second.sync(b, now: SharingDevices.now).changes
    let report = try first.sync(a, now: SharingDevices.now)
    let left = try b.read { try $0.sources().map(\.kept) }[0]
    #expect(joined.zonesAdded == 1 && joined.fixesErased == 50 - left)
    #expect(report.pending == [] && report.changes.fixesAdded == left && (1..<50) ~= left)
    try expectEqual()
  }

  @Test func `two stores with one device's keys are reported, and become equal`() throws {
    let first = try devices.join("a")
    _ = try first.sync(a, now: SharingDevices.now)
    try devices.copyHome(from: "a", to: "b")
    try devices.add(20, to: a, as: "1", seed: 6)
    try devices.add(20, to: b, as: "2", seed: 7)
    _ = try first.sync(a, now: SharingDevices.now)
    let twin = try devices.join("b")
    #expect(twin.device == first.device)
    // The folder of the twin has not seen the manifest of the other store yet.
    let later = try devices.names(in: "devices")
    for name in later {
      try FileManager.default.moveItem(
        atPath: devices.path("devices/" + name), toPath: devices.path("../" + name))
    }
    _ = try twin.sync(b, now: SharingDevices.now)
    try devices.add(20, to: b, as: "3", seed: 11)
    _ = try twin.sync(b, now: SharingDevices.now)
    var isReported = false
    for name in later {
      let mark = name.dropLast(4) + " (conflicted copy 2024-05-01).age"
      try FileManager.default.moveItem(
        atPath: devices.path("../" + name), toPath: devices.path("devices/" + mark))
    }
    for _ in 0..<4 {
      for (folder, store) in [(first, a), (twin, b)] {
        isReported = try folder.sync(store, now: SharingDevices.now).hasTwin || isReported
      }
    }
    #expect(isReported)
    try expectEqual()
    let quiet = try first.sync(a, now: SharingDevices.now)
    #expect(!quiet.wroteManifest && quiet.filesRead <= 2)
  }

  @Test func `what a removed device writes afterward does not count`() throws {
    try devices.add(40, to: a, as: "1", seed: 8)
    let first = try devices.join("a")
    _ = try first.sync(a, now: SharingDevices.now)
    let second = try devices.join("b", addedBy: first)
    _ = try second.sync(b, now: SharingDevices.now)
    try first.remove("b")
    // It can still write to the folder, and has the keys of before.
    _ = try b.forget(sources: b.read { try $0.sources().map(\.id) })
    _ = try second.sync(b, now: SharingDevices.now)
    let report = try first.sync(a, now: SharingDevices.now)
    #expect(report.changes.sourcesForgotten == 0 && report.outdated == [second.device])
    #expect(try a.read { try $0.sources().map(\.kept) } == [40])
    // Another device that joins believes only what is written with the new key.
    let c = try devices.store("c")
    let third = try devices.join("c", addedBy: first)
    _ = try first.sync(a, now: SharingDevices.now)
    #expect(try third.sync(c, now: SharingDevices.now).changes.fixesAdded == 40)
  }

  @Test func `a recovery key is kept until it was shown, and can be replaced`() throws {
    var key: String?
    do { key = try devices.join("a").recoveryKey }
    let again = try devices.join("a")
    #expect(key != nil && again.recoveryKey == key)
    try again.confirmRecoveryKey()
    #expect(again.recoveryKey == nil)
    try devices.add(10, to: a, as: "1", seed: 9)
    try again.replaceRecoveryKey()
    let new = try #require(again.recoveryKey)
    #expect(new != key)
    _ = try again.sync(a, now: SharingDevices.now)
    let second = try devices.join("b", recoveryKey: new)
    #expect(try second.sync(b, now: SharingDevices.now).changes.fixesAdded == 10)
  }

  @Test func `nothing new reads no file but the keys, and locks nothing`() throws {
    try devices.add(200, to: a, as: "1", seed: 10)
    let first = try devices.join("a")
    _ = try first.sync(a, now: SharingDevices.now)
    let state = try a.read { try $0.history.syncState()?.state }
    let writer = try Store(path: a.path, creating: false)
    try writer.write { _ in
      // Another program is in the middle of a change.
      let report = try first.sync(a, now: SharingDevices.now)
      #expect(report.filesRead == 0 && !report.wroteManifest && report.filesRemoved == 0)
    }
    #expect(try a.read { try $0.history.syncState()?.state } == state)
  }

  @Test func `a radius that the store cannot take over is reported, and not counted`() throws {
    try a.write { session in
      var coverage = Coverage(grid: session.settings.grid)
      try coverage.mark(discAround: Coordinate(latitudeDegrees: 48, longitudeDegrees: 11))
      let writer = try session.beginCellSource(grid: coverage.grid)
      for (key, tile) in coverage.tiles { try writer.append(tile, at: key) }
      var description = SourceDescription.numbered(1, [])
      description.format = "cells"
      _ = try writer.finish(description)
    }
    _ = try b.write { session in try session.change(.explorationRadiusMeters, to: 200) }
    let first = try devices.join("a")
    _ = try first.sync(a, now: SharingDevices.now)
    let second = try devices.join("b", addedBy: first)
    _ = try second.sync(b, now: SharingDevices.now)
    for _ in 0..<2 {
      let report = try first.sync(a, now: SharingDevices.now)
      #expect(report.changes.settingsChanged == 0 && report.refusedRadiusMeters == 200)
    }
    let report = try second.sync(b, now: SharingDevices.now)
    #expect(report.pending.map(\.reason) == [.otherGrid(radiusMeters: 150)])
  }
}

extension SyncFaultTests {
  @Test func `a device is not removed before what it wrote to the folder was read`() throws {
    let first = try devices.join("a")
    let second = try devices.join("b", addedBy: first)
    _ = try first.sync(a, now: SharingDevices.now)
    _ = try second.sync(b, now: SharingDevices.now)
    try devices.add(30, to: b, as: "1", seed: 12)
    _ = try second.sync(b, now: SharingDevices.now)
    let own = "\(second.device)"
    let file = try #require(devices.names(in: "devices").first { $0.hasPrefix(own) })
    let path = devices.path("devices/" + file)
    try FileManager.default.moveItem(atPath: path, toPath: devices.path("../kept"))
    try Data("bplist".utf8).write(
      to: URL(fileURLWithPath: devices.path("devices/.\(file).icloud")))
    let waiting = try first.sync(a, now: SharingDevices.now)
    #expect(waiting.pending.map { "\($0.path)" } == ["devices/" + file])
    #expect(throws: SharingError.notRead(path: "shared", device: "b")) {
      try first.remove("b", after: waiting)
    }
    try FileManager.default.moveItem(atPath: devices.path("../kept"), toPath: path)
    try first.remove("b", after: first.sync(a, now: SharingDevices.now))
    #expect(try a.read { try $0.sources().map(\.kept) } == [30])
    _ = try first.sync(a, now: SharingDevices.now)
    // What it said was read, so its manifest goes.
    #expect(try !devices.names(in: "devices").contains { $0.hasPrefix(own) })
  }

  @Test func `a backup that a removed device writes is not believed, own ones stay`() throws {
    try devices.add(30, to: a, as: "1", seed: 13)
    let first = try devices.join("a")
    let second = try devices.join("b", addedBy: first)
    let made = try first.backUp(a, note: "own", now: SharingDevices.now).entry
    _ = try second.sync(b, now: SharingDevices.now)
    _ = try first.sync(a, now: SharingDevices.now)
    try first.remove("b")
    // With the keys of before.
    _ = try second.backUp(b, note: "forged", now: SharingDevices.now + 1)
    #expect(try first.backups().entries.isEmpty)
    #expect(try first.backups().problems.count == 2)
    _ = try first.backUp(a, note: "second", now: SharingDevices.now + 2)
    let notes = try first.backups().entries.map(\.manifest.note)
    #expect(notes == ["own", "second"])
    #expect(try first.backups().entries[0].manifest == made.manifest)
    #expect(try first.verify(store: nil).verification.isSound)
  }
}

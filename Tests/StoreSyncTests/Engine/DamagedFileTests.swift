import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import StoreSync

/// Files of a sync folder that were damaged or cut off, and are written again.
@Suite struct DamagedFileTests {
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

  /// Shares a source of the first device, and flips a bit in its file.
  private func shareDamaged() throws -> (first: SyncFolder, file: String, right: Data) {
    try devices.add(200, to: a, as: "1", seed: 1)
    let first = try devices.join("a")
    _ = try first.sync(a, now: SharingDevices.now)
    let file = try #require(devices.names(in: "sources").first)
    let right = try Data(contentsOf: URL(fileURLWithPath: devices.path("sources/" + file)))
    try devices.change(file, in: "sources") { $0[$0.count / 2] ^= 1 }
    return (first, file, right)
  }

  @Test func `a damaged file is written again by a device that has the data`() throws {
    let first = try shareDamaged().first
    let second = try devices.join("b", addedBy: first)
    let waiting = try second.sync(b, now: SharingDevices.now)
    #expect(waiting.pending.count == 1 && waiting.changes.sourcesAdded == 0)
    // Nothing is reported twice.
    #expect(try !second.sync(b, now: SharingDevices.now).wroteManifest)
    #expect(try first.sync(a, now: SharingDevices.now).filesWritten == 1)
    #expect(try second.sync(b, now: SharingDevices.now).changes.fixesAdded == 200)
    try expectEqual()
  }

  @Test func `a request for a damaged file outlives a program that ended`() throws {
    let first = try shareDamaged().first
    let second = try devices.join("b", addedBy: first)
    _ = try second.sync(b, now: SharingDevices.now)
    let ring = try #require(try devices.home(of: "a").ring())
    let keys = try FolderKeys(ring, sealing: AgeSealing())
    let full = try SealedFolder(
      UnchangingDirectory(LocalSyncDirectory(path: devices.path(""))), keys: keys,
      listing: FolderListing([:]))
    #expect(throws: SyncDirectoryError.self) {
      try SyncRun(a, with: full, now: SharingDevices.now).run(as: (first.device, "a"))
    }
    #expect(try first.sync(a, now: SharingDevices.now).filesWritten == 1)
    #expect(try first.sync(a, now: SharingDevices.now).filesWritten == 0)
    #expect(try second.sync(b, now: SharingDevices.now).changes.fixesAdded == 200)
    try expectEqual()
  }

  /// The program that carries the files does not see that a disk lost a byte of its copy.
  @Test func `a file that is damaged in one copy of the folder only is written again, once`()
    throws
  {
    let (first, file, right) = try shareDamaged()
    let second = try devices.join("b", addedBy: first)
    _ = try second.sync(b, now: SharingDevices.now)
    try devices.change(file, in: "sources") { $0 = right }
    #expect(try first.sync(a, now: SharingDevices.now).filesWritten == 1)
    // It has a name of its own, and what is there stays as it is.
    let copy = "\(file.dropLast(4)).again-\(first.device).age"
    #expect(try devices.names(in: "sources") == [file, copy].sorted())
    #expect(try second.sync(b, now: SharingDevices.now, isDryRun: true).pending == [])
    try devices.change(file, in: "sources") { file in
      #expect(file == right)
      file[file.count / 2] ^= 1
    }
    #expect(try first.sync(a, now: SharingDevices.now).filesWritten == 0)
    let report = try second.sync(b, now: SharingDevices.now)
    #expect(report.changes.fixesAdded == 200 && report.pending == [])
    #expect(try first.sync(a, now: SharingDevices.now).filesWritten == 0)
    try expectEqual()
    // Both go with the source.
    _ = try b.forget(sources: ["1"])
    _ = try second.sync(b, now: SharingDevices.now)
    #expect(try devices.names(in: "sources") == [])
  }

  /// A cloud drive frees space by making files empty, or puts something else in their place.
  @Test(arguments: ["NAME", ".NAME.icloud", "NAME.nextcloud"])
  func `a copy that a cloud drive has taken away is not written again`(pattern: String) throws {
    let (first, file, _) = try shareDamaged()
    let second = try devices.join("b", addedBy: first)
    _ = try second.sync(b, now: SharingDevices.now)
    let copy = "\(file.dropLast(4)).again-\(first.device).age"
    let name = pattern.replacing("NAME", with: copy)
    try Data().write(to: URL(fileURLWithPath: devices.path("sources/" + name)))
    #expect(try first.sync(a, now: SharingDevices.now).filesWritten == 0)
    #expect(try devices.names(in: "sources") == [file, name].sorted())
    #expect(try first.sync(a, now: SharingDevices.now).filesRead == 0)
  }

  /// Its first file had a row that the store does not have any more.
  @Test func `the first part of a recording is written again`() throws {
    try devices.add(200, to: a, as: "1", seed: 1)
    let first = try devices.join("a")
    _ = try first.sync(a, now: SharingDevices.now)
    let file = try #require(devices.names(in: "sources").first)
    try a.write { session in
      var record = try #require(try session.history.sourceRecords().first)
      record.source.columns[0] = .text("renamed.gpx")
      try session.update(record.id, to: record.source)
    }
    _ = try first.sync(a, now: SharingDevices.now)
    try devices.change(file, in: "sources") { $0[$0.count / 2] ^= 1 }
    let second = try devices.join("b", addedBy: first)
    #expect(try second.sync(b, now: SharingDevices.now).pending.count == 1)
    // Under another name, because nobody can read what was in it.
    #expect(try first.sync(a, now: SharingDevices.now).filesWritten == 1)
    let report = try second.sync(b, now: SharingDevices.now)
    #expect(report.changes.fixesAdded == 200 && report.pending == [])
    _ = try first.sync(a, now: SharingDevices.now)
    #expect(try !devices.names(in: "sources").contains(file))
    try expectEqual()
  }

  @Test func `a file of a later version is no damaged one`() throws {
    #expect(SyncFileError.isDamage(SyncFileError.notDecrypted("It is cut off.")))
    let part = "envelope"
    #expect(
      SyncFileError.isDamage(SyncFileError.notValid(.init(.notAuthentic, in: part, at: 0))))
    #expect(
      !SyncFileError.isDamage(
        SyncFileError.notValid(.init(.unsupportedVersion(9), in: part, at: 4))))
    #expect(!SyncFileError.isDamage(SyncFormatError(.unknownTag(9), in: "source", at: 0)))
    #expect(!SyncFileError.isDamage(SyncFileError.notForThisDevice))
    #expect(!SyncFileError.isDamage(SyncDirectoryError.missing(path: "x")))
  }

  @Test func `an own manifest that is cut off is written again`() throws {
    try devices.add(200, to: a, as: "1", seed: 1)
    let first = try devices.join("a")
    _ = try first.sync(a, now: SharingDevices.now)
    let file = try #require(devices.names(in: "devices").first)
    try devices.change(file, in: "devices") { $0 = $0.prefix(500) }
    let second = try devices.join("b", addedBy: first)
    #expect(try second.sync(b, now: SharingDevices.now).pending.map(\.path.name) == [file])
    #expect(try first.sync(a, now: SharingDevices.now).wroteManifest)
    #expect(try second.sync(b, now: SharingDevices.now).pending == [])
    try expectEqual()
  }

  @Test func `an older manifest that is cut off is of no interest`() throws {
    let first = try devices.join("a")
    _ = try first.sync(a, now: SharingDevices.now)
    let older = try #require(devices.names(in: "devices").first)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: devices.path("devices/" + older)))
    try devices.add(200, to: a, as: "1", seed: 1)
    _ = try first.sync(a, now: SharingDevices.now)
    try bytes.prefix(300).write(to: URL(fileURLWithPath: devices.path("devices/" + older)))
    let second = try devices.join("b", addedBy: first)
    let report = try second.sync(b, now: SharingDevices.now)
    #expect(report.pending == [] && report.changes.fixesAdded == 200)
  }

  @Test func `a damaged manifest is written again`() throws {
    try devices.add(200, to: a, as: "1", seed: 1)
    let first = try devices.join("a")
    let second = try devices.join("b", addedBy: first)
    _ = try second.sync(b, now: SharingDevices.now)
    _ = try first.sync(a, now: SharingDevices.now)
    let file = try #require(
      devices.names(in: "devices").first { $0.hasPrefix("\(first.device)") })
    try devices.change(file, in: "devices") { $0[$0.count / 2] ^= 1 }
    #expect(try second.sync(b, now: SharingDevices.now).unreadable.count == 1)
    #expect(try first.sync(a, now: SharingDevices.now).filesWritten == 1)
    #expect(try second.sync(b, now: SharingDevices.now).changes.fixesAdded == 200)
    try expectEqual()
  }
}

/// A folder that can only be read, such as one on a full disk.
private struct UnchangingDirectory: SyncDirectory {
  private let directory: LocalSyncDirectory

  init(_ directory: LocalSyncDirectory) { self.directory = directory }

  func entries(of folder: String) throws(SyncDirectoryError) -> [SyncDirectoryEntry] {
    try directory.entries(of: folder)
  }

  func read(_ name: String, in folder: String, limit: Int) throws(SyncDirectoryError) -> [UInt8] {
    try directory.read(name, in: folder, limit: limit)
  }

  func write(_ bytes: [UInt8], to name: String, in folder: String) throws(SyncDirectoryError) {
    throw .failed(path: name, reason: "No space left on device")
  }

  func remove(_ name: String, in folder: String) throws(SyncDirectoryError) {
    throw .failed(path: name, reason: "No space left on device")
  }
}

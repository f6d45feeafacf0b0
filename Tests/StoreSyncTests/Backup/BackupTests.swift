import Foundation
import TestSupport
import Testing

@testable import GeoStore
@testable import StoreSync

/// Backups in a folder on the disk: which are kept, what they protect, and what a verification
/// finds.
@Suite struct BackupTests {
  private let bench: BackupBench
  private let now = BackupBench.now

  init() throws { bench = try BackupBench() }

  @Test func `a backup names all files of the store, and sends those that the folder lacks`()
    throws
  {
    let a = try bench.store("a")
    try bench.add(200, to: a, as: "1", seed: 1)
    try bench.add(5_000, to: a, as: "2", seed: 2)
    let folder = try bench.join("a")
    let first = try folder.backUp(a, note: "before the journey", now: now)
    #expect(first.filesWritten == 2 && first.expired == [])
    let manifest = first.entry.manifest
    #expect(manifest.keptFixes == 5_200 && manifest.number == 1 && manifest.displayName == "a")
    #expect(manifest.note == "before the journey" && first.entry.date == "2023-11-14T22:13:20Z")
    #expect(
      Set(manifest.files.keys.map(\.name)) == Set(try bench.names("sources"))
        && first.entry.byteCount > 0)
    let second = try folder.backUp(a, now: now + 1)
    #expect(second.filesWritten == 0 && second.entry.manifest.number == 2)
    #expect(try folder.backups().entries.map(\.date) == [first.entry.date, second.entry.date])
    #expect(try bench.names("backups").count == 2)
    // A later sync does not mind.
    let sync = try folder.sync(a, now: now + 2)
    #expect(sync.filesWritten == 0 && sync.filesRemoved == 0 && !sync.wroteManifest)
  }

  @Test func `news of other devices are not part of a backup`() throws {
    let (a, b) = (try bench.store("a"), try bench.store("b"))
    try bench.add(40, to: a, as: "1", seed: 1)
    let first = try bench.join("a")
    let second = try bench.join("b", recoveryKey: first.recoveryKey)
    _ = try first.sync(a, now: now)
    _ = try second.sync(b, now: now)
    try bench.forget("1", in: b)
    _ = try second.sync(b, now: now)
    // The other device has forgotten everything; this one does not know it yet.
    let report = try first.backUp(a, now: now)
    #expect(report.entry.manifest.keptFixes == 40)
    _ = try first.sync(a, now: now)
    #expect(try a.read { try $0.sources().count } == 0)
    #expect(try bench.names("sources").count == 1, "the backup needs it")
    #expect(try second.backups().entries.count == 1)
    #expect(try first.verify(store: nil).verification.isSound)
  }

  @Test func `the last five backups of a device are kept, or as many as were set`() throws {
    let (a, b) = (try bench.store("a"), try bench.store("b"))
    let first = try bench.join("a")
    let second = try bench.join("b", recoveryKey: first.recoveryKey)
    _ = try second.backUp(b, now: now - 1)
    // A clock that goes back does not remove the newest backup.
    for number in 0..<6 { _ = try first.backUp(a, now: now - Int64(number)) }
    var numbers = try first.backups().entries(of: first.device).map(\.manifest.number)
    #expect(numbers == [2, 3, 4, 5, 6])
    try first.keep(backups: 2)
    let report = try first.backUp(a, now: now + 9)
    #expect(report.expired.count == 4)
    numbers = try first.backups().entries(of: first.device).map(\.manifest.number)
    #expect(numbers == [6, 7])
    #expect(try first.backups().entries(of: second.device).count == 1)
    // It is kept for the next time.
    _ = try first.backUp(a, now: now + 10)
    #expect(try first.backups().entries(of: first.device).map(\.manifest.number) == [7, 8])
    try Data("no number".utf8).write(
      to: URL(fileURLWithPath: bench.path("a") + "-sync/backups.keep"))
    #expect(throws: BackupError.self) { try first.backUp(a, now: now + 11) }
    try first.keep(backups: 1)
    _ = try first.backUp(a, now: now + 12)
    #expect(try first.backups().entries(of: first.device).map(\.manifest.number) == [9])
  }

  @Test func `files that a backup names stay until it expires or is removed`() throws {
    let a = try bench.store("a")
    try bench.add(200, to: a, as: "1", seed: 1)
    try bench.add(200, to: a, as: "2", seed: 2)
    let folder = try bench.join("a")
    try folder.keep(backups: 2)
    _ = try folder.backUp(a, now: now)
    try bench.forget("1", in: a)
    #expect(try folder.sync(a, now: now).filesRemoved == 1, "only the old manifest")
    #expect(try bench.names("sources").count == 2)
    _ = try folder.backUp(a, now: now + 1)
    #expect(try bench.names("sources").count == 2)
    let third = try folder.backUp(a, now: now + 2)
    #expect(third.expired.count == 1 && third.filesRemoved == 1)
    #expect(try bench.names("sources").count == 1)
    #expect(try folder.verify(store: nil).verification.isSound)
    // What only the devices name stays when all backups are gone.
    for entry in try folder.backups().entries {
      #expect(try folder.removeBackup(entry.date, store: a).filesRemoved == 0)
    }
    #expect(try folder.backups().entries.isEmpty && bench.names("sources").count == 1)
    #expect(throws: BackupError.notFound(date: "2023")) {
      try folder.removeBackup("2023", store: a)
    }
  }

  @Test func `nothing is removed as long as a backup cannot be read`() throws {
    let a = try bench.store("a")
    try bench.add(100, to: a, as: "1", seed: 1)
    let folder = try bench.join("a")
    try folder.keep(backups: 1)
    let report = try folder.backUp(a, now: now)
    let file = bench.file("backups", report.entry.path.name)
    let bytes = try Data(contentsOf: file)
    try bench.forget("1", in: a)
    for broken in [Data(bytes.dropLast(200)), Data(bytes.prefix(100)), Data()] {
      try broken.write(to: file)
      _ = try folder.sync(a, now: now)
      #expect(try bench.names("sources").count == 1, "\(broken.count) bytes are there")
      let next = try folder.backUp(a, now: now + 1)
      _ = try folder.removeBackup(next.entry.path.code, store: a)
      #expect(try bench.names("sources").count == 1)
    }
    try FileManager.default.removeItem(at: file)
    let placeholder = bench.file("backups", ".\(report.entry.path.name).icloud")
    try Data([1]).write(to: placeholder)
    _ = try folder.sync(a, now: now)
    #expect(try bench.names("sources").count == 1)
    try FileManager.default.removeItem(at: placeholder)
    _ = try folder.sync(a, now: now)
    #expect(try bench.names("sources").count == 0)
  }

  @Test func `backups expire after a device was removed, and not while a manifest is awaited`()
    throws
  {
    let (a, b) = (try bench.store("a"), try bench.store("b"))
    try bench.add(50, to: a, as: "1", seed: 1)
    let recoveryKey = try { try bench.join("a").recoveryKey }()
    let second = try bench.join("b", recoveryKey: recoveryKey)
    let first = try bench.join("a")
    _ = try first.backUp(a, now: now)
    _ = try second.sync(b, now: now)
    try first.remove("b")
    try first.keep(backups: 1)
    let other = try #require(
      try bench.names("devices").first { $0.hasPrefix("\(second.device)") })
    let (file, placeholder) = (
      bench.file("devices", other), bench.file("devices", ".\(other).icloud")
    )
    try FileManager.default.moveItem(at: file, to: placeholder)
    let early = try first.backUp(a, now: now + 1)
    #expect(early.isExpiryPostponed && early.expired == [])
    try FileManager.default.moveItem(at: placeholder, to: file)
    // It is encrypted to the key of before.
    let report = try first.backUp(a, now: now + 2)
    #expect(!report.isExpiryPostponed && report.expired.count == 2)
    #expect(try bench.names("backups").count == 1)
  }

  @Test func `a backup that cannot be read is removed by its code`() throws {
    let a = try bench.store("a")
    let folder = try bench.join("a")
    let report = try folder.backUp(a, now: now)
    try Data(count: 4_000).write(to: bench.file("backups", report.entry.path.name))
    let catalog = try folder.backups()
    #expect(catalog.entries.isEmpty && catalog.problems.map(\.path) == [report.entry.path])
    let removed = try folder.removeBackup(
      String(report.entry.path.code.prefix(8)), store: a)
    #expect(removed.name == report.entry.path.code && removed.isIncomplete)
    #expect(removed.filesRemoved == nil)
    #expect(try bench.names("backups").isEmpty)
  }

  @Test func `a verification names every file that is missing, cut off, changed or swapped`() throws
  {
    let a = try bench.store("a")
    try bench.add(300, to: a, as: "1", seed: 1)
    try bench.add(300, to: a, as: "2", seed: 2)
    let folder = try bench.join("a")
    let report = try folder.backUp(a, now: now)
    try bench.add(300, to: a, as: "3", seed: 3)
    _ = try folder.backUp(a, now: now + 1)
    #expect(try folder.verify(store: nil).verification.isSound)
    #expect(try folder.verify(store: nil).verification.filesRead == 3)
    #expect(try folder.verify(report.entry.path.code, store: nil).verification.filesRead == 2)
    let names = report.entry.manifest.files.keys.map(\.name).sorted()
    for (index, name) in names.enumerated() {
      let file = bench.file("sources", name)
      let bytes = try Data(contentsOf: file)
      var changed = bytes
      changed[bytes.count / 2] ^= 4
      let other = try Data(contentsOf: bench.file("sources", names[1 - index]))
      for broken in [Data(bytes.dropLast()), Data(bytes.prefix(600)), Data(), changed, other, nil] {
        if let broken {
          try broken.write(to: file)
        } else {
          try FileManager.default.removeItem(at: file)
        }
        let (verification, _) = try folder.verify(store: nil)
        #expect(!verification.isSound)
        for finding in verification.findings {
          #expect(finding.problems.map(\.path.name) == [name], "\(broken?.count ?? -1) bytes")
        }
        #expect(throws: BackupError.self) {
          try folder.replace(
            bench.path("new"), with: report.entry, now: now, present: { nil },
            opening: { try Store(path: $0, creating: true) })
        }
        #expect(!FileManager.default.fileExists(atPath: bench.path("new")))
      }
      try bytes.write(to: file)
    }
    #expect(try folder.verify(store: nil).verification.isSound)
  }

  /// Nobody else has the folder, so no other device asks for the file.
  @Test func `what a verification finds damaged is written again by the next backup`() throws {
    let a = try bench.store("a")
    for number in 1...3 { try bench.add(300, to: a, as: "\(number)", seed: UInt64(number)) }
    let folder = try bench.join("a")
    let report = try folder.backUp(a, now: now)
    let names = report.entry.manifest.files.keys.map(\.name).sorted()
    for name in names.prefix(2) {
      let file = bench.file("sources", name)
      var bytes = try Data(contentsOf: file)
      bytes[bytes.count / 2] ^= 4
      try bytes.write(to: file)
    }
    // What cannot be read for another reason is not damaged.
    let other = bench.file("sources", names[2])
    let kept = try Data(contentsOf: other)
    try FileManager.default.removeItem(at: other)
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
    let (found, _) = try folder.verify(store: a)
    try FileManager.default.removeItem(at: other)
    try kept.write(to: other)
    #expect(found.findings[0].problems.count == 3)
    // A look at one backup forgets nothing of the others.
    _ = try folder.verify(report.entry.path.code, store: a)
    #expect(found.damaged.map(\.name).sorted() == Array(names.prefix(2)))
    #expect(try folder.backUp(a, now: now + 1).filesWritten == 2)
    #expect(try folder.verify(store: a).verification.isSound)
    #expect(try folder.backUp(a, now: now + 2).filesWritten == 0)
    // The first backup has its files again too.
    _ = try folder.replace(
      bench.path("new"), with: report.entry, now: now, present: { nil },
      opening: { try Store(path: $0, creating: true) })
  }

  @Test func `a verification finds a source file that is whole and has other contents`() throws {
    let replica = Replica()
    let a = try bench.store("a")
    try bench.add(30, to: a, as: "1", seed: 1)
    let entry = try BackupRun(a, with: replica, now: now).run(
      as: (DeviceName(number: 1), "a"), note: "", keeping: 5
    ).entry
    var manifest = entry.manifest
    let name = try #require(manifest.state.sources.keys.first)
    guard case .present(var source) = manifest.state.sources[name] else { return }
    source.row.digest = Digest(high: 1, low: 2)
    manifest.state.sources[name] = .present(source)
    let catalog = try BackupCatalog(replica)
    let wrong = BackupCatalog.Entry(path: entry.path, manifest: manifest)
    let found = try BackupVerification([wrong], of: catalog, in: replica)
    #expect(found.findings.first?.problems.count == 1)
    let sound = try BackupVerification([entry], of: catalog, in: replica)
    #expect(sound.isSound)
  }

  @Test func `a backup is named by the beginning of its date, or by its code`() throws {
    let a = try bench.store("a")
    let folder = try bench.join("a")
    for milliseconds in [0, 1, 1, BackupBench.day] {
      _ = try folder.backUp(a, now: now + milliseconds)
    }
    let catalog = try folder.backups()
    #expect(try catalog.entry(nil).date == "2023-11-15T22:13:20Z")
    #expect(try catalog.entry("2023-11-15").date == "2023-11-15T22:13:20Z")
    #expect(try catalog.entry("2023-11-14t22:13:20Z").date == "2023-11-14T22:13:20Z")
    let twins = catalog.entries[1...2].map(\.path.code)
    #expect(
      throws: BackupError.ambiguous(date: "2023-11-14T22:13:20.001", found: twins)
    ) { try catalog.entry("2023-11-14T22:13:20.001") }
    #expect(try catalog.entry(twins[1].uppercased()).path.code == twins[1])
    #expect(throws: BackupError.notFound(date: "2024")) { try catalog.entry("2024") }
    #expect(throws: BackupError.notFound(date: "abc")) { try catalog.entry("abc") }
  }
}

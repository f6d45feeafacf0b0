import ByteStreams
import Foundation
import GeoStore
import Geodesy
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// Import of compressed files and archives.
@Suite struct ImportArchiveTests {
  /// A track with points about 1.1 km apart and without times, all of which are kept; `blanks` adds
  /// spaces after each point to make the text longer.
  private static func track(_ points: Int, latitude: Int = 10, blanks: Int = 0) -> [UInt8] {
    let gap = String(repeating: " ", count: blanks)
    var text = "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>"
    for index in 0..<points {
      let longitude = Double(index % 10_000) * 0.01
      text += "\n<trkpt lat=\"\(latitude + index / 10_000).5\" lon=\"\(longitude)\"/>" + gap
    }
    return Array((text + "\n</trkseg></trk></gpx>").utf8)
  }

  private let fixture: Fixture
  private let folder: TemporaryFolder

  init() throws {
    fixture = try Fixture()
    folder = try TemporaryFolder()
  }

  private func archive(_ files: [ZipBuilder.File]) -> [UInt8] { ZipBuilder(files).build().bytes }

  private func run(_ names: String...) throws -> ImportReport {
    try fixture.explorer.importTracks(names.map { folder.file($0) })
  }

  private func counts() throws -> StoreCounts {
    try fixture.explorer.store.read { snapshot in try snapshot.counts() }
  }

  /// Path below the folder, status and kept fixes of each file.
  private func summary(_ report: ImportReport) -> [String] {
    report.files.map {
      "\($0.path.replacingOccurrences(of: folder.path + "/", with: "")) \($0.status.rawValue) "
        + "\($0.track.kept)"
    }
  }

  // MARK: - Recognizing archives

  @Test func `a self-extracting archive is read only if its name ends in .zip`() throws {
    var builder = ZipBuilder([ZipBuilder.File("a.gpx", Self.track(3))])
    builder.prefix = Array("#!/bin/sh\nexit\n".utf8) + [UInt8](repeating: 0x90, count: 5_000)
    try folder.write(builder.build().bytes, to: "own.zip")
    try folder.write(builder.build().bytes, to: "own.sh")
    try #expect(summary(run("own.zip")) == ["own.zip/a.gpx imported 3"])
    try #expect(summary(run("own.sh")) == ["own.sh refused 0"])
  }

  @Test func `an archive with a split-archive marker at its start is read`() throws {
    var builder = ZipBuilder([ZipBuilder.File("a.gpx", Self.track(3))])
    builder.prefix = [0x50, 0x4B, 0x30, 0x30]
    try folder.write(builder.build().bytes, to: "marked.zip")
    try #expect(summary(run("marked.zip")) == ["marked.zip/a.gpx imported 3"])
  }

  // MARK: - gzip

  @Test func `a gzip file is the same source as its decompressed content`() throws {
    let bytes = Self.track(5)
    try folder.write(Deflate.gzip(bytes), to: "a.gpx.gz")
    try folder.write(bytes, to: "b.gpx")
    let first = try run("a.gpx.gz")
    #expect(summary(first) == ["a.gpx.gz imported 5"])
    #expect(first.files[0].sha256 == SHA256.hexadecimal(of: bytes))
    #expect(first.files[0].bytes == bytes.count)
    #expect(first.files[0].track.format == .gpx)
    let second = try run("a.gpx.gz", "b.gpx")
    #expect(summary(second) == ["a.gpx.gz duplicate 0", "b.gpx duplicate 0"])
    #expect(second.files.map(\.bytes) == [bytes.count, bytes.count])
    #expect(second.files[0].track.format == .gpx)
    #expect(try counts().sources == 1)
  }

  @Test func `a truncated gzip file keeps its valid points, a corrupt one keeps nothing`() throws {
    let packed = Deflate.gzip(Self.track(50))
    try folder.write(Array(packed.dropLast(packed.count / 4)), to: "cut.gpx.gz")
    var damaged = Deflate.gzip(Self.track(50, latitude: 20))
    damaged[damaged.count - 6] ^= 1
    try folder.write(damaged, to: "damaged.gpx.gz")
    let report = try run("cut.gpx.gz", "damaged.gpx.gz")
    #expect(report.files[0].status == .imported)
    #expect((1..<50).contains(report.files[0].track.kept))
    #expect(report.files[0].track.warnings.contains { $0.message.contains("gzip") })
    #expect(report.files[1].status == .refused)
    #expect(report.files[1].track.error?.code == .malformed)
    #expect(report.files[1].track.points == 0)
    #expect(try counts().keptFixes == report.files[0].track.kept)
  }

  @Test
  func `a wrong checksum after more fixes than a queue holds leaves nothing in the store`() throws {
    let count = SourceQueue.capacityFixes + 5_000
    // The checksum is verified only at the very end.
    var packed = Deflate.gzip(Self.track(count), level: 1)
    packed[packed.count - 8] ^= 1
    try folder.write(packed, to: "a.gpx.gz")
    let report = try run("a.gpx.gz")
    #expect(report.files.map(\.status) == [.refused])
    #expect(report.changes == SourceChanges())
    let counts = try counts()
    #expect(counts.keptFixes == 0 && counts.sources == 0 && counts.visitedRegions == 0)
  }

  @Test func `a decompression bomb is refused`() throws {
    let blanks = [UInt8](repeating: 0x20, count: 1 << 20)
    try folder.write(
      Deflate.gzip(Self.track(2)) + Deflate.gzip(repeating: blanks, count: 64), to: "a.gpx.gz")
    let report = try run("a.gpx.gz")
    #expect(report.files.map(\.track.error?.code) == [.tooLarge])
    #expect(report.points == 0)
  }

  @Test func `the gzip streams in an archive expand to no more than a limit together`() throws {
    let blanks = [UInt8](repeating: 0x20, count: 1 << 20)
    let names = (0..<5).map { "\($0).gpx.gz" }
    // Each of them alone is allowed to.
    let files = (0..<5).map { number in
      Deflate.gzip(Self.track(2, latitude: 10 + number))
        + Deflate.gzip(repeating: blanks, count: 12)
    }
    for (name, bytes) in zip(names, files) { try folder.write(bytes, to: name) }
    let tar = try TarProgram.pack(names, in: folder)
    let archives = [
      ("a.zip", archive(zip(names, files).map { ZipBuilder.File($0, $1) })), ("a.tar", tar),
      ("a.tgz", Deflate.gzip(tar)),
    ]
    for (name, bytes) in archives {
      try folder.write(bytes, to: name)
      // The length of a pipe is not known: the limit grows with the part that is read.
      let pieces = stride(from: 0, to: bytes.count, by: 1_000).map { bytes[$0...].prefix(1_000) }
      try NamedPipe.feed(pieces, to: folder.file("pipe " + name))
      for path in [name, "pipe " + name] {
        let report = Explorer.preview([folder.file(path)])
        #expect(report.files.first?.status == .imported, "\(path)")
        #expect(report.files.last?.track.error?.code == .tooLarge, "\(path)")
        #expect(report.files.count == 5 && report.bytes < 50 << 20, "\(path)")
        // Long before its end, so much was read that two may expand.
        if name == "a.tar" { #expect(report.count(.imported) > 1, "\(path)") }
      }
    }
    #expect(try run(names[4]).files.map(\.status) == [.imported])
  }

  @Test func `an archive that is not read says that it must be unpacked`() throws {
    try folder.write(Self.track(2), to: "b.gpx")
    let tar = try TarProgram.pack(["b.gpx"], in: folder)
    try folder.write(archive([ZipBuilder.File("a.gpx", tar)]), to: "tar.zip")
    for (bytes, name) in [
      ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0], "an xz"), (Array("BZh9".utf8), "a bzip2"),
    ] as [([UInt8], String)] {
      try folder.write(bytes, to: "a.gpx")
      let message = try run("a.gpx").files.first?.track.error?.message
      #expect(message == "It is \(name) archive; unpack it first.")
    }
    let inner = try run("tar.zip").files.first?.track.error?.message
    #expect(inner == "It is a tar archive; unpack it first.")
  }

  @Test func `gzip without a track is ignored in a folder and refused if named`() throws {
    try folder.write(Deflate.gzip(Array("hello".utf8)), to: "in/notes.txt.gz")
    try folder.write(Deflate.gzip(Array("hello".utf8)), to: "in/track.gpx.gz")
    let report = try run("in")
    #expect(summary(report) == ["in/track.gpx.gz refused 0"])
    #expect(report.ignored == 1)
    #expect(summary(try run("in/notes.txt.gz")) == ["in/notes.txt.gz refused 0"])
  }

  // MARK: - zip

  @Test func `each member of an archive is its own source`() throws {
    let contents = [Self.track(5), Self.track(3, latitude: 20), Self.track(2, latitude: 30)]
    let files = [
      ZipBuilder.File("activities/", []), ZipBuilder.File("activities/1.gpx", contents[0]),
      ZipBuilder.File("activities/2.gpx.gz", Deflate.gzip(contents[1])),
      ZipBuilder.File("photo.jpg", [0xFF, 0xD8, 0xFF, 0]), ZipBuilder.File("log.txt", contents[2]),
      ZipBuilder.File("again.gpx", contents[0]), ZipBuilder.File("broken.gpx", Array("{}".utf8)),
      ZipBuilder.File("__MACOSX/._1.gpx", [0, 5, 22, 7]),
      ZipBuilder.File(".DS_Store", [0, 0, 0, 1]),
    ]
    try folder.write(archive(files), to: "export.zip")
    let report = try run("export.zip")
    #expect(
      summary(report) == [
        "export.zip/activities/1.gpx imported 5", "export.zip/activities/2.gpx.gz imported 3",
        "export.zip/log.txt imported 2", "export.zip/again.gpx duplicate 0",
        "export.zip/broken.gpx refused 0",
      ])
    #expect(report.ignored == 3)
    #expect(report.files.prefix(3).map(\.sha256) == contents.map { SHA256.hexadecimal(of: $0) })
    #expect(report.files.prefix(3).map(\.bytes) == contents.map(\.count))
    #expect(report.files.allSatisfy { $0.track.warnings.isEmpty })
    #expect(try counts().sources == 3)
    let again = try run("export.zip")
    #expect(again.count(.duplicate) == 4)
    #expect(try counts().sources == 3)
  }

  @Test func `importing an archive equals importing its members one by one`() throws {
    let contents = (0..<40).map { Self.track(1 + $0 % 7, latitude: $0) }
    try folder.write(
      archive(contents.indices.map { ZipBuilder.File("\($0).gpx", contents[$0]) }), to: "a.zip")
    let other = try Fixture()
    for (index, bytes) in contents.enumerated() { try folder.write(bytes, to: "\(index).gpx") }
    let together = try run("a.zip")
    let apart = try other.explorer.importTracks(contents.indices.map { folder.file("\($0).gpx") })
    #expect(together.files.map(\.track) == apart.files.map(\.track))
    #expect(together.files.map(\.sha256) == apart.files.map(\.sha256))
    #expect(try fixture.explorer.contents() == other.explorer.contents())
  }

  @Test func `a damaged member between large ones does not affect the others`() throws {
    let large = Self.track(SourceQueue.capacityFixes + 1_000)
    var damaged = ZipBuilder.File(
      "b.gpx", Self.track(SourceQueue.capacityFixes + 1_000, latitude: 40))
    damaged.crc = 1
    let small = ZipBuilder.File("c.gpx", Self.track(2, latitude: 80))
    try folder.write(archive([ZipBuilder.File("a.gpx", large), damaged, small]), to: "a.zip")
    let report = try run("a.zip")
    #expect(report.files.map(\.status) == [.imported, .refused, .imported])
    #expect(report.files[1].track.error?.code == .malformed)
    #expect(try counts().keptFixes == report.files[0].track.kept + 2)
    #expect(try counts().sources == 2)
  }

  @Test
  func `encrypted tracks are refused, other encrypted files are reported as left out`() throws {
    var claimed = ZipBuilder.File("a.gpx", Self.track(3))
    claimed.flags = 1
    var unclaimed = claimed
    unclaimed.name = Array("b\u{1B}.bin".utf8)
    try folder.write(
      archive([unclaimed, claimed, ZipBuilder.File("c.gpx", Self.track(2))]), to: "a.zip")
    let report = try run("a.zip")
    #expect(report.files.map(\.status) == [.refused, .imported])
    let warnings = report.files.flatMap(\.track.warnings)
    #expect(warnings.map(\.code) == [.leftOut])
    #expect(
      warnings[0].message.contains("b\u{FFFD}.bin") && warnings[0].message.contains("password"))
    try folder.write(archive([unclaimed]), to: "locked.zip")
    #expect(try run("locked.zip").files.map(\.track.error?.code) == [.unreadable])
  }

  @Test func `an archive without a track is ignored in a folder and refused if named`() throws {
    let files = [
      ZipBuilder.File("metadata.xxm", Array("XXM".utf8)), ZipBuilder.File("a.png", [1, 2, 3]),
    ]
    try folder.write(archive(files), to: "in/tour.mldx")
    try folder.write(archive([]), to: "in/empty.zip")
    try folder.write(archive(files), to: "in/claims.gpx.zip")
    let report = try run("in")
    #expect(summary(report) == ["in/claims.gpx.zip refused 0"])
    #expect(report.ignored == 1)
    #expect(report.unsupported == [.mldx: 2])
    let named = try run("in/tour.mldx", "in/empty.zip")
    #expect(named.files.map(\.track.error?.code) == [.unknownFormat, .empty])
    #expect(named.ignored == 0)
  }

  @Test func `all complete members of a truncated archive are imported`() throws {
    let files = (0..<10).map { ZipBuilder.File("\($0).gpx", Self.track(3, latitude: $0)) }
    let (bytes, directoryStart) = ZipBuilder(files).build()
    try folder.write(Array(bytes[..<(directoryStart - 40)]), to: "cut.zip")
    let report = try run("cut.zip")
    #expect(report.files.count == 10)
    #expect(
      report.files.dropLast().allSatisfy { $0.status == .imported && $0.track.warnings.isEmpty })
    #expect(report.files.last?.track.warnings.contains { $0.code == .truncated } == true)
    try folder.write(Array(bytes[..<20]), to: "stub.zip")
    #expect(try run("stub.zip").files.map(\.track.error?.code) == [.malformed])
  }

  @Test func `a preview reads archives and stores nothing`() throws {
    try folder.write(
      archive([ZipBuilder.File("a.gpx", Self.track(3)), ZipBuilder.File("b.gpx", Self.track(3))]),
      to: "a.zip"
    )
    let report = Explorer.preview([folder.file("a.zip")])
    #expect(report.files.map(\.status) == [.imported, .duplicate])
    #expect(report.kept == 3)
  }

  // MARK: - Damaged archives

  @Test func `a damaged archive in a folder is refused as if the user had named it`() throws {
    let archived = archive([ZipBuilder.File("notes", Self.track(50))])
    let gzip = Deflate.gzip(Self.track(50))
    // A gzip header (RFC 1952, 2.3), and a block of a type that deflate does not have.
    let damaged = gzip.prefix(10) + [UInt8](repeating: 0xFF, count: 100)
    let files: [(name: String, bytes: [UInt8])] = [
      ("bad.bin", Array(damaged)), ("cut.gz", Array(gzip.prefix(10))),
      ("download.zip", Array("<html>503</html>".utf8)), ("empty.zip", []),
      ("stub.zip", Array(archived.prefix(20))),
    ]
    for (name, bytes) in files { try folder.write(bytes, to: "in/" + name) }
    try folder.write(Array("words".utf8), to: "in/notes.txt")
    try folder.write([0, 5, 0x16, 7], to: "in/._stub.zip")
    let report = try run("in")
    #expect(summary(report) == files.map { "in/\($0.name) refused 0" })
    #expect(report.ignoredKinds == ["txt": 1, "zip": 1])
    for (file, name) in zip(report.files, files.map(\.name)) {
      let named = try run("in/" + name)
      #expect(file.track.error != nil && file.track.error == named.files.first?.track.error)
    }
  }

  @Test func `an archive in a folder that holds only a damaged archive is refused`() throws {
    let inner = Array(archive([ZipBuilder.File("notes", Self.track(50))]).prefix(20))
    try folder.write(archive([ZipBuilder.File("in.zip", inner)]), to: "only/a.zip")
    let report = try run("only")
    #expect(summary(report) == ["only/a.zip refused 0"])
    #expect(report.files.first?.track.error?.message.contains("in.zip") == true)
    try folder.write(
      archive([ZipBuilder.File("in.zip", inner), ZipBuilder.File("b.gpx", Self.track(2))]),
      to: "two/a.zip")
    let beside = try run("two")
    #expect(summary(beside) == ["two/a.zip/b.gpx imported 2"])
    #expect(beside.files.first?.track.warnings.contains { $0.code == .leftOut } == true)
  }

  // MARK: - Many refused files

  @Test(arguments: [0, 1, 250])
  func `of the refused files in an archive the first 1,000 are listed, and all are counted`(
    more: Int
  ) throws {
    let count = ArchiveRefusals.listedAtMost + more
    let bad = (0..<count).map { ZipBuilder.File("\($0).gpx", Array("words".utf8)) }
    // One half of them is in an archive in the archive.
    let inner = archive(Array(bad[..<(count / 2)]))
    let good = ZipBuilder.File("z.gpx", Self.track(3))
    let whole = archive(Array(bad[(count / 2)...]) + [ZipBuilder.File("inner.zip", inner), good])
    try folder.write(whole, to: "a.zip")
    try folder.write(Array("words".utf8), to: "b.gpx")
    let report = try run("a.zip", "b.gpx")
    #expect(report.files.count == ArchiveRefusals.listedAtMost + 2)
    #expect(report.files.count { $0.status == .refused } == ArchiveRefusals.listedAtMost + 1)
    #expect(summary(report).suffix(2) == ["a.zip/z.gpx imported 3", "b.gpx refused 0"])
    #expect(report.count(.refused) == count + 1 && report.fileCount == count + 2)
    #expect(report.bytes == 5 * (count + 1) + Self.track(3).count)
    #expect(report.unlistedRefusals.map(\.archive) == (more > 0 ? [folder.file("a.zip")] : []))
    #expect(report.unlistedCount == more)
  }

  // MARK: - Pipes

  @Test func `gzip and zip are read from a pipe`() throws {
    let bytes = Self.track(200, blanks: 500)
    var streamed = ZipBuilder.File("a.gpx", bytes)
    streamed.descriptor = (true, 4)
    let sent = [
      bytes, Deflate.gzip(bytes), archive([streamed, ZipBuilder.File("b.txt", Array("no".utf8))]),
      Array("PK".utf8),
    ]
    var reports: [ImportReport] = []
    for (index, bytes) in sent.enumerated() {
      let path = folder.file("pipe\(index)")
      // In small pieces, the first shorter than any signature.
      try NamedPipe.feed(
        [bytes.prefix(1)]
          + stride(from: 1, to: bytes.count, by: 1_000).map { bytes[$0...].prefix(1_000) },
        to: path)
      reports.append(try run("pipe\(index)"))
    }
    #expect(
      reports.map { $0.files.map(\.status) } == [
        [.imported], [.duplicate], [.duplicate], [.refused],
      ])
    #expect(reports[2].files[0].path == folder.file("pipe2/a.gpx"))
    #expect(reports[2].ignored == 1)
  }
}

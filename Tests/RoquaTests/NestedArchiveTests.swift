import Foundation
import GeoStore
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// Import of archives in archives.
@Suite struct NestedArchiveTests {
  private let fixture: Fixture
  private let folder: TemporaryFolder

  init() throws {
    fixture = try Fixture()
    folder = try TemporaryFolder()
  }

  private static func zip(_ files: (String, [UInt8])..., isDeflated: Bool = true) -> [UInt8] {
    ZipBuilder(
      files.map {
        var file = ZipBuilder.File($0.0, $0.1)
        file.isDeflated = isDeflated
        return file
      }
    ).build().bytes
  }

  private func run(_ names: String..., isDryRun: Bool = false) throws -> ImportReport {
    var options = ImportOptions()
    options.isDryRun = isDryRun
    return try fixture.explorer.importTracks(names.map { folder.file($0) }, options: options)
  }

  /// Path below the folder, status and kept fixes of each file.
  private func summary(_ report: ImportReport) -> [String] {
    report.files.map {
      "\($0.path.replacingOccurrences(of: folder.path + "/", with: "")) \($0.status.rawValue) "
        + "\($0.track.kept)"
    }
  }

  // MARK: - Members

  @Test(arguments: [true, false])
  func `the files of an archive in an archive are sources with the names of both`(
    isDeflated: Bool
  ) throws {
    let inner = Self.zip(("1.fit", TrackBytes.fit(5)), ("notes.txt", Array("no".utf8)))
    let bytes = Self.zip(
      ("a/Part1.zip", inner), ("b.tcx", TrackBytes.tcx(4, latitude: 20)),
      ("x.kmz", Self.zip(("doc.kml", TrackBytes.kml(3, latitude: 30)), ("i.png", [0x89]))),
      isDeflated: isDeflated)
    try folder.write(bytes, to: "in/export.zip")
    let tried = try run("in/export.zip", isDryRun: true)
    let report = try run("in")
    for report in [tried, report] {
      #expect(
        summary(report) == [
          "in/export.zip/a/Part1.zip/1.fit imported 5", "in/export.zip/b.tcx imported 4",
          "in/export.zip/x.kmz/doc.kml imported 3",
        ])
      #expect(report.files.allSatisfy { $0.track.warnings.isEmpty })
      #expect(report.ignoredKinds == ["txt": 1, "png": 1])
    }
    let again = try run("in/export.zip")
    #expect(again.files.map(\.status) == [.duplicate, .duplicate, .duplicate])
  }

  @Test func `the same file in both archives and next to them is one source`() throws {
    let fit = TrackBytes.fit(5)
    try folder.write(
      Self.zip(
        ("a.fit", fit), ("in.zip", Self.zip(("b.fit", fit), ("c.fit.gz", Deflate.gzip(fit))))),
      to: "export.zip")
    try folder.write(fit, to: "d.fit")
    let report = try run("d.fit", "export.zip")
    #expect(report.files.map(\.status) == [.imported, .duplicate, .duplicate, .duplicate])
    #expect(Explorer.preview([folder.file("export.zip")]).count(.duplicate) == 2)
  }

  @Test func `thousands of files in an archive in an archive are read in order`() throws {
    let files = (0..<3_000).map {
      ZipBuilder.File("\($0).fit", TrackBytes.fit(1, latitude: 1 + Double($0) * 0.01))
    }
    try folder.write(Self.zip(("in.zip", ZipBuilder(files).build().bytes)), to: "export.zip")
    let report = try run("export.zip")
    #expect(report.count(.imported) == 3_000 && report.kept == 3_000)
    #expect(
      report.files.map(\.path) == (0..<3_000).map { folder.file("export.zip/in.zip/\($0).fit") })
  }

  @Test func `an archive in an archive is read from a pipe`() throws {
    let bytes = Self.zip(
      ("in.zip", Self.zip(("1.fit", TrackBytes.fit(50)), ("2.fit", TrackBytes.fit(7)))),
      ("a.kmz", Self.zip(("doc.kml", TrackBytes.kml(3, latitude: 30)))))
    try NamedPipe.feed(
      stride(from: 0, to: bytes.count, by: 100).map { bytes[$0...].prefix(100) },
      to: folder.file("pipe"))
    let report = try run("pipe")
    #expect(
      summary(report) == [
        "pipe/in.zip/1.fit imported 50", "pipe/in.zip/2.fit imported 7",
        "pipe/a.kmz/doc.kml imported 3",
      ])
  }

  @Test func `a canceled import stores complete files of an archive in an archive only`() throws {
    let files = (0..<50).map {
      ZipBuilder.File("\($0).fit", TrackBytes.fit(100, latitude: 1 + Double($0)))
    }
    try folder.write(Self.zip(("in.zip", ZipBuilder(files).build().bytes)), to: "export.zip")
    let cancellation = Cancellation()
    var options = ImportOptions()
    options.cancellation = cancellation
    options.onFile = { _, _, _ in cancellation.cancel() }
    let report = try fixture.explorer.importTracks([folder.file("export.zip")], options: options)
    // All of them may be stored together.
    #expect(report.isCancelled || report.count(.imported) == 50)
    #expect(try fixture.explorer.keptFixes().count == report.count(.imported) * 100)
    let rest = try run("export.zip")
    #expect(rest.count(.duplicate) == report.count(.imported))
    #expect(try fixture.explorer.keptFixes().count == 5_000)
  }

  // MARK: - What is left out

  @Test func `an archive in an archive in an archive is left out with a warning, at any position`()
    throws
  {
    let deep = Self.zip(("x.fit", TrackBytes.fit(4)))
    let nested = Self.zip(("deep.zip", deep))
    let track = TrackBytes.fit(3, latitude: 20)
    for (name, bytes) in [
      ("first.zip", Self.zip(("in.zip", nested), ("b.fit", track))),
      ("last.zip", Self.zip(("b.fit", track), ("in.zip", nested))),
    ] {
      try folder.write(bytes, to: name)
      for _ in 1...2 {  // the second time the track is a duplicate
        let report = try run(name)
        #expect(report.files.map(\.path) == [folder.file(name + "/b.fit")])
        #expect(report.files.map { $0.track.warnings.map(\.code) } == [[.leftOut]])
        #expect(
          report.files.first?.track.warnings.first?.message.contains("in.zip/deep.zip") == true)
      }
    }
  }

  @Test func `an archive in a folder that holds only tracks too deep to be read is refused`() throws
  {
    let deep = Self.zip(("in.zip", Self.zip(("deep.zip", Self.zip(("x.fit", TrackBytes.fit(4)))))))
    let pictures = Self.zip(("in.zip", Self.zip(("deep.zip", Self.zip(("x.jpg", [1]))))))
    try folder.write(deep, to: "in/deep.zip")
    try folder.write(pictures, to: "in/pictures.zip")
    let report = try run("in")
    #expect(summary(report) == ["in/deep.zip refused 0"])
    #expect(report.files.first?.track.error?.message.contains("in.zip/deep.zip") == true)
    #expect(report.ignoredKinds == ["zip": 1])
    #expect(summary(try run("in/pictures.zip")) == ["in/pictures.zip refused 0"])
  }

  @Test func `an archive that claims a track and holds none is refused, any other is ignored`()
    throws
  {
    let empty = Self.zip(("a.png", [0x89]))
    let track = ("t.fit", TrackBytes.fit(3))
    try folder.write(
      Self.zip(("a.kmz", empty), ("b.gpx.zip", empty), ("c.zip", empty), track), to: "export.zip")
    let report = try run("export.zip")
    #expect(
      summary(report) == [
        "export.zip/a.kmz refused 0", "export.zip/b.gpx.zip refused 0",
        "export.zip/t.fit imported 3",
      ])
    #expect(report.ignoredKinds == ["zip": 1])
    try folder.write(Self.zip(("a.kmz", Self.zip(("b.kmz", Self.zip(track))))), to: "deep.zip")
    let deep = try run("deep.zip")
    #expect(summary(deep) == ["deep.zip/a.kmz/b.kmz refused 0"])
  }

  @Test func `files that only the directory describes are never lost in silence`() throws {
    var stored = ZipBuilder.File("1.fit", TrackBytes.fit(3))
    stored.isDeflated = false
    stored.descriptor = (true, 4)
    var encrypted = ZipBuilder.File("1.fit", TrackBytes.fit(3))
    encrypted.flags = 1
    encrypted.descriptor = (true, 4)
    let second = ZipBuilder.File("2.fit", TrackBytes.fit(4))
    for first in [stored, encrypted] {
      let inner = ZipBuilder([first, second]).build().bytes
      try folder.write(Self.zip(("in.zip", inner)), to: "export.zip")
      let report = try run("export.zip")
      #expect(summary(report) == ["export.zip/in.zip/1.fit refused 0"])
      #expect(report.files.first?.track.warnings.map(\.code) == [.truncated])
      #expect(report.files.first?.track.warnings.first?.message.contains("in.zip") == true)
      var unclaimed = first
      unclaimed.name = Array("photo".utf8)
      let other = ZipBuilder([unclaimed, second]).build().bytes
      try folder.write(Self.zip(("in.zip", other), ("b.fit", TrackBytes.fit(9))), to: "in/e.zip")
      let beside = try run("in")
      #expect(beside.files.map(\.path) == [folder.file("in/e.zip/b.fit")])
      #expect(beside.files.first?.track.warnings.contains { $0.message.contains("in.zip") } == true)
    }
  }

  @Test func `a damaged file in an archive in an archive does not affect the others`() throws {
    var damaged = ZipBuilder.File("2.fit", TrackBytes.fit(3, latitude: 20))
    damaged.crc = 1
    let inner = ZipBuilder([
      ZipBuilder.File("1.fit", TrackBytes.fit(3)), damaged,
      ZipBuilder.File("3.fit", TrackBytes.fit(3, latitude: 30)),
    ]).build().bytes
    try folder.write(Self.zip(("in.zip", inner)), to: "export.zip")
    let report = try run("export.zip")
    #expect(report.files.map(\.status) == [.imported, .refused, .imported])
    #expect(report.files[1].track.error?.code == .malformed)
  }

  @Test func `an archive in an archive cut at any byte gives its complete files, with a warning`()
    throws
  {
    let fits = (0..<3).map { TrackBytes.fit(4, latitude: Double($0) + 1) }
    let bytes = Self.zip(
      ("in.zip", Self.zip(("0.fit", fits[0]), ("1.fit", fits[1]), ("2.fit", fits[2]))))
    var most = 0
    for length in stride(from: 1, to: bytes.count, by: 3) {
      try folder.write(Array(bytes[..<length]), to: "cut.zip")
      let report = Explorer.preview([folder.file("cut.zip")])
      let read = report.files.filter { $0.status == .imported }
      #expect(report.files.allSatisfy { $0.status == .imported || $0.track.error != nil })
      #expect(read.dropLast().allSatisfy { $0.track.kept == 4 })
      #expect(report.files.contains { !$0.track.warnings.isEmpty || $0.track.error != nil })
      most = max(most, read.count)
    }
    #expect(most == 3)
  }

  @Test func `a bomb in an archive in an archive is refused, and nothing of it is kept`() throws {
    let blanks = [UInt8](repeating: 0x20, count: 15 << 20)
    let inner = Self.zip(("a.gpx", blanks))
    try folder.write(
      ZipBuilder((0..<4).map { ZipBuilder.File("\($0).zip", inner) }).build().bytes,
      to: "export.zip")
    let report = try run("export.zip")
    #expect(report.files.allSatisfy { $0.status == .refused })
    #expect(report.files.contains { $0.track.error?.code == .tooLarge })
    #expect(report.bytes < 40 << 20)
  }
}

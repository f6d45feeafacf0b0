import ByteStreams
import Foundation
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// Import of tar archives, made by the system's tar.
@Suite struct ImportTarTests {
  private let fixture: Fixture
  /// What is packed, and the archives.
  private let (folder, archives): (TemporaryFolder, TemporaryFolder)

  init() throws {
    fixture = try Fixture()
    (folder, archives) = (try TemporaryFolder(), try TemporaryFolder())
  }

  /// A track of points 1.1 km apart and without times.
  private static func track(_ points: Int, latitude: Int) -> String {
    let points = (0..<points).map { "<trkpt lat=\"\(latitude).5\" lon=\"0.0\($0)\"/>\n" }
    return "<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>\n"
      + points.joined() + "</trkseg></trk></gpx>"
  }

  private func run(_ name: String) throws -> ImportReport {
    try fixture.explorer.importTracks([archives.file(name)])
  }

  /// Path below the folder, status and kept fixes of each file.
  private func summary(_ report: ImportReport) -> [String] {
    report.files.map {
      "\($0.path.replacingOccurrences(of: archives.path + "/", with: "")) \($0.status.rawValue) "
        + "\($0.track.kept)"
    }
  }

  /// Packs tracks, one of them compressed, with other files.
  private func pack() throws -> [UInt8] {
    try folder.write(Self.track(3, latitude: 10), to: "Takeout/a.gpx")
    try folder.write(Self.track(4, latitude: 20), to: "Takeout/more/b")
    let packed = Deflate.gzip(Array(Self.track(5, latitude: 30).utf8))
    try folder.write(packed, to: "Takeout/more/c.gpx.gz")
    try folder.write("Hello", to: "Takeout/read me.txt")
    try folder.write("not a track", to: "Takeout/z.gpx")
    let names = ["a.gpx", "more/b", "more/c.gpx.gz", "read me.txt", "z.gpx"]
    return try TarProgram.pack(names.map { "Takeout/" + $0 }, in: folder)
  }

  @Test(arguments: ["a.tar", "a.tar.gz", "a.tgz", "without ending"])
  func `each file in an archive is a source`(name: String) throws {
    let archive = try pack()
    try archives.write(name == "a.tar" ? archive : Deflate.gzip(archive), to: name)
    let report = try run(name)
    #expect(
      summary(report) == [
        "\(name)/Takeout/a.gpx imported 3", "\(name)/Takeout/more/b imported 4",
        "\(name)/Takeout/more/c.gpx.gz imported 5", "\(name)/Takeout/z.gpx refused 0",
      ])
    #expect(report.ignored == 1)
    let again = try run(name)
    #expect(again.files.map(\.status) == [.duplicate, .duplicate, .duplicate, .refused])
    // The same bytes as a file are the same source.
    try archives.write(Self.track(3, latitude: 10), to: "other.gpx")
    #expect(try run("other.gpx").files.map(\.status) == [.duplicate])
  }

  @Test func `an archive in the archive is left out, and named`() throws {
    try folder.write(Self.track(3, latitude: 10), to: "a.gpx")
    try folder.write([0x50, 0x4B, 3, 4] + [UInt8](repeating: 1, count: 60), to: "b.zip")
    try folder.write(try TarProgram.pack(["a.gpx"], in: folder), to: "c.tar")
    try archives.write(try TarProgram.pack(["a.gpx", "b.zip", "c.tar"], in: folder), to: "x.tar")
    let report = try run("x.tar")
    #expect(summary(report) == ["x.tar/a.gpx imported 3"])
    #expect(report.files[0].track.warnings.map(\.code) == [.leftOut])
    let message = report.files[0].track.warnings[0].message
    #expect(message.contains("b.zip") && message.contains("c.tar"))
  }

  @Test func `a cut in a file that is no track is reported`() throws {
    try folder.write(Self.track(3, latitude: 10), to: "a.gpx")
    try folder.write(String(repeating: "Hello ", count: 500), to: "note.txt")
    let archive = try TarProgram.pack(["a.gpx", "note.txt"], in: folder)
    let note = try #require(archive.firstRange(of: Array("Hello".utf8)))
    try archives.write(Array(archive[..<(note.lowerBound + 900)]), to: "x.tar")
    let report = try run("x.tar")
    #expect(summary(report) == ["x.tar/a.gpx imported 3"])
    #expect(report.files[0].track.warnings.map(\.code) == [.truncated])
    try archives.write(
      Array(try TarProgram.pack(["note.txt"], in: folder).prefix(1_000)), to: "y.tar")
    let none = try run("y.tar")
    #expect(
      none.files[0].track.error?.message
        == "It is a tar archive that is cut off or damaged; no track was found.")
  }

  @Test func `an archive whose first header is damaged is refused as damaged`() throws {
    try folder.write(Self.track(3, latitude: 10), to: "a.gpx")
    var archive = try TarProgram.pack(["a.gpx"], in: folder)
    archive[148] ^= 1
    for (name, bytes) in [("a.tar", archive), ("a.tgz", Deflate.gzip(archive)), ("a", archive)] {
      try archives.write(bytes, to: name)
      let report = try run(name)
      #expect(report.files.map(\.track.error?.code) == [.malformed])
      #expect(
        report.files[0].track.error?.message
          == "It is a tar archive whose first header is damaged.")
    }
    // In a folder, the one whose name says nothing is an ignored file.
    let below = try fixture.explorer.importTracks([archives.path])
    #expect(below.files.count == 2 && below.ignored == 1)
  }

  @Test func `an archive that is damaged behind many refused files is listed itself`() throws {
    let count = ArchiveRefusals.listedAtMost + 5
    let names = (0..<count).map { "\($0).gpx" }
    for name in names { try folder.write("words", to: name) }
    var archive = try TarProgram.pack(names, in: folder)
    // The checksum of the last header. A header and the contents of each file have 512 bytes.
    archive[(count - 1) * 1_024 + 148] ^= 1
    try archives.write(archive, to: "a.tar")
    let report = try run("a.tar")
    #expect(report.files.count == ArchiveRefusals.listedAtMost + 1)
    #expect(report.files.last?.path == archives.file("a.tar"))
    #expect(report.files.last?.track.error?.code == .malformed)
    #expect(report.count(.refused) == count && report.unlistedCount == 4)
  }

  @Test func `an archive without a track is refused with its reason`() throws {
    try folder.write("Hello", to: "note.txt")
    let one = try TarProgram.pack(["note.txt"], in: folder)
    try archives.write(one, to: "one.tar")
    let report = try run("one.tar")
    #expect(summary(report) == ["one.tar refused 0"])
    #expect(
      report.files[0].track.error?.message
        == "The only file in this tar archive is not a track in a supported format.")
    // In a folder it is one ignored file.
    let below = try fixture.explorer.importTracks([archives.path])
    #expect(below.files.isEmpty && below.ignored == 1)
  }

  @Test func `compressed data that its checksum contradicts brings nothing`() throws {
    let packed = Deflate.gzip(try pack())
    for index in packed.indices.suffix(8) {
      var damaged = packed
      damaged[index] ^= 0x41
      try archives.write(damaged, to: "a.tgz")
      let report = try run("a.tgz")
      #expect(summary(report) == ["a.tgz refused 0"])
      #expect(report.files[0].track.error?.code == .malformed)
    }
    #expect(try fixture.explorer.store.read { try $0.counts() }.keptFixes == 0)
  }

  @Test(arguments: [false, true])
  func `an archive that is cut off brings what is before the cut`(isPacked: Bool) throws {
    let archive = try pack()
    let b = try #require(archive.firstRange(of: Array("lat=\"20.5\" lon=\"0.02\"".utf8)))
    let cut = Array(archive[..<b.lowerBound])
    try archives.write(isPacked ? Deflate.gzip(cut) : cut, to: "a")
    let report = try run("a")
    #expect(
      summary(report) == ["a/Takeout/a.gpx imported 3", "a/Takeout/more/b imported 2"])
    #expect(report.files[1].track.warnings.map(\.code).contains(.truncated))
    #expect(report.files[0].track.warnings.isEmpty)
  }

  @Test func `compressed data that is cut off brings what is before the cut`() throws {
    try archives.write(Array(Deflate.gzip(try pack()).dropLast(9)), to: "a.tgz")
    let report = try run("a.tgz")
    #expect(report.files.count { $0.status == .imported } == 3)
    #expect(report.files.contains { $0.track.warnings.contains { $0.code == .truncated } })
  }
}

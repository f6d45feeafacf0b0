import Foundation
import Geodesy
import TestSupport
import Testing

/// Files that contain tracks in formats that `roqua import` does not support yet.
@Suite struct UnsupportedFileTests {
  /// What the tool says of an archive of MemoLanes.
  private static let advice =
    "It is a MemoLanes file, which is not supported yet; export its journeys from MemoLanes as GPX "
    + "or KML, and import those."

  /// An archive of MemoLanes.
  private static let memoLanes = ZipBuilder([ZipBuilder.File("metadata.xxm", [88, 88, 77, 1])])
    .build().bytes
  private static let track = TrackText.gpx(from: Coordinate(48, 8), count: 3)

  private func archive(_ files: [(String, [UInt8])]) -> [UInt8] {
    ZipBuilder(files.map { ZipBuilder.File($0.0, $0.1) }).build().bytes
  }

  @Test func `unsupported files in a folder are counted by kind, and the exit status is 2`() throws
  {
    let bench = try Bench()
    try bench.folder.write(Self.track, to: "life/a.gpx")
    for number in 1...20 { try bench.folder.write(Self.memoLanes, to: "life/rides/\(number).log") }
    try bench.folder.write(Self.memoLanes, to: "life/no-name")
    try bench.folder.write(Deflate.gzip(Self.memoLanes), to: "life/c.mldx.gz")
    try bench.folder.write("a note", to: "life/words.txt")
    try bench.folder.write("damaged", to: "life/damaged.mldx")
    let document = try bench.json("import", "life", status: 2)
    #expect(document.files.elements.map(\.path) == [.string("life/a.gpx")])
    #expect(document.totals.unsupported == .object(["mldx": .number(23)]))
    #expect(document.totals.ignored.int == 1)
    #expect(document.totals.imported.int == 1)
    let words = try bench.roqua("import", "life")
    #expect(words.status == 2)
    #expect(
      words.errorLines == [
        "roqua: 23 MemoLanes files skipped: not supported yet; export its journeys from MemoLanes "
          + "as GPX or KML, and import those"
      ])
    #expect(
      try bench.json("import", "--dry-run", "life", status: 2).totals.unsupported
        == document.totals.unsupported)
  }

  @Test func `a folder of only unsupported files is a partial success with exit status 2`() throws {
    let bench = try Bench()
    try bench.folder.write(Self.memoLanes, to: "rides/1.log")
    let words = try bench.roqua("import", "rides")
    #expect(words.status == 2)
    #expect(words.out == "")
    #expect(
      words.errorLines == [
        "roqua: 1 MemoLanes file skipped: not supported yet; export its journeys from MemoLanes as "
          + "GPX or KML, and import those"
      ])
    #expect(!bench.hasStore)
  }

  @Test func `a named unsupported file is refused and counted`() throws {
    let bench = try Bench()
    try bench.folder.write(Self.memoLanes, to: "a.log")
    try bench.folder.write(Self.memoLanes, to: "b.gpx")
    let document = try bench.json("import", "a.log", "b.gpx", status: 2)
    #expect(document.totals.refused.int == 2)
    #expect(document.totals.unsupported == .object(["mldx": .number(2)]))
    #expect(document.files[0].error.message == .string(Self.advice))
    #expect(document.files[0].error.code == .string("unknownFormat"))
  }

  @Test func `unsupported files in an archive are counted by kind`() throws {
    let bench = try Bench()
    let rides = (1...3).map { ("rides/\($0).log", Self.memoLanes) }
    try bench.folder.write(
      archive(rides + [("a.gpx", Array(Self.track.utf8)), ("words.txt", Array("words".utf8))]),
      to: "export.zip")
    let mixed = try bench.json("import", "export.zip", status: 2)
    #expect(mixed.files.elements.map(\.path) == [.string("export.zip/a.gpx")])
    #expect(mixed.totals.unsupported == .object(["mldx": .number(3)]))
    #expect(mixed.totals.ignored.int == 1)
    // An archive without a track: first named directly, then in a folder.
    try bench.folder.write(archive(rides), to: "only/rides.zip")
    let named = try bench.json("import", "only/rides.zip", status: 2)
    #expect(named.files.elements.count == 1 && named.files[0].status == .string("refused"))
    #expect(named.totals.unsupported == .object(["mldx": .number(3)]))
    let below = try bench.json("import", "only", status: 2)
    #expect(below.files.elements.isEmpty)
    #expect(below.totals.unsupported == .object(["mldx": .number(3)]))
    #expect(below.totals.ignored.int == 0)
  }

  @Test func `a format that is itself an archive is one file of its kind`() throws {
    let bench = try Bench()
    let mldx = archive([("metadata.xxm", [88, 88, 77, 1]), ("1", [77])])
    try bench.folder.write(mldx, to: "maps/c.mldx")
    let folder = try bench.json("import", "maps", status: 2)
    #expect(folder.files.elements.isEmpty)
    #expect(folder.totals.unsupported == .object(["mldx": .number(1)]))
    let named = try bench.json("import", "maps/c.mldx", status: 2)
    #expect(named.files[0].error.message == .string(Self.advice))
  }

  @Test func `a MemoLanes file is also counted in an archive and in gzip`() throws {
    let bench = try Bench()
    let mldx = archive([("metadata.xxm", [88, 88, 77, 1])])
    try bench.folder.write(
      archive([("a.gpx", Array(Self.track.utf8)), ("u.MLDX", mldx)]), to: "life/mixed.zip")
    let mixed = try bench.json("import", "life", status: 2)
    #expect(mixed.files.elements.map(\.path) == [.string("life/mixed.zip/a.gpx")])
    #expect(mixed.files[0].warnings.elements.isEmpty)
    #expect(mixed.totals.unsupported == .object(["mldx": .number(1)]))
    #expect(mixed.totals.ignored.int == 0)
    try bench.folder.write(archive([("t.mldx", mldx)]), to: "only/one.zip")
    try bench.folder.write(Deflate.gzip(mldx), to: "only/t.mldx.gz")
    let only = try bench.json("import", "only", status: 2)
    #expect(only.files.elements.isEmpty)
    #expect(only.totals.unsupported == .object(["mldx": .number(2)]))
    #expect(only.totals.ignored.int == 0)
  }

  @Test func `files that contain no tracks are counted without a message`() throws {
    let bench = try Bench()
    try bench.folder.write(Self.track, to: "life/a.gpx")
    try bench.folder.write([0x89, 0x50, 0x4E, 0x47], to: "life/a.png")
    try bench.folder.write("{\"a\":1}", to: "life/a.json")
    try bench.folder.write("name,value\na,1\n", to: "life/a.csv")
    try bench.folder.write("Positions are given as (lat, lon).\n", to: "life/README.txt")
    let document = try bench.json("import", "life")
    #expect(document.totals.unsupported == .object([:]))
    #expect(document.totals.ignored.int == 4)
  }

  @Test func `an image with the extension of a track is refused, and named`() throws {
    let bench = try Bench()
    try bench.folder.write(Self.track, to: "life/a.gpx")
    try bench.folder.write("SIMPLE  =                    T", to: "life/sky.fit")
    let document = try bench.json("import", "life", status: 2)
    #expect(
      document.files[1].error.message
        == .string("It is a FITS image, not a track in a supported format."))
  }

  @Test func `a track in an unsupported compression format is refused, not ignored`() throws {
    let bench = try Bench()
    try bench.folder.write([0x42, 0x5A, 0x68, 0x39], to: "life/a.gpx.bz2")
    let document = try bench.json("import", "life", status: 1)
    #expect(document.files[0].status == .string("refused"))
  }
}

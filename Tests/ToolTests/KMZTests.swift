import Foundation
import TestSupport
import Testing

/// KML in zip archives.
@Suite struct KMZTests {
  private static func kml(_ longitude: Int) -> [UInt8] {
    Array(
      ("<?xml version=\"1.0\"?><kml><Placemark><LineString><coordinates>\(longitude),48,500 "
        + "\(longitude),48.5,500</coordinates></LineString></Placemark></kml>").utf8)
  }

  private func archive(_ files: [(String, [UInt8])]) -> [UInt8] {
    ZipBuilder(files.map { ZipBuilder.File($0.0, $0.1) }).build().bytes
  }

  @Test func `the KML of a KMZ file is read under any name, and images are ignored`() throws {
    let bench = try Bench()
    try bench.folder.write(
      archive([("FOLDER/Way.KML", Self.kml(8)), ("files/a.png", [0x89, 0x50, 0x4E, 0x47])]),
      to: "maps/a.kmz")
    let document = try bench.json("import", "maps")
    #expect(document.files.elements.map(\.path) == [.string("maps/a.kmz/FOLDER/Way.KML")])
    #expect(document.files[0].format == .string("kml"))
    #expect(document.files[0].points.int == 2)
    #expect(document.files[0].warnings.elements.isEmpty)
    #expect(document.totals.ignored.int == 1)
    #expect(try bench.json("import", "maps").totals.duplicates.int == 1)
  }

  @Test func `the same KML in a KMZ file and alone is one source`() throws {
    let bench = try Bench()
    try bench.folder.write(archive([("doc.kml", Self.kml(8))]), to: "a.kmz")
    try bench.folder.write(Self.kml(8), to: "b.kml")
    #expect(try bench.json("import", "a.kmz").totals.imported.int == 1)
    let again = try bench.json("import", "b.kml")
    #expect(again.files[0].status == .string("duplicate"))
  }

  @Test func `a KMZ file without KML is refused with a reason`() throws {
    let bench = try Bench()
    try bench.folder.write(archive([("a.png", [0x89, 0x50, 0x4E, 0x47])]), to: "maps/a.kmz")
    let document = try bench.json("import", "maps", status: 1)
    #expect(document.files[0].status == .string("refused"))
    #expect(document.files[0].error.code == .string("unknownFormat"))
  }
}

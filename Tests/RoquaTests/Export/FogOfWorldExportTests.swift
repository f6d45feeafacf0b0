import Foundation
import GeoStore
import Geodesy
import TestSupport
import Testing

@testable import Roqua

@Suite struct FogOfWorldExportTests {
  @Test func `A Sync folder brings the same cells back, and is then written with the same bytes`()
    throws
  {
    let (fixture, other) = (try Fixture(), try Fixture())
    _ = try fixture.explorer.importTracks(Fixture.townSamples)
    let folder = fixture.folder.file("Sync")
    let report = try fixture.explorer.export(
      to: folder, options: ExportOptions(format: .fogOfWorld))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(report.layers.map(\.features) == [names.count])
    #expect(names.count > 1)

    _ = try other.explorer.importTracks([folder])
    #expect(try other.explorer.coverage() == fixture.explorer.coverage())
    let again = other.folder.file("Sync")
    _ = try other.explorer.export(to: again, options: ExportOptions(format: .fogOfWorld))
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: again)) == Set(names))
    for name in names {
      let bytes = try Data(contentsOf: URL(filePath: folder).appending(path: name))
      #expect(try Data(contentsOf: URL(filePath: again).appending(path: name)) == bytes)
    }
  }

  @Test func `A folder with files stays as it is, and an empty one is taken`() throws {
    let fixture = try Fixture()
    _ = try fixture.explorer.importTracks([Fixture.townSamples[0]])
    try fixture.folder.write("mine", to: "full/note.txt")
    let options = ExportOptions(format: .fogOfWorld)
    let full = fixture.folder.file("full")
    #expect(throws: DatabaseError.cannotWrite(path: full, reason: "the folder is not empty")) {
      try fixture.explorer.export(to: full, options: options)
    }
    // What a killed process left.
    let abandoned = fixture.folder.file(".empty.roqua-partial-abcdef")
    try FileManager.default.createDirectory(
      atPath: abandoned, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    try fixture.folder.write("tile", to: ".empty.roqua-partial-abcdef/827clhwjsdw")
    let empty = fixture.folder.file("empty")
    try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
    let report = try fixture.explorer.export(to: empty + "/", options: options)
    #expect(report.bytes > 0)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: empty).isEmpty)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: fixture.folder.file("."))
    #expect(!left.contains { $0.contains("partial") })
  }
}

import Foundation
import TestSupport
import Testing

/// Tar archives through a pipe, and in what the tool says.
@Suite struct TarImportTests {
  private static let walk = "2024-02-11-cape-town-walk.gpx"
  private static let boat = "2024-03-20-taveuni-boat.gpx"

  @Test(arguments: ["tar -cf - a.gpx b", "tar -czf - a.gpx b"])
  func `an archive may come through a pipe`(pack: String) throws {
    let bench = try Bench()
    for (name, sample) in [("a.gpx", Self.walk), ("b", Self.boat)] {
      try FileManager.default.copyItem(
        atPath: PackageFolder.sample(sample), toPath: bench.folder.file(name))
    }
    var process = bench.process(["import", "-", "--json"])
    process.wrapper = ["/bin/sh", "-c", "PATH=/usr/bin:/bin; \(pack) | \"$0\" \"$@\""]
    let result = try process.run()
    #expect(result.status == 0, "\(result.err)")
    let files = try JSONTree(parsing: result.out).files
    #expect(files[0].path.string == "-/a.gpx" && files[1].path.string == "-/b")
    #expect(files[0].status.string == "imported" && files[1].status.string == "imported")
  }

  @Test func `the explanation names the archive and its files`() throws {
    let bench = try Bench()
    try FileManager.default.copyItem(
      atPath: PackageFolder.sample(Self.walk), toPath: bench.folder.file("a.gpx"))
    try bench.folder.write(try TarProgram.pack(["a.gpx"], in: bench.folder), to: "a.tar")
    let result = try bench.roqua("import", "a.tar", "--explain")
    #expect(result.status == 0, "\(result.err)")
    #expect(result.out.contains("a.tar: tar archive, recognized by ustar at byte 257\n"))
    #expect(result.out.contains("a.tar/a.gpx: GPX"))
  }
}

import Foundation
import TestSupport
import Testing

/// What `roqua export` says and refuses; `make test-exports` looks at the files.
@Suite struct ExportCommandTests {
  @Test func `the command says what it has written, in words and in JSON`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let words = try bench.roqua("export", "fixes.csv", "--only", "fixes")
    #expect(words.status == 0)
    #expect(words.err == "")
    let rows =
      try String(contentsOfFile: bench.folder.file("fixes.csv"), encoding: .utf8)
      .split(separator: "\n").count - 1
    #expect(rows > 100 && rows < 1_000)
    #expect(words.out.hasPrefix("fixes.csv: \(rows) kept fixes in "), "\(words.out)")
    let all = try bench.json("export", "all.gpkg")
    #expect(
      all.layers.elements.map(\.name.string) == [
        "regions", "visits", "tracks", "coverage", "places",
      ])
    #expect(
      all.bytes.int == (try Data(contentsOf: URL(filePath: bench.folder.file("all.gpkg"))).count))
    let piped = try bench.roqua("export", "-", "--format", "csv", "--only", "fixes")
    #expect(piped.out.split(separator: "\n").count == rows + 1)
    #expect(piped.err == "")
  }

  @Test func `what a format or a file cannot have is wrong usage`() throws {
    let bench = try Bench()
    try bench.importSamples()
    for arguments in [
      ["a.xyz"], ["a"], ["-"], ["a.csv", "--only", "fixes", "--only", "regions"],
      ["a.gpx", "--only", "regions"], ["-", "--format", "gpkg"], ["-", "--format", "fgb"],
      ["-", "--format", "csv", "--json"], ["a.csv", "--discs"], ["a.csv", "--bbox", "1,2,3"],
      ["a", "--format", "fog-of-world", "--force"], ["a.csv", "--from", "2025", "--to", "2024"],
      ["a.csv", "--country", "Germny"],
    ] {
      let result = try bench.roqua(["export"] + arguments)
      #expect(result.status == 64, "\(arguments)")
      #expect(result.out == "", "\(arguments)")
    }
    let unknown = try bench.roqua("export", "a.csv", "--source", "4711")
    #expect(unknown.status == 1)
    #expect(unknown.errorLines.count == 1)
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file("a.csv")))
  }

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "there is no /dev/full"),
    arguments: ["csv", "geojson", "geojsonl", "gpx", "kml", "kmz", "parquet"])
  func `a full disk has one text in every format that is a stream`(format: String) throws {
    let bench = try Bench()
    try bench.importSamples()
    let result = try bench.roqua("export", "/dev/full", "--format", format, "--force")
    #expect(result.status == 1 && result.out == "")
    #expect(result.err == "roqua: /dev/full: the file was not written: the disk is full\n")
  }
}

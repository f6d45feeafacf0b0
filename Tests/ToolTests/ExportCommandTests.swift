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

  @Test func `GPX has the layer fixes, which may be called tracks`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let plain = try bench.json("export", "a.gpx")
    #expect(plain.layers.elements.map(\.name.string) == ["fixes"])
    for layer in ["fixes", "tracks"] {
      let named = try bench.json("export", "\(layer).gpx", "--only", layer)
      #expect(named.layers == plain.layers)
      #expect(
        try bytes(of: bench.folder.file("\(layer).gpx")) == bytes(of: bench.folder.file("a.gpx")))
    }
  }

  @Test func `the note says whether a zone or --hide has left something out`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let hidden = ["export", "a.csv", "--force", "--hide", "48.5806", "7.7596"]
    let note = "What lies in a hidden area is left out."
    #expect(try bench.roqua(hidden).out.hasSuffix("\n\(note)\n"))
    _ = try bench.json("zone", "add", "-16.7420", "-179.9880", "--radius", "500m")
    let both = try bench.roqua(hidden).out
    #expect(both.hasSuffix("\nWhat lies near a privacy zone or in a hidden area is left out.\n"))
  }

  @Test(
    arguments: [
      ["export", "-", "--format", "parquet"], ["export", "-", "--format", "kmz"],
      ["map", "-", "--format", "png"],
    ])
  func `binary formats are not written to a terminal`(arguments: [String]) throws {
    let bench = try Bench()
    try bench.importSamples()
    let piped = try bench.roqua(arguments)
    #expect(piped.status == 0 && !piped.standardOutput.isEmpty)
    let shown = try bench.roquaOnTerminal(arguments)
    #expect(shown.status == 64 && shown.standardOutput.isEmpty)
    #expect(
      shown.err.contains(
        "\(arguments[3]) is a binary format and is not written to a terminal; name a file"))
    let text = try bench.roquaOnTerminal([
      "export", "-", "--format", "csv", "--only", "places",
    ])
    #expect(text.status == 0 && text.out.contains("Strasbourg"))
  }

  @Test(arguments: ["gpkg", "sqlite", "geojson"])
  func `a file that may not grow has the reason of the system in every format`(ending: String)
    throws
  {
    let bench = try Bench()
    try bench.importSamples()
    let whole = try bench.roqua("export", "whole.\(ending)")
    // SpatiaLite need not be installed.
    if ending == "sqlite", whole.err.contains("SpatiaLite") { return }
    #expect(whole.status == 0)
    var process = bench.process(["export", "a.\(ending)"])
    // Blocks of 512 or 1024 bytes: enough for SQLite to read the store.
    process.wrapper = ["/bin/sh", "-c", "ulimit -f 100; exec \"$0\" \"$@\""]
    let result = try process.run()
    #expect(result.status == 1 && result.out == "")
    #expect(result.errorLines.count == 1 && result.err.contains("File too large"), "\(result.err)")
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file("a.\(ending)")))
  }

  @Test func `what a format or a file cannot have is wrong usage`() throws {
    let bench = try Bench()
    try bench.importSamples()
    for arguments in [
      ["a.xyz"], ["a"], ["-"], ["a.csv", "--only", "fixes", "--only", "regions"],
      ["a.gpx", "--only", "regions"], ["-", "--format", "gpkg"], ["-", "--format", "fgb"],
      ["-", "--format", "csv", "--json"], ["a.csv", "--discs"], ["a.csv", "--bbox", "1,2,3"],
      ["a", "--format", "fog-of-world", "--force"], ["a.csv", "--person", "anna"],
      ["a", "--format", "parquet-dataset", "--force"],
      ["a", "--format", "parquet-dataset", "--only", "visits"],
      ["a.csv", "--from", "2025", "--to", "2024"],
      ["a.csv", "--country", "Germny"],
    ] {
      let result = try bench.roqua(["export"] + arguments)
      #expect(result.status == 64, "\(arguments)")
      #expect(result.out == "", "\(arguments)")
    }
    let unknown = try bench.roqua("export", "a.csv", "--source", "4711")
    #expect(unknown.status == 64 && unknown.out == "")
    #expect(unknown.err.hasPrefix("Error: There is no source 4711; roqua sources lists them."))
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

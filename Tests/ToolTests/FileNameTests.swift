import Foundation
import Geodesy
import TestSupport
import Testing

/// File names that break shells, terminals or careless programs.
@Suite struct FileNameTests {
  private static let names = [
    "--help.gpx", "-5.gpx", "-x.gpx", " -5.gpx", "a b.gpx", "esc\u{1B}[31mred\u{7}.gpx",
    "new\nline.gpx",
    "quote\"back\\slash.gpx", "tab\t.gpx", "up\u{202E}xpg.exe.gpx", "csi\u{9B}31m.gpx",
    "äöü ☃ 日本 👣.gpx",
  ]

  /// One distinct track for each name.
  private func writeAll(to bench: Bench, below folder: String = "") throws {
    for (index, name) in Self.names.enumerated() {
      let start = Coordinate(48 + Double(index) / 10, 8)
      try bench.folder.write(TrackText.gpx(from: start, count: index + 1), to: folder + name)
    }
  }

  @Test func `files of a folder are reported with their exact names`() throws {
    let bench = try Bench()
    try writeAll(to: bench, below: "tracks/")
    let result = try bench.roqua("import", "--json", "tracks")
    #expect(result.status == 0, "\(result.err)")
    #expect(result.controlCharacters == [])
    let files = try JSONTree(parsing: result.out).files.elements
    #expect(Set(files.compactMap(\.path.string)) == Set(Self.names.map { "tracks/" + $0 }))
    for file in files {
      let name = try #require(file.path.string?.dropFirst("tracks/".count))
      #expect(file.kept.int == Self.names.firstIndex(of: String(name)).map { $0 + 1 }, "\(name)")
    }
  }

  @Test func `no file name reaches the terminal unescaped`() throws {
    let bench = try Bench()
    try writeAll(to: bench, below: "tracks/")
    for name in Self.names { try bench.folder.write("no track", to: "tracks/bad " + name) }
    for arguments in [
      ["import", "tracks"], ["import", "--json", "tracks"], ["import", "tracks"],
    ] {
      let result = try bench.roqua(arguments)
      #expect(result.status == 2)
      #expect(result.controlCharacters == [])
      // One line for each refused file, even if its name contains a line break.
      #expect(result.errorLines.count == Self.names.count)
    }
  }

  @Test(arguments: Self.names)
  func `a file with an unusual name can be imported directly`(name: String) throws {
    let bench = try Bench()
    try writeAll(to: bench)
    let index = try #require(Self.names.firstIndex(of: name))
    for path in ["./" + name, bench.folder.file(name)] {
      let file = try bench.json("import", "--dry-run", path).files[0]
      #expect(file.path == .string(path))
      #expect(file.kept.int == index + 1)
    }
    // After `--` nothing is parsed as an option.
    let result = try bench.roqua("import", "--json", "--dry-run", "--", name)
    let file = try JSONTree(parsing: result.out).files[0]
    #expect(file.path == .string(name))
    #expect(file.kept.int == index + 1)
  }

  @Test func `a file name that looks like a negative number is not an option`() throws {
    let bench = try Bench()
    try writeAll(to: bench)
    let document = try bench.json("import", "-5.gpx", " -5.gpx", "--store", "-7.sqlite")
    #expect(document.files.elements.map(\.path) == [.string("-5.gpx"), .string(" -5.gpx")])
    #expect(document.files.elements.map(\.kept.int) == [2, 4])
    #expect(FileManager.default.fileExists(atPath: bench.folder.file("-7.sqlite")))
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file(" -7.sqlite")))
  }

  /// SQLite treats some names as special, and reads `file:` as a URI in builds that enable it.
  @Test(arguments: ["file:other.sqlite", "file:other?mode=memory", ":memory:", ":other"])
  func `a store's name is always a file name, never a URI or an in-memory database`(name: String)
    throws
  {
    let bench = try Bench()
    try writeAll(to: bench)
    _ = try bench.json("import", "./-5.gpx", "--store", name)
    let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.path)
    #expect(Set(names).subtracting(Self.names) == [name])
    #expect(try bench.json("stats", "--store", name).sources.int == 1)
    let copy = name + ".backup"
    #expect(try bench.roqua("backup", copy, "--store", name).status == 0)
    #expect(try bench.json("stats", "--store", copy).sources.int == 1)
    let app = name + ".app"
    #expect(try bench.roqua("backup", "--app-format", app, "--store", name).status == 0)
    let regions = try bench.json("stats", "--store", name).visitedRegions.int
    #expect(try bench.json("adopt", app, "--store", "adopted").sources[0].taken.int == regions)
  }

  @Test func `control characters in a quoted argument are escaped in the error`() throws {
    let bench = try Bench()
    let hostile = "\u{1B}]0;title\u{7}"
    let runs = [
      ["--" + hostile], [hostile], ["import", "--\(hostile)=1"], ["near", hostile, "1"],
      ["import", hostile],
      ["stats", "--by", hostile], ["settings", hostile], ["settings", "visitGapMinutes", hostile],
      ["stats", "--store", hostile], ["import", "--include", hostile, "x"], ["help", hostile],
    ]
    for arguments in runs {
      let result = try bench.roqua(arguments)
      #expect(result.controlCharacters == [], "\(arguments)")
    }
  }

  #if os(Linux)
    // Other systems require names in UTF-8.
    @Test func `a file name need not be valid UTF-8`() throws {
      let bench = try Bench()
      try bench.folder.write("", to: "tracks/ignored.txt")
      let text = TrackText.gpx(from: Coordinate(48, 8), count: 5)
      let path =
        Array(bench.folder.file("tracks/caf").utf8CString.dropLast()) + [-23] + [
          0x2E, 0x67, 0x70, 0x78, 0,
        ]
      let file = try #require(fopen(path, "w"))
      fputs(text, file)
      fclose(file)
      let document = try bench.json("import", "tracks")
      #expect(document.files[0].path == .string("tracks/caf\u{FFFD}.gpx"))
      #expect(document.files[0].kept.int == 5)
    }
  #endif
}

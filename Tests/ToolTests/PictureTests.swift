import Foundation
import TestSupport
import Testing

/// `roqua map` with the name of a picture.
@Suite struct PictureTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.importSamples()
  }

  /// The width and height in a PNG's header.
  private func size(_ name: String) throws -> [Int] {
    let bytes = try bytes(of: bench.folder.file(name))
    #expect(bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    return [16, 20].map { at in bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
  }

  @Test func `a picture is written and described`() throws {
    let result = try bench.roqua("map", "world.png", "--size", "640x320")
    #expect(result.status == 0 && result.err == "", "\(result.err)")
    #expect(result.out.hasPrefix("world.png: 640 × 320 pixels, "))
    #expect(try size("world.png") == [640, 320])
    let attributes = try FileManager.default.attributesOfItem(
      atPath: bench.folder.file("world.png"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(attributes[.size] as? Int == (try bytes(of: bench.folder.file("world.png"))).count)
    let json = try bench.json("map", "globe.PNG", "--projection", "globe")
    #expect(json.format.string == "png" && json.width.int == 1_600 && json.frames.int == 1)
    #expect(json.cells.int == (try bench.json("stats")).cells.int)
    #expect(json.notes.elements.isEmpty)
    #expect(try size("globe.PNG") == [1_600, 1_600])
  }

  @Test func `an existing picture stays without --force`() throws {
    try bench.folder.write("mine", to: "a.svg")
    let refused = try bench.roqua("map", "a.svg")
    #expect(refused.status == 1 && refused.errorLines.count == 1)
    #expect(try bytes(of: bench.folder.file("a.svg")) == Data("mine".utf8))
    #expect(try bench.roqua("map", "a.svg", "--force").status == 0)
    let text = try String(contentsOfFile: bench.folder.file("a.svg"), encoding: .utf8)
    #expect(text.hasPrefix("<?xml") && text.hasSuffix("</svg>\n"))
  }

  @Test func `a poster has its title, numbers and credits as text`() throws {
    #expect(
      try bench.roqua(
        "map", "a.svg", "--poster", "--title", "東京 & <me>", "--country", "DE"
      ).status == 0)
    let text = try String(contentsOfFile: bench.folder.file("a.svg"), encoding: .utf8)
    for part in [
      ">東京 &amp; &lt;me&gt;</text>", ">of Germany</text>", "km² explored", "GeoNames",
      "© OpenStreetMap contributors",
    ] {
      #expect(text.contains(part), "\(part)")
    }
    let png = try bench.roqua("map", "a.png", "--poster", "--title", "東京 & me", "--size", "600x600")
    #expect(png.status == 0 && png.out.contains("The title has 2 characters"))
    let note = try bench.json("map", "b.png", "--poster", "--title", "東京", "--size", "600x600")
    #expect(note.notes.elements.count == 1)
  }

  @Test func `standard output is a picture, or tiles of polygons`() throws {
    let svg = try bench.roqua("map", "-", "--format", "svg", "--size", "300x200")
    #expect(svg.status == 0 && svg.err == "" && svg.out.hasPrefix("<?xml"))
    let tiles = try bench.roqua("map", "tiles", "--format", "png", "--zoom", "0-2")
    #expect(tiles.status == 0 && tiles.out.contains("tiles"))
    #expect(FileManager.default.fileExists(atPath: bench.folder.file("tiles/0/0/0.png")))
  }

  @Test(arguments: [
    (["--film"], 1), (["--film", "month"], 7), (["--film", "--scheme", "dark"], 1),
  ])
  func `a film has a frame for each year or month`(options: [String], frames: Int) throws {
    let arguments = ["map", "years.png", "--size", "320x160", "--json"] + options
    let json = try JSONTree(parsing: try bench.roqua(arguments).out)
    #expect(json.frames.int == frames)
    let first = try bench.roqua(["map"] + options + ["again.png", "--size", "320x160"])
    #expect(first.status == 0, "\(first.err)")
  }

  @Test(arguments: [
    ["--bbox", "-17.2,179.6,-16.5,-179.6"], ["--bbox", "-17.2", "179.6", "-16.5", "-179.6"],
    ["--center", "-16.8", "179.99", "--zoom", "8.5"], ["--center", "48", "11"],
    ["--city", "Munich"],
    ["--region", "Bavaria", "--tracks"], ["--country", "Fiji"],
  ])
  func `parts of the world are shown`(options: [String]) throws {
    for projection in ["mercator", "equal-earth", "globe"] {
      let result = try bench.roqua(
        ["map", "a.png", "--force", "--size", "300x300", "--projection", projection] + options)
      #expect(result.status == 0, "\(result.err)")
      #expect(try size("a.png") == [300, 300])
    }
  }

  @Test func `an empty store has a picture of the whole world`() throws {
    let empty = try Bench()
    #expect(try empty.roqua("settings", "units", "imperial").status == 0)
    for name in ["a.png", "a.svg"] {
      for projection in ["globe", "equal-earth"] {
        let options = ["--poster", "--size", "500x400", "--projection", projection, "--force"]
        #expect(try empty.roqua(["map", name] + options).status == 0)
      }
    }
    let text = try String(contentsOfFile: empty.folder.file("a.svg"), encoding: .utf8)
    #expect(text.contains("sq mi explored"))
    let film = try empty.json("map", "b.png", "--film", "--size", "300x200")
    #expect(film.frames.int == 1 && film.notes.elements.count == 1)
    let missing = try Bench()
    #expect(try missing.roqua("map", "a.png").status == 1)
    #expect(!missing.hasStore)
  }
}

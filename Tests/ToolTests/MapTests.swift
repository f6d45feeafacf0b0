import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua map`.
@Suite struct MapTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.importSamples()
  }

  private func page(_ name: String) throws -> MapPageReader {
    MapPageReader(html: try String(contentsOfFile: bench.folder.file(name), encoding: .utf8))
  }

  @Test func `the map is written, read back and described`() throws {
    let result = try bench.roqua("map", "world.html")
    #expect(result.status == 0 && result.err == "", "\(result.err)")
    #expect(result.out.hasPrefix("world.html: "))
    let cells = try #require(try page("world.html").cells())
    #expect(cells.days.count == (try bench.json("stats")).cells.int)
    let json = try bench.json("map", "again.html", "--tracks")
    #expect(json.path.string == "again.html")
    #expect(json.cells.int == cells.days.count)
    #expect(json.precision.string == "day" && json.notes.elements.isEmpty)
    #expect(json.tracks.int == (try #require(try page("again.html").tracks())).count)
    let attributes = try FileManager.default.attributesOfItem(
      atPath: bench.folder.file("world.html"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(json.bytes.int == (try page("again.html")).html.utf8.count)
  }

  @Test func `an existing file stays without --force`() throws {
    try bench.folder.write("mine", to: "roqua-map.html")
    let refused = try bench.roqua("map")
    #expect(refused.status == 1 && refused.errorLines.count == 1)
    #expect(refused.err.contains("roqua-map.html"))
    #expect(try bytes(of: bench.folder.file("roqua-map.html")) == Data("mine".utf8))
    #expect(try bench.roqua("map", "--force").status == 0)
    #expect(try page("roqua-map.html").cells() != nil)
  }

  @Test func `standard output is a page`() throws {
    let result = try bench.roqua("map", "-", "--country", "FR", "--title", "A & <B>")
    #expect(result.status == 0 && result.err == "")
    #expect(result.out.hasPrefix("<!doctype html>"))
    #expect(result.out.contains("<title>A &amp; &lt;B&gt;</title>"))
    #expect(MapPageReader(html: result.out).cells()?.days.isEmpty == false)
  }

  @Test func `the page has the settings of the store`() throws {
    for (key, value) in [("colorTheme", "pink"), ("colorScheme", "dark"), ("units", "imperial")] {
      #expect(try bench.roqua("settings", key, value).status == 0)
    }
    #expect(try bench.roqua("map", "a.html").status == 0)
    let document = try #require(try page("a.html").page())
    #expect(document.theme.string == "pink" && document.scheme.string == "dark")
    #expect(document.units.string == "imperial")
    #expect(document.themes.elements.count >= 6)
  }

  @Test func `a hidden point is not on the map`() throws {
    #expect(try bench.roqua("map", "a.html").status == 0)
    let hide = ["map", "b.html", "--hide", "48.5739", "7.8124", "--radius", "800m", "--tracks"]
    #expect(try bench.roqua(hide).status == 0)
    #expect(
      try #require(page("b.html").cells()).days.count < #require(page("a.html").cells()).days.count)
    let center = Coordinate(48.5739, 7.8124)
    for point in try #require(page("b.html").tracks()).flatMap(\.points) {
      let place = Coordinate(Double(point[0]) / 1e5, Double(point[1]) / 1e5)
      #expect(place.distanceMeters(to: center) > 800)
    }
  }

  @Test(arguments: [
    ["a.txt"], ["--radius", "1km"], ["--hide", "48"], ["--hide", "48", "7", "--radius", "0m"],
    ["--hide", "48", "7", "9"], ["-", "--json"], ["a.mbtiles", "--zoom", "3-2"],
    ["a.mbtiles", "--zoom", "17"],
    ["a.mbtiles", "--tracks"], ["a.html", "--zoom", "3"], ["a.html", "--format", "png"], ["tiles"],
    ["--top", "3"], ["a.png", "--format", "mvt"], ["a.png", "--zoom", "3"],
    ["a.html", "--poster"], ["a.mbtiles", "--size", "800x400"], ["tiles", "--format", "webp"],
    ["a.png", "--size", "8x8"], ["a.png", "--size", "800"], ["a.png", "--theme", "mauve"],
    ["a.png", "--bbox", "1", "2", "3"], ["a.png", "--bbox", "9", "0", "1", "2"],
    ["a.png", "--center", "48", "11", "--zoom", "3-5"], ["a.svg", "--film"],
    ["a.png", "--center", "48", "11", "--bbox", "1", "2", "3", "4"], ["a.png", "--film", "week"],
    ["a.png", "--projection", "flat"], ["-", "--format", "png", "--json"],
    ["--from", "2025", "--to", "2024"],
  ])
  func `wrong usage is refused in one line, and nothing is written`(arguments: [String]) throws {
    let result = try bench.roqua(["map"] + arguments)
    #expect(result.status == 64, "\(result.out)")
    #expect(!result.errorLines.isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.folder.path) == ["home"])
  }

  @Test func `tiles are written, and renewed only where they have changed`() throws {
    for (name, options) in [
      ("a.mbtiles", []), ("tiles", ["--format", "mvt"]), ("b.pmtiles", ["--format", "mvt"]),
    ] {
      let arguments = ["map", name, "--zoom", "0-9", "--json"] + options
      let first = try JSONTree(parsing: try bench.roqua(arguments).out)
      // Short tracks are less than half of a pixel at low zooms, so there are few polygons.
      let least = options.isEmpty ? 20 : 1
      #expect(first.written.int ?? 0 >= least && first.renewed == .bool(false), "\(name)")
    }
    for (name, options) in [("a.mbtiles", []), ("tiles", ["--format", "mvt"])] {
      let arguments = ["map", name, "--zoom", "0-9", "--json"] + options
      let again = try JSONTree(parsing: try bench.roqua(arguments).out)
      #expect(again.written.int == 0 && again.renewed == .bool(true), "\(name)")
    }
    let refused = try bench.roqua("map", "b.pmtiles")
    #expect(refused.status == 1 && refused.err.contains("b.pmtiles"))
    let track = TrackText.gpx(from: Coordinate(10, 20), count: 20)
    try bench.folder.write(track, to: "walk.gpx")
    #expect(try bench.roqua("import", "walk.gpx").status == 0)
    let after = try bench.json("map", "a.mbtiles", "--zoom", "0-9")
    #expect(1...40 ~= after.written.int ?? 0 && after.renewed == .bool(true))
  }

  @Test func `an empty store has a map of the whole world`() throws {
    let empty = try Bench()
    #expect(try empty.roqua("settings", "units", "metric").status == 0)
    #expect(try empty.roqua("map", "empty.html").status == 0)
    let html = try String(contentsOfFile: empty.folder.file("empty.html"), encoding: .utf8)
    #expect(MapPageReader(html: html).cells()?.days.isEmpty == true)
    #expect(try MapPageReader(html: html).page()?.bounds == .null)
    let missing = try Bench()
    #expect(try missing.roqua("map").status == 1)
    #expect(!missing.hasStore)
  }
}

import Foundation
import TestSupport
import Testing

/// `roqua coverage --tiles`.
@Suite struct ExplorerTileTests {
  private func bench() throws -> Bench {
    let bench = try Bench()
    #expect(try bench.roqua("import", PackageFolder.samples).status == 0)
    return bench
  }

  @Test(
    arguments: [
      ("tiles-14", ["--tiles", "14", "--by", "year"]),
      ("tiles-17-missing", ["--tiles", "17", "--near", "48.137", "11.575", "--limit", "3"]),
      ("tiles-17-grow", ["--tiles", "17", "--grow", "--limit", "2"]),
    ])
  func `the output matches the golden file`(name: String, arguments: [String]) throws {
    let result = try bench().roqua(["coverage"] + arguments)
    #expect(result.status == 0 && result.err == "", "\(result.err)")
    try expectGolden(result.out, name)
  }

  @Test func `JSON has the numbers, the squares and the missing tiles`() throws {
    let bench = try bench()
    let all = try bench.json("coverage", "--tiles", "14", "--by", "year")
    let tiles = try #require(all.tiles.int)
    #expect(all.breakdowns.year.elements.compactMap(\.newTiles.int).reduce(0, +) == tiles)
    #expect(all.growth.side.int == all.largestSquare.side.int.map { $0 + 1 })
    #expect(!all.names.contains("missing"))
    let near = try bench.json("coverage", "--tiles", "14", "--near", "48.1", "11.5", "--limit", "7")
    #expect(near.missing.elements.count == 7)
    let distances = near.missing.elements.compactMap(\.distanceMeters.double)
    #expect(distances == distances.sorted() && distances.count == 7)
    // The parts of a selection add up.
    var sum = 0
    for country in ["DE", "FR", "FJ", "IS", "JP", "TR", "ZA"] {
      sum += try #require(bench.json("coverage", "--tiles", "14", "--country", country).tiles.int)
    }
    #expect(sum <= tiles && sum > tiles / 2, "the others are at sea")
    let fiji = try bench.json("coverage", "--tiles", "14", "--bbox", "-17,179.9,-16,-179.8")
    #expect(try #require(fiji.tiles.int) > 10 && fiji.growth.isNull)
  }

  @Test func `missing tiles go to a GPX file, visited ones to GeoJSON, whole or not at all`() throws
  {
    let bench = try bench()
    let gpx = bench.folder.file("m.gpx")
    let near = ["coverage", "--tiles", "17", "--near", "48.1", "11.5", "--limit", "5"]
    #expect(try bench.roqua(near + ["--export", gpx]).status == 0)
    let text = try String(contentsOfFile: gpx, encoding: .utf8)
    #expect(text.components(separatedBy: "<wpt ").count == 6 && !text.contains("<trk"))
    let listed = try bench.roqua(near + ["--json"]).out
    let first = try #require(JSONTree(parsing: listed).missing.elements.first?.tile.string)
    #expect(text.contains("<name>\(first)</name>"))
    // A file is not replaced without --force.
    #expect(try bench.roqua(near + ["--export", gpx]).status == 1)
    #expect(try bench.roqua(near + ["--export", gpx, "--force"]).status == 0)
    // The missing tiles are no tracks: importing the file changes nothing.
    let before = try bench.json("stats")
    _ = try bench.roqua("import", gpx)
    #expect(try bench.json("stats").cells == before.cells)

    let geoJSON = bench.folder.file("v.geojson")
    #expect(try bench.json("coverage", "--tiles", "14", "--export", geoJSON).tiles.int == 96)
    let document = try JSONTree(parsing: String(contentsOfFile: geoJSON, encoding: .utf8))
    #expect(document.features.elements.count == 96)
    #expect(
      document.features.elements.first?.geometry.coordinates.elements.first?.elements.count == 5)
    #expect(
      try bench.roqua("coverage", "--tiles", "14", "--grow", "--export", geoJSON, "--force").status
        == 0)
  }

  @Test(
    arguments: [
      (["--near", "1", "1"], "--near needs --tiles (--frontier-near lists cells)."),
      (["--grow"], "--grow needs --tiles."), (["--limit", "3"], "--limit needs --tiles."),
      (["--tiles", "15"], "Please provide one of '14' and '17'."),
      (["--tiles", "14", "--limit", "3"], "--limit needs --near or --grow."),
      (["--tiles", "14", "--grow", "--limit", "0"], "it must be a whole number of at least 1."),
      (["--tiles", "14", "--grow", "--limit", "100001"], "--limit must be at most 100,000."),
      (["--tiles", "14", "--by", "country"], "by year, month or day, not country."),
      (["--tiles", "14", "--frontier", "3"], "cannot be combined with --import or --frontier."),
      (
        ["--tiles", "14", "--near", "1", "1", "--country", "DE"], "cannot be combined with a place"
      ),
      (["--tiles", "14", "--grow", "--bbox", "1,1,2,2"], "cannot be combined with a place"),
      (["--tiles", "14", "--export", "a.gpx"], "add --near or --grow."),
      (["--tiles", "14", "--export", "a.coverage"], "must end in .geojson or .gpx."),
      (["--tiles", "14", "--export", "a.geojson", "--by", "day"], "cannot be combined with --by."),
      (["--tiles", "14", "--tiles", "17"], "--tiles can be given only once."),
    ])
  func `what is not supported is refused`(arguments: [String], message: String) throws {
    let bench = try Bench()
    let result = try bench.roqua(["coverage"] + arguments)
    #expect(result.status == 64 && result.err.contains(message), "\(result.err)")
  }
}

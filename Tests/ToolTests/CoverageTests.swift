import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua coverage`.
@Suite struct CoverageTests {
  private static let members: Set<String> = [
    "explorationRadiusMeters", "cells", "tiles", "areaSquareKilometers", "worldPercentage",
    "landAreaSquareKilometers", "landPercentage", "cellPercentage", "bounds", "frontierCells",
    "largestSquare", "largestCluster", "worldAreaSquareKilometers", "worldLandAreaSquareKilometers",
    "worldCells",
  ]

  @Test func `the totals match those of the statistics`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let (coverage, statistics) = (try bench.json("coverage"), try bench.json("stats"))
    #expect(coverage.names == Self.members)
    for name in Self.members.intersection(statistics.names) {
      #expect(coverage[name] == statistics[name], "\(name)")
    }
    #expect(coverage.explorationRadiusMeters.int == 150)
    // A disc of 150 m contains 3 × 3 cells.
    #expect(try #require(coverage.largestSquare.side.int) >= 3)
    #expect(try #require(coverage.frontierCells.int) > 0)
    // From Strasbourg east to Fiji, across ±180°.
    #expect(try #require(coverage.bounds.west.double) > 7.7)
    #expect(try #require(coverage.bounds.east.double) < -179.8)
    let words = try bench.roqua("coverage")
    #expect(words.status == 0 && words.out.contains(" km² explored"))
    #expect(words.out.contains("unexplored cells next to explored ones"))
  }

  @Test func `an empty store has no bounds and no largest square`() throws {
    let bench = try Bench()
    #expect(try bench.roqua("settings", "visitGapMinutes", "30").status == 0)
    let coverage = try bench.json("coverage", "--by", "region", "--frontier", "3")
    #expect(coverage.cells.int == 0 && coverage.bounds.isNull && coverage.largestSquare.isNull)
    #expect(coverage.largestCluster.isNull && coverage.frontierCells.int == 0)
    #expect(coverage.breakdowns.region.elements.isEmpty)
    #expect(
      coverage.names == Self.members.union(["frontier", "breakdowns"]),
      "requested members are present even if empty")
    #expect(coverage.frontier.elements.isEmpty)
    for percentage in [coverage.worldPercentage, coverage.landPercentage, coverage.cellPercentage] {
      #expect(percentage.double == 0)
    }
    let box = try bench.json("coverage", "--bbox", "80,170,90,-170", "--by", "month").box
    #expect(box.percentage.double == 0)
    #expect(try bench.roqua("coverage", "--frontier", "3").out.hasSuffix("\nfrontier\n  none\n"))
    #expect(try bench.roqua("coverage").status == 0)
    // Without a store the command fails and creates none.
    let other = try Bench()
    #expect(try other.roqua("coverage").status == 1)
    #expect(!other.hasStore)
  }

  @Test(arguments: ["country", "region", "city"])
  func `a breakdown has the same rows as in the statistics`(level: String) throws {
    let bench = try Bench()
    try bench.importSamples()
    let rows = try bench.json("coverage", "--by", level).breakdowns[level].elements
    let others = try bench.json("stats", "--by", level).breakdowns[level].elements
    #expect(rows == others.map { $0.without("visitedRegions", "visits", "firstTime", "lastTime") })
    #expect(rows.count >= 3)
    if level != "city" {
      for row in rows where !row.countryCode.isNull {
        #expect(try #require(row.percentage.double) > 0, "\(row)")
      }
    }
  }

  @Test(arguments: ["year", "month", "day"])
  func `newly explored area matches the statistics, and a box limits it to the box`(
    breakdown: String
  ) throws {
    let bench = try Bench()
    try bench.importSamples()
    func rows(box: String) throws -> [JSONTree] {
      try bench.json("coverage", "--by", breakdown, "--bbox", box).breakdowns[breakdown].elements
    }
    let all = try bench.json("coverage", "--by", breakdown).breakdowns[breakdown].elements
    #expect(try all == (bench.json("stats", "--by", breakdown)).breakdowns[breakdown].elements)
    // One track is in Fiji and one is in Alsace: two boxes separate them and together contain all
    // cells.
    let (fiji, alsace) = (try rows(box: "-17,179.9,-16,-179.8"), try rows(box: "48,7,49,8"))
    #expect(try rows(box: "0,0,1,1").isEmpty)
    let counted = try bench.json("coverage", "--bbox", "-17,179.9,-16,-179.8")
    #expect(fiji.compactMap(\.newCells.int).reduce(0, +) == counted.cells.int)
    let cells = (fiji + alsace).compactMap(\.newCells.int).reduce(0, +)
    #expect(cells == all.compactMap(\.newCells.int).reduce(0, +))
    let areas = (fiji + alsace).compactMap(\.newAreaSquareKilometers.double).reduce(0, +)
    let total = try #require(bench.json("coverage").areaSquareKilometers.double)
    #expect(abs(areas - total) < 1e-9 * total)
    let words = try bench.roqua("coverage", "--by", breakdown).out
    #expect(words.contains("\n\(breakdown)  ") && words.contains("\n2024"))
  }

  @Test func `boxes at the poles and across ±180° count every cell once`() throws {
    let bench = try Bench()
    for (index, start) in [Coordinate(89.979, 10), Coordinate(-89.99, -75), Coordinate(66, 179.98)]
      .enumerated()
    {
      try bench.folder.write(
        TrackText.gpx(from: start, count: 6, stepDegrees: 0.004), to: "\(index).gpx")
      #expect(try bench.roqua("import", "\(index).gpx").status == 0)
    }
    let all = try #require(bench.json("coverage").cells.int)
    let boxes = ["89,-180,90,180", "-90,-180,-89,180", "60,170,70,-170"]
    let cells = try boxes.map { try #require(bench.json("coverage", "--bbox", $0).cells.int) }
    #expect(cells.allSatisfy { $0 > 0 } && cells.reduce(0, +) == all)
    // The area around a pole as two halves, on either side of ±180° and of Greenwich.
    let halves = try ["89,90,90,-90", "89,-90,90,90"].map {
      try #require(bench.json("coverage", "--bbox", $0).cells.int)
    }
    #expect(halves.reduce(0, +) == cells[0])
    let pole = try bench.json("coverage", "--bbox", "89.9,-180,90,180", "--by", "country")
    #expect(try #require(pole.bounds.north.double) == 90)
    #expect(
      try #require(pole.box.percentage.double) > 0 && #require(pole.box.percentage.double) <= 100)
    #expect(
      pole.breakdowns.country.elements.map(\.countryCode.string) == [nil],
      "the North Pole is in no country")
    let south = try bench.json("coverage", "--bbox", "-90,-180,-89.9,180", "--by", "country")
    #expect(south.breakdowns.country.elements.map(\.countryCode.string) == ["AQ"])
  }

  @Test func `a box can be given in two forms and can cross ±180°`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let fiji = try bench.json("coverage", "--bbox", "-17,179.9,-16,-179.8")
    #expect(try fiji == (bench.json("coverage", "--bbox", "-17", "179.9", "-16", "-179.8")))
    #expect(fiji.names == Self.members.union(["box"]))
    let france = try bench.json("coverage", "--bbox", "48,7,49,8")
    let all = try bench.json("coverage")
    #expect(try #require(fiji.cells.int) + (#require(france.cells.int)) == all.cells.int)
    #expect(
      try #require(fiji.frontierCells.int) + (#require(france.frontierCells.int))
        == all.frontierCells.int
    )
    let share =
      try #require(fiji.areaSquareKilometers.double)
      / (try #require(fiji.box.areaSquareKilometers.double))
    #expect(try abs(#require(fiji.box.percentage.double) - share * 100) < 1e-12)
    #expect(try bench.json("coverage", "--bbox", "0", "0", "1", "1").cells.int == 0)
  }

  @Test func `the frontier of tracks without times is listed from the south`() throws {
    let bench = try Bench()
    let track = "<gpx><trk><trkseg><trkpt lat='48' lon='8'/></trkseg></trk></gpx>"
    try bench.folder.write(track, to: "undated.gpx")
    #expect(try bench.roqua("import", "undated.gpx").status == 0)
    let cells = try bench.json("coverage", "--frontier", "4").frontier.elements
    #expect(cells.count == 4 && cells.allSatisfy { $0.distanceMeters.isNull })
    let latitudes = cells.compactMap(\.latitude.double)
    #expect(latitudes == latitudes.sorted())
    #expect(try bench.roqua("coverage", "--frontier", "2").out.contains("\nfrontier\n  "))
  }

  @Test func `the frontier is listed nearest first`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let first = try bench.json("coverage", "--frontier", "4").frontier.elements
    let ways = first.compactMap(\.distanceMeters.double)
    #expect(ways.count == 4 && ways == ways.sorted())
    let near = try bench.json("coverage", "--frontier-near", "48.57", "7.8").frontier.elements
    #expect(near.count == 10)
    let distances = near.compactMap(\.distanceMeters.double)
    #expect(distances.count == 10 && distances == distances.sorted())
    #expect(
      try near
        == (bench.json("coverage", "--frontier", "10", "--frontier-near", "48.57,7.8")).frontier
        .elements)
    // South of the equator and west of Greenwich: two negative numbers.
    let far = try bench.json("coverage", "--frontier", "1", "--frontier-near", "-16.8", "-179.9")
    #expect(try #require(far.frontier[0].distanceMeters.double) < 20_000)
    #expect(try bench.roqua("coverage", "--frontier", "2").out.contains("\nfrontier nearest to "))
    // A limit above the number of cells returns all of them.
    let count = try bench.json("coverage").frontierCells.int
    #expect(try bench.json("coverage", "--frontier", "100000").frontier.elements.count == count)
  }

  @Test func `a frontier list that is too long is refused, with the limit`() throws {
    let bench = try Bench()
    let result = try bench.roqua("coverage", "--frontier", "100001")
    #expect(result.status == 64)
    #expect(result.err.contains("--frontier must be at most 100,000"))
  }

  @Test(arguments: [
    ["--bbox", "1,2,3"], ["--bbox", "1", "2", "3", "4", "5"], ["--bbox", "50,0,40,1"],
    ["--bbox", "a,b,c,d"],
    ["--bbox", "0,0,91,1"], ["--frontier", "-1"], ["--frontier", "100001"],
    ["--frontier", "9223372036854775807", "--frontier-near", "0", "0"],
    ["--frontier-near", "91", "0"],
    ["--frontier-near", "1"],
    ["--by", "planet"], ["--import", "a", "--export", "b"], ["--import", "a", "--bbox", "0,0,1,1"],
    ["--export", "a", "--by", "country"], ["--export", "-", "--json"],
    ["--country", "XX"], ["--country", "FR", "--frontier", "3"],
    ["--from", "2024", "--to", "2023"],
    ["--from", "2024", "--frontier-near", "0", "0"], ["--import", "a", "--country", "FR"],
    ["--export", "a", "--by", "year", "--top", "1"], ["--top", "1"],
    ["--by", "year", "--top", "0"],
    ["--by", "year", "--time-zone", "Europe/Paris"],
  ])
  func `wrong usage is reported and changes nothing`(arguments: [String]) throws {
    let bench = try Bench()
    let result = try bench.roqua(["coverage"] + arguments)
    #expect(result.status == 64 && !result.err.isEmpty && result.out.isEmpty)
    #expect(!bench.hasStore)
  }
}

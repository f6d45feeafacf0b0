import Foundation
import Geodesy
import TestSupport
import Testing

/// Small problems that users reported.
@Suite struct SmallThingsTests {
  @Test func `a frontier without a position starts where the user was last`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let cells = try bench.json("coverage", "--frontier", "3").frontier.elements
    #expect(cells.count == 3)
    // The walk in Strasbourg is later than the boat trip in Fiji.
    for cell in cells { #expect(abs((cell.latitude.double ?? 0) - 48.57) < 0.2) }
    #expect(cells.compactMap(\.distanceMeters.double).allSatisfy { $0 < 1_000 })
    let words = try bench.roqua("coverage", "--frontier", "3")
    #expect(words.out.contains("\nfrontier nearest to 48."))
  }

  @Test func `a dry run says what would change, not what has changed`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let before = try #require(bench.json("stats").visitedRegions.int)
    let dry = try bench.roqua("forget", "1", "--dry-run")
    #expect(dry.out.contains("The store would have "))
    #expect(dry.out.contains("(\(before) now)"))
    #expect(!dry.out.contains("The store has "))
    #expect(try bench.json("stats").visitedRegions.int == before)
    #expect(try bench.roqua("forget", "1").out.contains("\nThe store has "))
  }

  @Test
  func
    `the region and cell counts of a track are null, the cell count of imported cells is a number`()
    throws
  {
    let bench = try Bench()
    try bench.importSamples()
    let explored = bench.folder.file("explored")
    #expect(try bench.roqua("coverage", "--export", explored).status == 0)
    let fresh = try Bench()
    try fresh.importSamples()
    #expect(try fresh.roqua("coverage", "--import", explored).status == 0)
    let sources = try fresh.json("sources").sources.elements
    #expect(sources.prefix(2).allSatisfy { $0.regions.isNull && $0.cells.isNull })
    #expect(sources.prefix(2).allSatisfy { $0.kept.int ?? 0 > 0 })
    #expect(sources.last?.cells.int ?? 0 > 0)
  }

  @Test(arguments: [
    ("explorationRadiusMeters", "1km", 1_000.0), ("clusteringRadiusMeters", "250ft", 76.2),
    ("maximumAccuracyMeters", "30 m", 30), ("visitGapMinutes", "2h", 120),
    ("visitGapMinutes", "90s", 1.5),
    ("minimumIntervalSeconds", "2min", 120), ("maximumSpeedMetersPerSecond", "900km/h", 250),
    ("maximumSpeedMetersPerSecond", "100mph", 44.704),
    ("trackingDistanceMeters", "0.1mi", 160.9344),
    // Rounded to a whole number if the setting requires one.
    ("explorationRadiusMeters", "250ft", 76), ("explorationRadiusMeters", "1mi", 1_609),
  ])
  func `a setting accepts a value with a unit`(key: String, text: String, value: Double) throws {
    let bench = try Bench()
    let set = try bench.json("settings", key, text)
    #expect(set[key] == .number(value) && set.impact.after == .number(value))
  }

  @Test(arguments: [
    ("explorationRadiusMeters", "1h"), ("visitGapMinutes", "1km"), ("percentageDecimals", "3m"),
    ("maximumAccuracyMeters", "km"), ("explorationRadiusMeters", "90km/h"),
    ("maximumSpeedMetersPerSecond", "100km"),
    ("maximumSpeedMetersPerSecond", "0x10m/s"),
  ])
  func `a unit of another quantity is wrong usage`(key: String, text: String) throws {
    let bench = try Bench()
    let result = try bench.roqua("settings", key, text)
    #expect(result.status == 64, "\(result.out)")
    #expect(result.err.hasPrefix("Error: \(key) must be a "), "\(result.err)")
    #expect(!bench.hasStore)
  }

  @Test(arguments: ["c.geojson", "c.GPX", "c.kml", "c.csv"])
  func `cells are not written to a file whose extension promises another format`(name: String)
    throws
  {
    let bench = try Bench()
    try bench.importSamples()
    let result = try bench.roqua("coverage", "--export", name)
    #expect(result.status == 64)
    #expect(result.err.contains("binary format"))
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file(name)))
  }

  @Test func `the explored area and the explored land are shown next to each other, with labels`()
    throws
  {
    let bench = try Bench()
    try bench.importSamples()
    for command in [["stats", "--by", "country"], ["coverage", "--by", "country"]] {
      let result = try bench.roqua(command)
      #expect(result.out.contains(/explored +of it land +all land/))
      let fiji = try #require(result.out.split(separator: "\n").first { $0.hasPrefix("Fiji") })
      #expect(fiji.contains(/^Fiji +7\.\d\d +0\.\d\d +18,968 +0\.0036/))
    }
  }
}

import ArgumentParser
import Foundation
import GeoStore
import Geodesy
import Roqua

struct Coverage: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Show the explored cells, where to go next, and move them from store to store.",
    discussion: """
      A cell is a square of about 75 m; it is explored when its centre was within the exploration \
      radius of a kept fix. The frontier are the unexplored cells beside explored ones. The \
      largest square has no unexplored cell in it; the largest cluster hangs together by edges, \
      and all neighbours of its cells are explored too. Years, months and days are those of UTC, \
      and count what was new then.

      --export writes the explored cells to a file: the same cells give the same bytes. --import \
      adds the cells of such a file to the store; a file whose bytes are in the store already \
      changes nothing. - is standard output and standard input.

      Examples: roqua coverage --bbox -17,179.9,-16,-179.8
                roqua coverage --frontier 5 --frontier-near 41.0256 28.9742
      """)

  @OptionGroup var store: StoreArguments

  @Option(
    name: .customLong("by"), parsing: .singleValue,
    help: "Cut by country, region, city, year, month or day. May be given more than once.")
  var breakdowns: [Breakdown] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "Only the cells in this box, in degrees; a west greater than the east means across ±180°.",
      valueName: "south,west,north,east"))
  var bbox: [String] = []

  @Option(
    help: ArgumentHelp(
      "List this many cells of the frontier, the nearest to --frontier-near, or to where you were "
        + "last.", valueName: "count"))
  var frontier: Int?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "List the cells of the frontier that are nearest to a point (10).", valueName: "lat lon"))
  var frontierNear: [String] = []

  @Option(
    help: ArgumentHelp("Write the explored cells to a file.", valueName: "file"),
    completion: .file())
  var export: String?

  @Flag(help: "Replace the file that --export names, where it exists.")
  var force = false

  @Option(
    name: .customLong("import"), help: ArgumentHelp("Add the cells of a file.", valueName: "file"),
    completion: .file())
  var importPath: String?

  private func box() throws -> BoundingBox? { bbox.isEmpty ? nil : try DegreeList.box(bbox) }

  private func frontierCenter() throws -> Coordinate? {
    frontierNear.isEmpty ? nil : try Position.coordinate(frontierNear, option: "--frontier-near")
  }

  func validate() throws {
    _ = try (box(), frontierCenter())
    guard frontier ?? 0 >= 0 else { throw ValidationError("--frontier must not be negative.") }
    guard frontier ?? 0 <= CoverageQuery.largestFrontierLimit else {
      throw ValidationError(
        "--frontier must be at most \(Wording.count(CoverageQuery.largestFrontierLimit)): "
          + "the list is sorted and aligned in memory.")
    }
    let asks = !breakdowns.isEmpty || frontier != nil || !frontierNear.isEmpty
    if importPath != nil, export != nil || !bbox.isEmpty || asks {
      throw ValidationError("--import stands alone.")
    }
    if export != nil, asks { throw ValidationError("--export goes with --bbox only.") }
    if let export, !force, let format = Self.otherFormat(export),
      !FileManager.default.fileExists(atPath: export)
    {
      throw ValidationError(
        "--export writes Roqua's own binary format, not \(format): choose a name that does not end "
          + "like that, such as explored.coverage (--force keeps the name).")
    }
    if force, export == nil { throw ValidationError("--force goes with --export only.") }
    if export == "-", store.json {
      throw ValidationError(
        "--export - writes the cells to standard output, where --json would go too.")
    }
  }

  /// The format that a file's name promises, where that is another one.
  private static func otherFormat(_ path: String) -> String? {
    let formats = [
      ".geojson": "GeoJSON", ".json": "JSON", ".gpx": "GPX", ".kml": "KML", ".kmz": "KMZ",
      ".csv": "CSV", ".shp": "a shapefile", ".gpkg": "GeoPackage", ".sqlite": "SQLite",
      ".mbtiles": "MBTiles", ".pmtiles": "PMTiles", ".png": "PNG", ".svg": "SVG", ".txt": "text",
    ]
    return formats.first { path.lowercased().hasSuffix($0.key) }?.value
  }

  func run() throws {
    try Console.reportingErrors {
      if let importPath {
        try importCells(from: NegativeNumbers.original(importPath))
      } else if let export {
        try exportCells(to: NegativeNumbers.original(export))
      } else {
        try show()
      }
    }
  }

  private func show() throws {
    var question = CoverageQuery()
    question.box = try box()
    question.breakdowns = Set(breakdowns)
    question.frontierCenter = try frontierCenter()
    question.frontierLimit = frontier ?? (frontierNear.isEmpty ? nil : 10)
    let report = try store.open(creating: false).coverageReport(question)
    if store.json {
      Console.print(report.json)
    } else {
      CoverageSummary(report: report).print(breakdowns)
    }
  }

  private func importCells(from path: String) throws {
    // Read first: a file that is none makes no store.
    let file = try CoverageFile(path: path)
    let result = try store.open(creating: true).importCoverage(file)
    if store.json {
      Console.print(result.json)
    } else if result.isDuplicate {
      Console.print(
        "\(path): duplicate: these \(Wording.count(file.cells, "cell")) are in the store already, "
          + "nothing changed")
    } else {
      Console.print(
        "\(path): \(Wording.count(file.cells, "cell")), "
          + "\(Wording.count(result.cellsAdded)) of them new: "
          + "\(Wording.area(result.areaAddedSquareKilometers)) of new ground")
    }
  }

  private func exportCells(to path: String) throws {
    Interruption.prepare(
      working: path == "-" ? "what was written is no whole coverage" : "no file was written",
      committed: "the file is written")
    let result = try store.open(creating: false).exportCoverage(
      to: path, in: box(), replacing: force)
    if store.json {
      Console.print(result.json)
    } else if path != "-" {
      Console.print(
        "\(path): \(Wording.count(result.cells, "cell")) in \(Wording.bytes(result.bytes))")
    }
  }
}

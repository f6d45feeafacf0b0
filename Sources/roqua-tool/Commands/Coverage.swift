import ArgumentParser
import Foundation
import GeoStore
import Geodesy
import Roqua

struct Coverage: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Show the explored cells and where to go next, and copy them to another store.",
    discussion: """
      A cell is a square of about 75 m; it is explored if its center was within the exploration \
      radius of a kept fix. The frontier is the set of unexplored cells next to explored ones. All \
      cells of the largest square are explored; the largest cluster is edge-connected, and all \
      neighbors of its cells are explored too.

      --from and --to select the cells that were first explored in that time (UTC); --country, \
      --region and --city those whose center lies in that place. The squares and clusters are \
      those of the selected cells; a selection has no frontier.

      --export writes the explored cells, or the selected ones, to a file; equal cells give equal \
      bytes. Nothing near a privacy zone of the store is in the file. --import adds the cells of \
      such a file to the store; importing the same bytes again changes nothing. - is standard \
      output and standard input.

      --tiles shows explorer tiles in place of cells: the squares of web maps that your tracks \
      pass through, as VeloViewer (14) and Squadrats (14, 17) count them. --near lists the \
      missing tiles around a point, --grow those that the largest square lacks to be one larger; \
      --export writes these, or all visited ones, to a .geojson file, or the missing ones to a \
      .gpx file.

      Examples:
        roqua coverage --bbox -17,179.9,-16,-179.8
        roqua coverage --frontier 5 --frontier-near 41.0256 28.9742
        roqua coverage --country France --export france.coverage
        roqua coverage --tiles 14 --by year
        roqua coverage --tiles 17 --near 48.137 11.575 --limit 20 --export missing.gpx
      """)

  @OptionGroup var store: StoreArguments

  @Option(
    name: .customLong("by"), parsing: .singleValue,
    help: "Break down by country, region, city, year, month or day. May be given more than once.")
  var breakdowns: [Breakdown] = []

  @OptionGroup var selection: SelectionArguments

  @OptionGroup var top: TopArgument

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Count only the cells in this box, in degrees; a west greater than the east crosses ±180°.",
      valueName: "south,west,north,east"))
  var bbox: [String] = []

  @Option(
    help: ArgumentHelp(
      "List N cells of the frontier, those nearest to --frontier-near or to your last position.",
      valueName: "n"), transform: EntryCount.number)
  var frontier: Int?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "List the cells of the frontier nearest to a point (10 without --frontier).",
      valueName: "lat lon"))
  var frontierNear: [String] = []

  @Option(
    help: ArgumentHelp("Write the explored cells to a file.", valueName: "file"),
    completion: .file())
  var export: String?

  @Flag(help: "Replace the file that --export names if it exists.")
  var force = false

  @Option(
    name: .customLong("import"), help: ArgumentHelp("Add the cells of a file.", valueName: "file"),
    completion: .file())
  var importPath: String?

  @OptionGroup(title: "Explorer tiles") var tiles: ExplorerTileArguments

  func box() throws -> BoundingBox? { bbox.isEmpty ? nil : try DegreeList.box(bbox) }

  private func frontierCenter() throws -> Coordinate? {
    frontierNear.isEmpty ? nil : try Position.coordinate(frontierNear, option: "--frontier-near")
  }

  func validate() throws {
    _ = try (box(), frontierCenter())
    if tiles.isAsked { return try validateTiles() }
    try tiles.checkUnused()
    guard frontier ?? 0 <= CoverageQuery.largestFrontierLimit else {
      throw ValidationError(
        "--frontier must be at most \(Wording.count(CoverageQuery.largestFrontierLimit)): "
          + "the list is sorted and aligned in memory.")
    }
    let asksFrontier = frontier != nil || !frontierNear.isEmpty
    let asks = !breakdowns.isEmpty || asksFrontier || top.count != nil
    if importPath != nil, export != nil || !bbox.isEmpty || asks || selection.isRestricted {
      throw ValidationError("--import cannot be combined with other options.")
    }
    if export != nil, asks {
      throw ValidationError("--export cannot be combined with --by, --top or --frontier.")
    }
    if asksFrontier, selection.isRestricted {
      throw ValidationError(
        "--frontier cannot be combined with a place or a time; use --bbox to limit it to an area.")
    }
    if top.count != nil, breakdowns.isEmpty { throw ValidationError("--top needs --by.") }
    if let export, !force, let format = Self.otherFormat(export),
      !FileManager.default.fileExists(atPath: export)
    {
      throw ValidationError(
        "--export writes Roqua's own binary format, not \(format); choose another name, such as "
          + "explored.coverage (--force keeps this one).")
    }
    if force, export == nil { throw ValidationError("--force needs --export.") }
    if export == "-", store.json {
      throw ValidationError(
        "--export - cannot be combined with --json: both write to standard output.")
    }
  }

  /// The format that a file's name promises, if it is another one.
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
      if let zoom = tiles.zoom {
        try runTiles(zoom: zoom.rawValue)
      } else if let importPath {
        try importCells(from: NegativeNumbers.original(importPath))
      } else if let export {
        try exportCells(to: NegativeNumbers.original(export))
      } else {
        try show()
      }
    }
  }

  private func show() throws {
    let explorer = try store.open(creating: false)
    var query = CoverageQuery()
    query.selection = try selection.query(of: explorer)
    query.box = try box()
    query.breakdowns = Set(breakdowns)
    query.frontierCenter = try frontierCenter()
    query.frontierLimit = frontier ?? (frontierNear.isEmpty ? nil : 10)
    let report = try WorkProgress.counting { try explorer.coverageReport(query) }
    if store.json {
      Console.print(report.json(top: top.count))
    } else {
      CoverageSummary(report: report, top: top.count).print(breakdowns)
    }
  }

  private func importCells(from path: String) throws {
    // Read first: a file of another kind must create no store.
    try ExistingFile.check(path)
    let file = try CoverageFile(path: path)
    let result = try store.open(creating: true).importCoverage(file)
    if store.json {
      Console.print(result.json)
    } else if result.isDuplicate {
      Console.print(
        "\(path): already imported (\(Wording.count(file.cells, "cell"))); nothing changed")
    } else {
      Console.print(
        "\(path): \(Wording.count(file.cells, "cell")), "
          + "\(Wording.count(result.cellsAdded)) of them new: "
          + "\(Wording.area(result.areaAddedSquareKilometers)) newly explored")
    }
  }

  private func exportCells(to path: String) throws {
    Interruption.prepare(
      working: path == "-" ? "the output is incomplete" : "no file was written",
      committed: "the file is written")
    let result = try WorkProgress.showing { _ in
      let explorer = try store.open(creating: false)
      return try explorer.exportCoverage(
        to: path, in: box(), of: selection.query(of: explorer), replacing: force)
    }
    if store.json {
      Console.print(result.json)
      return
    }
    if path != "-" {
      Console.print(
        "\(path): \(Wording.count(result.cells, "cell")) in \(Wording.bytes(result.bytes))")
    }
    for note in result.notes {
      if path == "-" { Console.printError(note) } else { Console.print(note) }
    }
  }
}

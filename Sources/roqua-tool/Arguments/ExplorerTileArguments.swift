import ArgumentParser
import Geodesy
import Roqua

/// The options of `roqua coverage --tiles`.
struct ExplorerTileArguments: ParsableArguments {
  /// The zooms that people play on.
  enum Zoom: Int, ExpressibleByArgument, CaseIterable {
    case large = 14
    case small = 17
  }

  @Option(
    name: .customLong("tiles"),
    help: ArgumentHelp(
      "Show explorer tiles of this zoom: 14 (tiles, squadrats) or 17 (squadratinhos).",
      valueName: "zoom"))
  var zoom: Zoom?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("List the missing tiles nearest to a point.", valueName: "lat lon"))
  var near: [String] = []

  @Option(
    help: ArgumentHelp(
      "List N missing tiles, and N places of squares (10 without --limit).", valueName: "n"),
    transform: EntryCount.number)
  var limit: Int?

  @Flag(help: "List the missing tiles of the next larger square, nearest to --near if it is given.")
  var grow = false

  /// Whether the answer is about explorer tiles.
  var isAsked: Bool { zoom != nil }

  /// The point of `--near`.
  func center() throws -> Coordinate? {
    near.isEmpty ? nil : try Position.coordinate(near, option: "--near")
  }

  func validate() throws {
    _ = try center()
    if let limit, limit > ExplorerTileQuery.largestLimit {
      throw ValidationError(
        "--limit must be at most \(Wording.count(ExplorerTileQuery.largestLimit)).")
    }
  }

  /// - Throws: `ValidationError` for an option that needs `--tiles`.
  func checkUnused() throws {
    let unused = [("--near", !near.isEmpty), ("--limit", limit != nil), ("--grow", grow)]
    if let (name, _) = unused.first(where: \.1) {
      let advice = name == "--near" ? " (--frontier-near lists cells)" : ""
      throw ValidationError("\(name) needs --tiles\(advice).")
    }
  }
}

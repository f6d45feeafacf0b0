import ArgumentParser
import Foundation
import Roqua

extension Coverage {
  /// Checks the options of `--tiles`.
  ///
  /// - Throws: `ValidationError`.
  func validateTiles() throws {
    if importPath != nil || frontier != nil || !frontierNear.isEmpty {
      throw ValidationError("--tiles cannot be combined with --import or --frontier.")
    }
    if let place = breakdowns.first(where: { ![.year, .month, .day].contains($0) }) {
      throw ValidationError(
        "--tiles can be broken down by year, month or day, not \(place.rawValue).")
    }
    if top.count != nil, breakdowns.isEmpty { throw ValidationError("--top needs --by.") }
    let asksMissing = !tiles.near.isEmpty || tiles.grow
    if asksMissing, selection.isRestricted || !bbox.isEmpty {
      throw ValidationError(
        "--near and --grow cannot be combined with a place, a time or --bbox: "
          + "a tile outside of these may be visited.")
    }
    if tiles.limit != nil, !asksMissing { throw ValidationError("--limit needs --near or --grow.") }
    if let export {
      if !breakdowns.isEmpty { throw ValidationError("--export cannot be combined with --by.") }
      if try Self.tileFormat(export) == .gpx, !asksMissing {
        throw ValidationError(
          "A .gpx file has the missing tiles, for a watch: add --near or --grow.")
      }
    } else if force {
      throw ValidationError("--force needs --export.")
    }
  }

  /// The format of a file of tiles.
  ///
  /// - Throws: `ValidationError` for a name that says nothing.
  private static func tileFormat(_ path: String) throws -> Explorer.ExplorerTileFormat {
    switch URL(fileURLWithPath: path).pathExtension.lowercased() {
    case "geojson", "json": return .geojson
    case "gpx": return .gpx
    default:
      throw ValidationError("With --tiles, the name of --export must end in .geojson or .gpx.")
    }
  }

  /// Runs `roqua coverage --tiles`.
  func runTiles(zoom: Int) throws {
    if export != nil {
      Interruption.prepare(working: "no file was written", committed: "the file is written")
    }
    let explorer = try store.open(creating: false)
    var query = ExplorerTileQuery(zoom: zoom)
    query.selection = try selection.query(of: explorer)
    query.selection.breakdowns = Set(breakdowns)
    query.box = try box()
    query.center = try tiles.center()
    query.squareLimit = tiles.limit ?? 10
    if !tiles.near.isEmpty, !tiles.grow { query.missingLimit = tiles.limit ?? 10 }
    let report = try WorkProgress.counting { try explorer.explorerTileReport(query) }
    if let export {
      try write(report, to: NegativeNumbers.original(export), by: explorer)
    } else if store.json {
      Console.print(report.json(top: top.count))
    } else {
      ExplorerTileSummary(report: report, listsGrowth: tiles.grow, top: top.count)
        .print(breakdowns)
    }
  }

  private func write(
    _ report: ExplorerTileReport, to path: String, by explorer: Explorer
  ) throws {
    let format = try Self.tileFormat(path)
    let result: ExplorerTileExport
    if tiles.grow {
      let missing = Set(report.growthPlaces.flatMap(\.missing)).sorted()
      result = try explorer.writeExplorerTiles(missing, as: format, to: path, replacing: force)
    } else if let missing = report.missing {
      result = try explorer.writeExplorerTiles(
        missing.map(\.tile), as: format, to: path, replacing: force)
    } else {
      result = try explorer.writeExplorerTiles(
        report.tiles.tiles, as: format, to: path, replacing: force)
    }
    if store.json {
      Console.print(result.json)
    } else {
      Console.print(
        "\(path): \(Wording.count(result.tiles, "explorer tile")) in \(Wording.bytes(result.bytes))"
      )
      result.notes.forEach(Console.print)
    }
  }
}

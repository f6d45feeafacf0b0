import Foundation
import GeoStore
import Roqua
import SQLiteLayer

/// What `roqua` prints without arguments: the state of the store, and what to do next.
struct OverviewSummary {
  /// The store that commands would use.
  let arguments: StoreArguments

  func print() throws {
    let (path, profile) = (try arguments.path, try arguments.profile)
    let explorer: Explorer
    do {
      explorer = try arguments.open(creating: false)
    } catch DatabaseError.missing {
      if arguments.json {
        return Console.print([
          "store": .string(path), "profile": .string(profile?.name), "sources": .integer(0),
        ])
      }
      return printStart(
        profile.map { "The profile \($0.name) is empty." } ?? "There is no store at \(path) yet.")
    }
    let (contents, explored) = try explorer.overview()
    if arguments.json { return Console.print(json(path, profile?.name, contents, explored)) }
    guard contents.sources > 0 else {
      return printStart(
        profile.map { "The profile \($0.name) is empty." } ?? "The store \(path) is empty.")
    }
    printState(path, profile?.name, contents, explored, decimals: try Self.decimals(explorer))
    Console.print("")
    printCommands([
      ("roqua stats --by country", "how much of each country you have explored"),
      ("roqua places --by city", "the cities where you have been"),
      ("roqua near LAT LON", "the visited regions around a point"),
      ("roqua import PATH", "import more tracks"),
      ("roqua help", "all commands"),
    ])
  }

  private func json(
    _ path: String, _ profile: String?, _ contents: StoreOverview, _ explored: ExploredOverview
  ) -> JSONValue {
    [
      "store": .string(path), "profile": .string(profile), "sources": .integer(contents.sources),
      "keptFixes": .integer(contents.keptFixes), "firstTime": .string(contents.firstTime?.iso8601),
      "lastTime": .string(contents.lastTime?.iso8601),
      "areaSquareKilometers": .number(explored.areaSquareKilometers),
      "landPercentage": .number(explored.landPercentage),
      "isEstimate": .bool(explored.isEstimate || contents.citiesAreEstimated),
      "countries": .integer(contents.countries), "cities": .integer(contents.cities),
    ]
  }

  /// The decimals of percentages; nil if the setting is not set.
  private static func decimals(_ explorer: Explorer) throws -> Int? {
    let settings = try explorer.settings()
    return settings.isSet(.percentageDecimals) ? Int(settings[.percentageDecimals]) : nil
  }

  private func printState(
    _ path: String, _ profile: String?, _ contents: StoreOverview, _ explored: ExploredOverview,
    decimals: Int?
  ) {
    var table = Table([.left, .left])
    if let profile { table.add(["profile", profile]) }
    let bytes = (try? FileManager.default.attributesOfItem(atPath: path)[.size]) as? Int
    table.add(["store", path + (bytes.map { ", \(Wording.bytes($0))" } ?? "")])
    table.add([
      "imported",
      "\(Wording.count(contents.sources, "file")), "
        + "\(Wording.count(contents.keptFixes, "kept fix", "kept fixes")), "
        + Wording.days(contents.firstTime, contents.lastTime),
    ])
    table.add([
      "explored",
      (explored.isEstimate ? "about " : "")
        + "\(Self.area(explored)), "
        + "\(Wording.percentage(explored.landPercentage, decimals: decimals)) of the world's land",
    ])
    // Cells without fixes lie in countries, but say nothing about visits: 0 would be wrong.
    if contents.keptFixes > 0 || contents.countries > 0 {
      table.add([
        "reached",
        "\(Wording.count(contents.countries, "country", "countries")), "
          + (contents.citiesAreEstimated ? "about " : "")
          + Wording.count(contents.cities, "city", "cities"),
      ])
    }
    table.lines().forEach(Console.print)
  }

  /// The area; of an estimate three significant digits.
  private static func area(_ explored: ExploredOverview) -> String {
    let area = explored.areaSquareKilometers
    guard explored.isEstimate, area >= 100 else { return Wording.area(area) }
    let unit = pow(10, (log10(area) - 2).rounded(.down))
    return Wording.area((area / unit).rounded() * unit)
  }

  private func printStart(_ state: String) {
    Console.print(state)
    Console.print("")
    printCommands([
      ("roqua import PATH", "import GPS tracks: files, folders or archives"),
      ("roqua help formats", "the formats that Roqua reads"),
      ("roqua help", "all commands"),
    ])
  }

  private func printCommands(_ commands: [(command: String, meaning: String)]) {
    var table = Table([.left, .left])
    for command in commands { table.add([command.command, command.meaning]) }
    table.lines(indent: "  ").forEach(Console.print)
  }
}

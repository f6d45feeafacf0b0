import ArgumentParser
import GeoStore
import Roqua

extension Breakdown: ExpressibleByArgument {}

struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats",
    abstract: "Show how much of the world you have explored.",
    discussion: """
      An explored cell is a square of about 75 m whose center was within the exploration radius of \
      a kept fix. Areas are measured on the ground.

      --from and --to count the cells that were first explored in that time, the visits in it and \
      the fixes recorded in it; what has no time is left out. The times are in UTC. --country, \
      --region and --city count what lies in that place.

      Percentages have two significant digits, or as many decimals as the setting \
      percentageDecimals says. The setting units switches to miles.

      Examples:
        roqua stats --by country --top 10
        roqua stats --country Germany --by region
        roqua stats --from 2024-05 --to 2024-08 --by day --time-zone local
      """)

  @OptionGroup var store: StoreArguments

  @Option(
    name: .customLong("by"), parsing: .singleValue,
    help: "Break down by country, region, city, year, month or day. May be given more than once.")
  var breakdowns: [Breakdown] = []

  @OptionGroup var selection: SelectionArguments

  @OptionGroup var top: TopArgument

  func validate() throws {
    guard top.count == nil || !breakdowns.isEmpty else {
      throw ValidationError("--top needs --by.")
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let explorer = try store.open(creating: false)
      var query = try selection.query(of: explorer)
      query.breakdowns = Set(breakdowns)
      let statistics = try WorkProgress.counting { try explorer.statistics(query) }
      if store.json {
        Console.print(statistics.json(top: top.count))
      } else {
        StatisticsSummary(statistics: statistics, top: top.count).print(breakdowns)
      }
    }
  }
}

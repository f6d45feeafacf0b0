import ArgumentParser
import GeoStore
import Roqua

extension Breakdown: ExpressibleByArgument {}

struct Stats: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell how much of the world you have explored.",
    discussion: """
      An explored cell is a square of about 75 m whose centre was within the exploration radius of \
      a kept fix. Areas are measured on the ground. Years, months and days are those of UTC, and \
      count what was new then.
      """)

  @OptionGroup var store: StoreArguments

  @Option(
    name: .customLong("by"), parsing: .singleValue,
    help: "Cut by country, region, city, year, month or day. May be given more than once.")
  var breakdowns: [Breakdown] = []

  func run() throws {
    try Console.reportingErrors {
      let statistics = try store.open(creating: false).statistics(by: Set(breakdowns))
      if store.json {
        Console.print(statistics.json)
      } else {
        StatisticsSummary(statistics: statistics).print(breakdowns)
      }
    }
  }
}

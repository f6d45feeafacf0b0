import ArgumentParser
import GeoStore
import Roqua

struct Rebuild: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rebuild",
    abstract: "Rebuild regions, visits and coverage from the kept fixes.",
    discussion: """
      Options change the store's settings. Filter settings (roqua settings) apply when a track is \
      imported: points that a filter dropped are not in the store, so a rebuild cannot restore \
      them.

      Example: roqua rebuild --exploration-radius 200m
      """)

  @OptionGroup var store: StoreArguments

  @Option(
    help: ArgumentHelp(
      "Explore the cells within this distance of a kept fix: 150m. Whole meters.",
      valueName: "distance"), transform: Length.parse)
  var explorationRadius: Length?

  @Option(
    help: ArgumentHelp(
      "Assign a kept fix to a region nearer than this: 75m.", valueName: "distance"),
    transform: Length.parse)
  var clusteringRadius: Length?

  @Option(
    help: ArgumentHelp(
      "Start a new visit after more than this time without a fix in a region: 45min, 2h; a number "
        + "alone is in minutes.", valueName: "duration"),
    transform: { try SettingValue.parse($0, for: .visitGapMinutes) })
  var visitGap: Double?

  private var values: [SettingKey: Double] {
    var values: [SettingKey: Double] = [:]
    values[.explorationRadiusMeters] = explorationRadius?.meters
    values[.clusteringRadiusMeters] = clusteringRadius?.meters
    values[.visitGapMinutes] = visitGap
    return values
  }

  func validate() throws {
    for (key, value) in values {
      do { try SettingValue.check(value, for: key) } catch { throw ValidationError("\(error)") }
    }
  }

  func run() throws {
    Interruption.prepareRewriting("the store was rebuilt")
    try Console.reportingErrors {
      let explorer = try store.open(creating: false)
      let area = explorationRadius == nil || store.json ? nil : AreaChange(of: explorer)
      let result = try WorkProgress.showing { _ in try explorer.rebuild(changing: values) }
      if store.json {
        Console.print(
          [
            "before": result.before.json, "after": result.after.json,
            "erased": .bool(result.isErased),
          ])
      } else {
        Console.print(SizeChange.text(result))
        if let line = area?.line() { Console.print(line) }
      }
      try Forget.checkErased(result)
    }
  }
}

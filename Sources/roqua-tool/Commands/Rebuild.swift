import ArgumentParser
import GeoStore
import Roqua

struct Rebuild: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Build regions, visits and coverage anew from the kept fixes.",
    discussion: """
      With other settings where they are given; they stay. Settings that filter points (roqua \
      settings) hold when a track is imported: what they dropped is not in the store, so a rebuild \
      cannot bring it back.

      Example: roqua rebuild --exploration-radius 200m
      """)

  @OptionGroup var store: StoreArguments

  @Option(
    help: ArgumentHelp("What a kept fix explores: 150m. Whole metres.", valueName: "distance"))
  var explorationRadius: Length?

  @Option(
    help: ArgumentHelp(
      "A kept fix nearer than this to a region belongs to it: 75m.", valueName: "distance"))
  var clusteringRadius: Length?

  @Option(
    help: ArgumentHelp(
      "Fixes of a region further apart than this are two visits.", valueName: "minutes"))
  var visitGap: Degrees?

  private var values: [SettingKey: Double] {
    var values: [SettingKey: Double] = [:]
    values[.explorationRadiusMeters] = explorationRadius?.meters
    values[.clusteringRadiusMeters] = clusteringRadius?.meters
    values[.visitGapMinutes] = visitGap?.value
    return values
  }

  func validate() throws {
    var settings = StoreSettings()
    for (key, value) in values {
      do { try settings.set(key, to: value) } catch { throw ValidationError("\(error)") }
    }
  }

  func run() throws {
    Interruption.prepareRewriting("all is built anew")
    try Console.reportingErrors {
      let result = try store.open(creating: false).rebuild(changing: values)
      if store.json {
        Console.print(
          [
            "before": result.before.json, "after": result.after.json,
            "erased": .bool(result.isErased),
          ])
      } else {
        Console.print(Forget.change(result))
      }
      try Forget.checkErased(result)
    }
  }
}

import Achievements
import ArgumentParser
import Roqua

struct AchievementsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "achievements",
    abstract: "Show what you have achieved, and what is nearest.",
    discussion: """
      Progress is what the store contains now. A tier that was reached stays yours, with the time \
      of the fix that earned it, whatever is forgotten later, and in whatever order tracks are \
      imported.

      The categories are places, area, distance, borders, days, compass, height and clock.

      Examples:
        roqua achievements --nearest 5
        roqua achievements --changed
        roqua achievements --category places --language tr
      """)

  @OptionGroup var store: StoreArguments

  @Option(
    help: "Show only this category.", completion: .list(AchievementCatalog.bundled.categories))
  var category: String?

  @Option(
    help: ArgumentHelp("Show the N that are nearest to their next tier.", valueName: "n"),
    transform: EntryCount.number)
  var nearest: Int?

  @Flag(help: "Show what the last import changed; after forgetting, new tiers only.")
  var changed = false

  @OptionGroup var language: LanguageArguments

  func validate() throws {
    if nearest != nil, changed {
      throw ValidationError("--nearest cannot be combined with --changed.")
    }
    let categories = AchievementCatalog.bundled.categories
    if let category, !categories.contains(category) {
      throw ValidationError(
        "There is no category \"\(Console.safe(String(category.prefix(40))))\". The categories are "
          + categories.joined(separator: ", ") + ".")
    }
  }

  /// The sentence where there is nothing to show, after the category that was asked for.
  private func nothing(_ catalog: AchievementCatalog, in language: String) -> String {
    let sentence = catalog.word(changed ? .noneChanged : .noneNearest, in: language)
    guard let category else { return Console.safe(sentence) }
    return Console.safe("\(catalog.title(ofCategory: category, in: language)): \(sentence)")
  }

  func run() throws {
    try Console.reportingErrors {
      let explorer = try store.open(creating: false)
      let report = try WorkProgress.counting { try explorer.achievements() }
      var items = changed ? report.changed : report.items
      if let category { items.removeAll { $0.achievement.category != category } }
      if let nearest {
        let wanted = Set(items.map(\.id))
        items = Array(
          report.nearest(report.items.count).filter { wanted.contains($0.id) }.prefix(nearest))
      }
      let language = PlaceWording.current.locale?.identifier ?? "en"
      if store.json {
        Console.print(report.json(items, in: language))
      } else if items.isEmpty {
        Console.print(nothing(report.catalog, in: language))
      } else {
        let isWhole = nearest == nil && !changed
        AchievementSummary(report: report, language: language)
          .print(items, byCategory: isWhole, isPart: category != nil)
      }
    }
  }
}

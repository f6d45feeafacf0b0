import Achievements
import Geodesy

extension AchievementReport {
  /// The report as JSON (`docs/formats/achievements.md`).
  ///
  /// - Parameters:
  ///   - items: the achievements to list, in this order.
  ///   - language: the language of the texts.
  package func json(_ items: [Item], in language: String) -> JSONValue {
    [
      "unlockedTiers": .integer(unlockedTiers), "allTiers": .integer(allTiers),
      "achievements": .array(items.map { json($0, in: language) }),
    ]
  }

  private func json(_ item: Item, in language: String) -> JSONValue {
    let achievement = item.achievement
    return [
      "id": .string(achievement.id), "category": .string(achievement.category),
      "icon": .string(achievement.icon),
      "title": .string(catalog.title(of: achievement.id, in: language)),
      "description": .string(catalog.description(of: achievement.id, in: language)),
      "metric": .string(achievement.metric.kind.rawValue),
      "argument": .string(achievement.metric.argument),
      "unit": .string(achievement.metric.unit.rawValue),
      "value": .number(item.value), "valueBefore": .number(item.valueBefore),
      "nextTier": .number(item.nextTier), "share": .number(item.share),
      "tiers": .array(
        achievement.tiers.map { tier in
          let unlock = item.unlocks.first { $0.tier == tier }
          return [
            "tier": .number(tier), "isUnlocked": .bool(unlock != nil),
            "time": .string(unlock?.time?.iso8601),
            "isNew": .bool(item.newUnlocks.contains { $0.tier == tier }),
          ]
        }),
    ]
  }
}

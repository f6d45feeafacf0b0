import Geodesy

/// A tier of an achievement that was reached, as stored.
package struct AchievementRow: Hashable, Sendable {
  /// The id of the achievement.
  package var id: String
  /// The value that earns the tier.
  package var tier: Double
  /// The time of the fix that earned it; nil if unknown.
  package var time: Timestamp?
  /// The generation in which it was given.
  package var generation: Int64
  /// When it was given.
  package var givenAt: Timestamp

  package init(
    id: String, tier: Double, time: Timestamp?, generation: Int64, givenAt: Timestamp
  ) {
    (self.id, self.tier, self.time) = (id, tier, time)
    (self.generation, self.givenAt) = (generation, givenAt)
  }
}

/// The progress of an achievement, as stored.
package struct AchievementProgressRow: Hashable, Sendable {
  /// The value at the last evaluation.
  package var value: Double
  /// The value before the last generation; nil if there was none.
  package var valueBefore: Double?

  package init(value: Double, valueBefore: Double?) {
    (self.value, self.valueBefore) = (value, valueBefore)
  }
}

/// What the last evaluation of the achievements left.
package struct AchievementStateRow: Hashable, Sendable {
  /// The number of evaluations with new content or rules so far.
  package var generation: Int64
  /// The content that was evaluated.
  package var content: StoreContent
  /// The rules by which it was evaluated: a text of the caller's.
  package var rules: String
  /// When it was evaluated.
  package var evaluatedAt: Timestamp
  /// The caller's state.
  package var state: [UInt8]

  package init(
    generation: Int64, content: StoreContent, rules: String, evaluatedAt: Timestamp, state: [UInt8]
  ) {
    (self.generation, self.content, self.rules) = (generation, content, rules)
    (self.evaluatedAt, self.state) = (evaluatedAt, state)
  }
}

/// What an evaluation of the achievements begins with. If it is another one when the results are
/// to be stored, data was deleted meanwhile, or another evaluation was stored: the results are
/// outdated then. Sources and fixes that were only added do not change it, because the results are
/// those of a content that can be continued.
package struct EvaluationBasis: Hashable, Sendable {
  /// The number of transactions that deleted data (`revision.deletions`).
  package var deletions: Int64 = 0
  /// The last evaluation; nil if none is stored.
  var generation: Int64?
  var content: String?
  var evaluatedAt: String?

  init(deletions: Int64) { self.deletions = deletions }

  /// The basis of an evaluation of nothing.
  package init() {}
}

/// The content of a store up to a source, in numbers that change when the content does.
///
/// Fixes are only ever added at the end of a source, and sources at the end of the table, except
/// where data is forgotten, which deletes ``AchievementStateRow`` and changes ``EvaluationBasis``.
package struct StoreContent: Hashable, Sendable {
  /// The number of the last source; 0 if there is none.
  package var lastSource: Int64
  /// The number of sources before the last one, and of their kept fixes.
  package var earlierSources: Int64
  package var earlierFixes: Int64
  /// The number of kept fixes of the last source.
  package var lastFixes: Int64

  package init(
    lastSource: Int64 = 0, earlierSources: Int64 = 0, earlierFixes: Int64 = 0, lastFixes: Int64 = 0
  ) {
    (self.lastSource, self.earlierSources) = (lastSource, earlierSources)
    (self.earlierFixes, self.lastFixes) = (earlierFixes, lastFixes)
  }

  /// All kept fixes.
  package var fixes: Int64 { earlierFixes + lastFixes }

  /// The numbers as text, such as `3 2 800 400`.
  var text: String { "\(lastSource) \(earlierSources) \(earlierFixes) \(lastFixes)" }

  /// Reads ``text``; nil for anything else.
  init?(text: String) {
    let numbers = text.split(separator: " ", omittingEmptySubsequences: false)
      .compactMap { Int64($0) }
    guard numbers.count == 4, numbers.allSatisfy({ (0...Int64.max / 4).contains($0) }) else {
      return nil
    }
    self.init(
      lastSource: numbers[0], earlierSources: numbers[1], earlierFixes: numbers[2],
      lastFixes: numbers[3])
    guard self.text == text else { return nil }
  }
}

import Achievements
import GeoStore
import Geodesy
import SQLiteLayer

extension Explorer {
  /// Does what the async form does, on the calling thread.
  package func achievements(
    _ catalog: AchievementCatalog = .bundled, custom: [String: AchievementValue] = [:]
  ) throws -> AchievementReport {
    let evaluation = AchievementEvaluation(catalog: catalog, custom: custom)
    return try evaluate(evaluation, isCheap: false)?.report ?? report(of: evaluation, given: [])
  }

  /// The achievements of the store: progress by what the store contains now, and the tiers that
  /// were ever reached, each with the time of the fix that earned it.
  ///
  /// New tiers are stored, once: ``AchievementReport/newlyUnlocked`` has those that this call gave.
  /// If the store cannot be changed, nothing is stored.
  ///
  /// - Parameters:
  ///   - catalog: the achievements.
  ///   - custom: the values of an app's own metrics, by the argument of the metric.
  /// - Complexity: O(new fixes) if only later fixes were added since the last evaluation, otherwise
  ///   O(n log n) for n kept fixes; O(explored cells) after any change.
  /// - Throws: `CancellationError`, and `DatabaseError` if the store cannot be read.
  public func achievements(
    _ catalog: AchievementCatalog = .bundled, custom: [String: AchievementValue] = [:]
  ) async throws -> AchievementReport {
    try await blocking { try $0.achievements(catalog, custom: custom) }
  }

  /// Updates the achievements if that takes little time, as after a small import or one of the
  /// newest tracks. The explored area is left to the next ``achievements(_:custom:)``.
  ///
  /// - Returns: nil if it would take long.
  package func updateAchievementsIfCheap(
    _ catalog: AchievementCatalog = .bundled
  ) throws -> AchievementReport? {
    try evaluate(AchievementEvaluation(catalog: catalog), isCheap: true)?.report
  }

  /// The number of times that an evaluation is repeated at most because data was deleted, or
  /// another one was stored, between reading and storing.
  static let mostEvaluations = 3

  /// Evaluates, and stores the results. Nothing outdated is ever stored: if the store changes too
  /// often meanwhile, nothing is, and the next evaluation finds it.
  ///
  /// - Parameters:
  ///   - evaluation: an evaluation that was not run.
  ///   - beforeStoring: is called between reading and storing; for tests.
  /// - Returns: nil if it would take long and `isCheap` is true.
  func evaluate(
    _ evaluation: AchievementEvaluation, isCheap: Bool, beforeStoring: () throws -> Void = {}
  ) throws -> (evaluation: AchievementEvaluation, report: AchievementReport)? {
    var attempts = 0
    while true {
      var evaluation = evaluation
      guard try read({ try evaluation.run(self, $0, isCheap: isCheap) }) else { return nil }
      try beforeStoring()
      // A store that cannot be changed is evaluated each time.
      let result = (try? keep(evaluation)) ?? .stored([])
      attempts += 1
      switch result {
      case .stored(let given): return (evaluation, report(of: evaluation, given: given))
      case .outdated where attempts < Self.mostEvaluations: continue
      case .outdated: return (evaluation, report(of: evaluation, given: []))
      }
    }
  }

  /// What became of the results of an evaluation.
  private enum Keeping {
    /// They are in the store. These tiers were not.
    case stored([AchievementRow])
    /// They are not, because data was deleted, or another evaluation was stored, in the meantime.
    case outdated
  }

  /// Stores what an evaluation found, unless it is outdated.
  private func keep(_ evaluation: AchievementEvaluation) throws -> Keeping {
    let isNew = !evaluation.isSame
    let known = Dictionary(
      uniqueKeysWithValues: evaluation.storedRows.map {
        (TierKey(id: $0.id, tier: $0.tier), $0.time)
      })
    let isNews = evaluation.reached.contains { unlock in
      guard let before = known[TierKey(id: unlock.achievementID, tier: unlock.tier)] else {
        return true
      }
      guard let time = unlock.time else { return false }
      return before.map { time < $0 } ?? true
    }
    let progress = evaluation.progress
    let hasMoreCells = evaluation.stored?.state.first != evaluation.stateBytes.first
    guard isNew || isNews || hasMoreCells || progress != evaluation.storedProgress else {
      return .stored([])
    }
    return try write { session in
      guard try session.evaluationBasis() == evaluation.basis else { return .outdated }
      let generation = evaluation.generation
      let given = try session.give(
        evaluation.reached.map { ($0.achievementID, $0.tier, $0.time) }, generation: generation)
      if isNew || hasMoreCells || progress != evaluation.storedProgress {
        try session.keep(
          AchievementStateRow(
            generation: generation, content: evaluation.content, rules: evaluation.rules,
            evaluatedAt: store.options.now(), state: evaluation.stateBytes),
          progress: progress)
      }
      return .stored(given)
    }
  }

  private struct TierKey: Hashable {
    let id: String
    let tier: Double
  }

  /// Stores tiers that a recording reached (``AchievementTracker``), at once and for good.
  ///
  /// - Returns: those that were not in the store: each is given once.
  /// - Throws: `DatabaseError`; nothing is stored then.
  package func give(_ unlocks: [AchievementUnlock]) throws -> [AchievementUnlock] {
    if unlocks.isEmpty { return [] }
    return try write { session in
      try session.give(live: unlocks.map { ($0.achievementID, $0.tier, $0.time) })
    }.map(AchievementUnlock.init)
  }

  private func report(
    of evaluation: AchievementEvaluation, given: [AchievementRow]
  ) -> AchievementReport {
    var times: [TierKey: Timestamp?] = [:]
    var generations: [TierKey: Int64] = [:]
    for row in evaluation.storedRows + given {
      let key = TierKey(id: row.id, tier: row.tier)
      (times[key], generations[key]) = (.some(row.time), row.generation)
    }
    for unlock in evaluation.reached {
      let key = TierKey(id: unlock.achievementID, tier: unlock.tier)
      guard let before = times[key] else {
        // Only in a store that cannot be changed.
        (times[key], generations[key]) = (.some(unlock.time), evaluation.generation)
        continue
      }
      let earliest = [before, unlock.time].compactMap(\.self).min()
      times[key] = .some(earliest)
    }
    let progress = evaluation.progress
    // Before the first evaluation there was nothing. Forgetting deletes all progress, and keeps the
    // tiers; after it nobody knows what there was.
    let isFirst =
      evaluation.basis.deletions == 0
      && generations.values.allSatisfy { $0 == evaluation.generation }
    let isKnown = isFirst || progress.values.contains { $0.valueBefore != nil }
    let items = evaluation.catalog.achievements.map { achievement in
      let unlocks = achievement.tiers.compactMap { tier in
        times[TierKey(id: achievement.id, tier: tier)].map {
          AchievementUnlock(achievementID: achievement.id, tier: tier, time: $0)
        }
      }
      let valueBefore = progress[achievement.id]?.valueBefore
      // What was not measured before is unknown; of fixes and heights there was none.
      let hadNone = isFirst || [.fixes, .heights].contains(achievement.metric.origin)
      return AchievementReport.Item(
        achievement: achievement, value: evaluation.values[achievement.metric],
        valueBefore: valueBefore, isValueBeforeKnown: isKnown && (valueBefore != nil || hadNone),
        unlocks: unlocks,
        newUnlocks: unlocks.filter {
          generations[TierKey(id: $0.achievementID, tier: $0.tier)] == evaluation.generation
        })
    }
    return AchievementReport(
      catalog: evaluation.catalog, items: items, newlyUnlocked: given.map(AchievementUnlock.init))
  }
}

extension AchievementUnlock {
  fileprivate init(_ row: AchievementRow) {
    self.init(achievementID: row.id, tier: row.tier, time: row.time)
  }
}

extension AchievementEvaluation {
  /// The number of this evaluation: one more than the last if the content or the rules changed.
  var generation: Int64 {
    let last = stored?.generation ?? storedRows.map(\.generation).max() ?? 0
    return isSame ? last : last + 1
  }

  /// The progress to store.
  var progress: [String: AchievementProgressRow] {
    var progress: [String: AchievementProgressRow] = [:]
    for achievement in catalog.achievements {
      guard let value = values[achievement.metric], value.isFinite else { continue }
      let before = storedProgress[achievement.id]
      progress[achievement.id] = AchievementProgressRow(
        value: value, valueBefore: isSame ? before?.valueBefore : before?.value)
    }
    return progress
  }
}

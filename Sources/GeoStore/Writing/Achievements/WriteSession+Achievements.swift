import Geodesy
import SQLiteLayer

extension WriteSession {
  /// Returns what an evaluation begins with that sees the store as of this point.
  package func evaluationBasis() throws(DatabaseError) -> EvaluationBasis {
    try connection.evaluationBasis()
  }

  /// Stores tiers that a recording reached, as those of the next generation.
  ///
  /// - Returns: the tiers that were not there before, in the order of `reached`.
  package func give(
    live reached: [(id: String, tier: Double, time: Timestamp?)]
  ) throws(DatabaseError) -> [AchievementRow] {
    // Without a state, as after a deletion, the tiers have the generations that there were.
    var last: Int64 = 0
    if let state = try connection.achievementState() {
      last = state.generation
    } else {
      for row in try connection.achievementRows() { last = max(last, row.generation) }
    }
    return try give(reached, generation: last + 1)
  }

  /// Merges tiers that were reached into those of the store: a tier that is there already keeps the
  /// earlier time. None is deleted.
  ///
  /// - Returns: the tiers that were not there before, in the order of `reached`.
  package func give(
    _ reached: [(id: String, tier: Double, time: Timestamp?)], generation: Int64
  ) throws(DatabaseError) -> [AchievementRow] {
    keepRecordingTables()
    var known: [String: [Double: Timestamp?]] = [:]
    for row in try connection.achievementRows() { known[row.id, default: [:]][row.tier] = row.time }
    var given: [AchievementRow] = []
    let write = try connection.cached(
      """
      INSERT INTO achievements (id, tier, unlocked_ms, generation, given_at)
      VALUES (?1, ?2, ?3, ?4, ?5)
      ON CONFLICT (id, tier) DO UPDATE SET unlocked_ms = excluded.unlocked_ms
      """)
    let now = options.now()
    for (id, tier, time) in reached {
      let before = known[id]?[tier]
      if let before {
        // Known already: only an earlier time is news.
        guard let time, before.map({ time < $0 }) ?? true else { continue }
      }
      write.bind(id, at: 1)
      write.bind(tier, at: 2)
      write.bind(time?.millisecondsSince1970, at: 3)
      write.bind(generation, at: 4)
      write.bind(now.iso8601, at: 5)
      try write.run()
      known[id, default: [:]][tier] = .some(time)
      if before == nil {
        given.append(
          AchievementRow(id: id, tier: tier, time: time, generation: generation, givenAt: now))
      }
    }
    return given
  }

  /// Replaces what the last evaluation left.
  package func keep(
    _ state: AchievementStateRow, progress: [String: AchievementProgressRow]
  ) throws(DatabaseError) {
    keepRecordingTables()
    try connection.deleteAchievementState()
    let insert = try connection.cached(
      """
      INSERT INTO achievement_state (only, generation, content, rules, evaluated_at, state)
      VALUES (1, ?1, ?2, ?3, ?4, ?5)
      """)
    insert.bind(state.generation, at: 1)
    insert.bind(state.content.text, at: 2)
    insert.bind(state.rules, at: 3)
    insert.bind(state.evaluatedAt.iso8601, at: 4)
    insert.bind(state.state, at: 5)
    try insert.run()
    let row = try connection.cached(
      "INSERT INTO achievement_progress (id, value, value_before) VALUES (?1, ?2, ?3)")
    for (id, progress) in progress.sorted(by: { $0.key < $1.key }) {
      row.bind(id, at: 1)
      row.bind(progress.value, at: 2)
      row.bind(progress.valueBefore, at: 3)
      try row.run()
    }
  }

  /// Keeps the tables of a recording in memory: the tables of achievements have nothing to do with
  /// regions and coverage.
  private func keepRecordingTables() {
    if nextRecordingTables == nil { nextRecordingTables = recordingTables }
  }
}

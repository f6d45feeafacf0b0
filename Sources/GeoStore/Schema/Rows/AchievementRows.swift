import Geodesy
import SQLiteLayer

extension Connection {
  /// Calls `body` with the tiers that were reached.
  ///
  /// - Parameter onDamage: is called for each row that no writer would store; nil to throw.
  func achievementRows(
    onDamage: ((DatabaseError) throws(DatabaseError) -> Void)? = nil
  ) throws(DatabaseError) -> [AchievementRow] {
    let select = try cached(
      "SELECT id, tier, unlocked_ms, generation, given_at FROM achievements ORDER BY id, tier")
    var rows: [AchievementRow] = []
    while try select.step() {
      do throws(DatabaseError) {
        rows.append(try AchievementRow(row: select))
      } catch {
        guard let onDamage else { throw error }
        try onDamage(error)
      }
    }
    return rows
  }

  /// Returns the progress of each achievement at the last evaluation.
  func achievementProgress() throws(DatabaseError) -> [String: AchievementProgressRow] {
    let select = try cached("SELECT id, value, value_before FROM achievement_progress")
    var rows: [String: AchievementProgressRow] = [:]
    while try select.step() {
      let value = select.double(at: 1)
      // Another program's numbers are of no use; the next evaluation replaces them.
      guard let id = select.text(at: 0), value.isFinite else { continue }
      rows[id] = AchievementProgressRow(value: value, valueBefore: select.optionalDouble(at: 2))
    }
    return rows
  }

  /// Returns what the last evaluation left; nil if there is nothing that can be continued.
  func achievementState() throws(DatabaseError) -> AchievementStateRow? {
    let select = try cached(
      "SELECT generation, content, rules, evaluated_at, state FROM achievement_state")
    guard try select.step(), StoredRange.generation.contains(select.int64(at: 0)),
      let content = StoreContent(text: select.text(at: 1) ?? ""), let rules = select.text(at: 2),
      let time = select.text(at: 3).flatMap(Timestamp.init(iso8601:))
    else { return nil }
    return AchievementStateRow(
      generation: select.int64(at: 0), content: content, rules: rules, evaluatedAt: time,
      state: try select.bytes(at: 4))
  }

  /// Returns what an evaluation that begins now begins with.
  ///
  /// - Complexity: O(1).
  func evaluationBasis() throws(DatabaseError) -> EvaluationBasis {
    var basis = EvaluationBasis(deletions: try deletions())
    let select = try cached("SELECT generation, content, evaluated_at FROM achievement_state")
    if try select.step() {
      basis.generation = select.int64(at: 0)
      basis.content = select.text(at: 1)
      basis.evaluatedAt = select.text(at: 2)
    }
    return basis
  }

  /// Deletes what the last evaluation left, except the tiers that were reached.
  func deleteAchievementState() throws(DatabaseError) {
    try execute("DELETE FROM achievement_state; DELETE FROM achievement_progress")
  }

  /// Notes that the transaction deletes data of sources, or changes which fixes are part of a
  /// flight: evaluations that are under way become outdated, and what the last one left is deleted,
  /// because it may reveal where the data was.
  func outdateEvaluations() throws(DatabaseError) {
    try deleteAchievementState()
    try countDeletion()
  }
}

extension AchievementRow {
  /// Reads a row.
  ///
  /// - Throws: `DatabaseError.damaged(path:detail:cause:)` for impossible values.
  fileprivate init(row: borrowing Statement) throws(DatabaseError) {
    let id = row.text(at: 0) ?? ""
    var name: String { "achievements, row \(id)" }
    let tier = row.double(at: 1)
    guard tier.isFinite, tier > 0 else { throw row.damaged(1, of: name) }
    let time = try row.optionalTime(at: 2, of: name)
    let generation = try row.int64(at: 3, in: StoredRange.generation, of: name)
    guard let givenAt = row.text(at: 4).flatMap(Timestamp.init(iso8601:)) else {
      throw row.damaged(4, of: name)
    }
    self.init(id: id, tier: tier, time: time, generation: generation, givenAt: givenAt)
  }
}

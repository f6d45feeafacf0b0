import SQLiteLayer

/// Writes the visits of regions that were visited more than once as rows of `repeat_visits`.
final class RepeatVisitRows {
  private let insert: Statement
  private let update: Statement
  private let delete: Statement

  init(_ connection: Connection) throws(DatabaseError) {
    insert = try Statement(
      "INSERT INTO repeat_visits (visits, region_id, block) VALUES (?1, ?2, ?3)", on: connection)
    update = try Statement(
      "UPDATE repeat_visits SET visits = ?1 WHERE region_id = ?2 AND block = ?3", on: connection)
    delete = try Statement(
      "DELETE FROM repeat_visits WHERE region_id = ?1 AND block = ?2", on: connection)
  }

  /// Replaces the rows of a region for its stored visits by rows for new visits. Blocks that do not
  /// change are not written.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` where a block is there already that
  ///   the stored visits do not have.
  /// - Complexity: O(visits).
  func write(_ list: VisitList, over stored: VisitList, region: Int64) throws(DatabaseError) {
    let count = VisitBlock.count(forVisits: list.count)
    let storedCount = VisitBlock.count(forVisits: stored.count)
    if count > 0, let start = list.start {
      let (visits, storedVisits) = (list.visits, stored.visits)
      for block in 0..<count {
        let range = VisitBlock.range(of: block, visits: visits.count)
        if block < storedCount, start == stored.start,
          storedVisits[VisitBlock.range(of: block, visits: storedVisits.count)] == visits[range]
        {
          continue
        }
        let text = VisitBlock.text(of: visits[range], since: start)
        if block < storedCount {
          try write(text, block, region, update)
        } else {
          try insert(text, block, region)
        }
      }
    }
    guard count < storedCount else { return }
    for block in count..<storedCount {
      delete.bind(region, at: 1)
      delete.bind(Int64(block), at: 2)
      try delete.run(changing: 1)
    }
  }

  private func insert(_ text: String, _ block: Int, _ region: Int64) throws(DatabaseError) {
    do {
      try write(text, block, region, insert)
    } catch {
      guard error.isDuplicateKey else { throw error }
      throw .damaged(
        path: insert.connection.path,
        detail: "\(Visit.rowName(region)): block \(block) exists, but the region has no such visit",
        cause: error.sqliteFailure)
    }
  }

  private func write(
    _ text: String, _ block: Int, _ region: Int64, _ statement: borrowing Statement
  ) throws(DatabaseError) {
    statement.bind(text, at: 1)
    statement.bind(region, at: 2)
    statement.bind(Int64(block), at: 3)
    try statement.run(changing: 1)
  }
}

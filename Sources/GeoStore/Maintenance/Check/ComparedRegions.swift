import SQLiteLayer

/// The regions of a database ordered by number, for a comparison with those of another.
final class ComparedRegions {
  private let select: Statement
  /// Positioned at the first block of visits of a region that was not requested yet.
  private let repeats: Statement
  private var hasRepeat: Bool
  private let statements: Statement
  private let names: StoredPlaces
  /// Whether there are any stated visits of adopted regions.
  private let hasStatements: Bool
  /// A region, nil if its row cannot be read, and the sources that made it and changed it last.
  struct Row {
    let id: Int64
    fileprivate(set) var region: VisitedRegion?
    let madeBy: Int64
    let changedBy: Int64
  }

  /// The numbers of the places of the regions so far, also of those that cannot be read.
  private(set) var places: Set<Int64> = []
  private var lastPlace: Int64?

  /// The next region; nil at the end.
  private(set) var next: Row?
  private var isAtEnd = false

  /// Starts before the first region.
  init(_ connection: Connection) throws(DatabaseError) {
    select = try Statement(
      "SELECT \(VisitedRegion.columns), made_by, changed_by FROM regions ORDER BY id",
      on: connection)
    repeats = try Statement(
      "SELECT visits, block, region_id FROM repeat_visits ORDER BY region_id, block",
      on: connection)
    hasRepeat = try repeats.step()
    statements = try Statement(
      """
      SELECT start_ms || '', end_ms || '', visit_count || '' FROM stated_visits
      WHERE region_id = ?1 ORDER BY 1, 2, 3
      """, on: connection)
    names = StoredPlaces(connection)
    hasStatements = try connection.integer("SELECT EXISTS (SELECT 1 FROM stated_visits)") == 1
  }

  /// Advances to the next region. A row that cannot be read is recorded.
  func advance(noting step: inout StoreCheck.Step) throws(DatabaseError) {
    // Stepping a finished statement would restart it.
    guard !isAtEnd else { return }
    guard try select.step() else { return (next, isAtEnd) = (nil, true) }
    next = Row(
      id: select.int64(at: 0), region: nil, madeBy: select.int64(at: 9),
      changedBy: select.int64(at: 10))
    notePlace()
    try StoreChecker.note(in: &step, isMendable: true) { () throws(DatabaseError) in
      let region = try VisitedRegion(row: select, names: names)
      try select.checkNumber(region.id, of: region.coordinate)
      next?.region = region
    }
  }

  private func notePlace() {
    // Regions next to each other usually are in the same place.
    guard !select.isNull(at: 3), lastPlace != select.int64(at: 3) else { return }
    lastPlace = select.int64(at: 3)
    places.insert(select.int64(at: 3))
  }

  /// Returns whether the next region comes before that of another database.
  func precedes(_ other: ComparedRegions) -> Bool {
    guard let next else { return false }
    return other.next.map { next.id < $0.id } ?? true
  }

  /// Returns the visits of a region that was visited more than once. Blocks that cannot be read or
  /// have a wrong number are recorded.
  ///
  /// - Precondition: regions are requested in the order of their numbers.
  func visits(
    of region: VisitedRegion, noting step: inout StoreCheck.Step
  ) throws(DatabaseError) -> [Visit] {
    var found: [Visit] = []
    while hasRepeat, repeats.int64(at: 2) <= region.id {
      // Visits of a region that does not exist are reported by another step.
      if repeats.int64(at: 2) == region.id {
        try StoreChecker.note(in: &step, isMendable: true) { () throws(DatabaseError) in
          guard let start = region.timestampStart else {
            throw repeats.damaged(
              0, of: Visit.rowName(region.id), ", but the region has no start_ms")
          }
          try repeats.appendVisits(ofRegion: region.id, since: start, to: &found)
        }
      }
      hasRepeat = try repeats.step()
    }
    return found
  }

  /// What adopted regions state of visits to a region, a text each.
  func statedVisits(of id: Int64) throws(DatabaseError) -> [String] {
    guard hasStatements else { return [] }
    defer { statements.reset() }
    statements.bind(id, at: 1)
    var found: [String] = []
    while try statements.step() {
      let (start, end) = (statements.text(at: 0) ?? "NULL", statements.text(at: 1) ?? "NULL")
      found.append("\(statements.text(at: 2) ?? "NULL") from \(start) to \(end)")
    }
    return found
  }
}

import Geodesy
import SQLiteLayer

/// A source from which a window of regions reads stored regions.
protocol RegionSource {
  /// Appends the regions whose geohash begins with `cell`.
  func appendRegions(in cell: Geohash, to found: inout [(id: Int64, center: Coordinate)])
    throws(DatabaseError)
}

/// A source without stored regions.
struct NoRegions: RegionSource {
  func appendRegions(in cell: Geohash, to found: inout [(id: Int64, center: Coordinate)]) {}
}

/// The regions of a database and their visits, read in order to change them.
final class StoredRegions: RegionSource {
  private let selectRegions: Statement
  private let selectRow: Statement
  private let selectVisits: Statement

  init(connection: Connection) throws(DatabaseError) {
    selectRegions = try Statement(Connection.regionsInRange, on: connection)
    selectRow = try Statement(
      """
      SELECT start_ms, end_ms, visit_count, made_by, changed_by, place_id
      FROM regions WHERE id = ?1
      """, on: connection)
    selectVisits = try Statement(Connection.repeatVisits, on: connection)
  }

  func appendRegions(in cell: Geohash, to found: inout [(id: Int64, center: Coordinate)])
    throws(DatabaseError)
  {
    selectRegions.bind(RegionID.range(of: cell))
    defer { selectRegions.reset() }
    while try selectRegions.step() {
      let id = selectRegions.int64(at: 0)
      let center = try selectRegions.center(ofRegion: id, at: 1)
      // Otherwise the row would hide that its number is taken.
      try selectRegions.checkNumber(id, of: center)
      found.append((id, center))
    }
  }

  /// What the row of a region and its visits contain, besides the center.
  struct Row {
    var visits = VisitList()
    /// The sources that made the region and changed it last.
    var (madeBy, changedBy): (Int64, Int64) = (0, 0)
    /// The number of visits, including those that are only stated; not checked.
    var visitCount: Int64 = 0
    /// The number of the place; nil if it has none.
    var place: Int64?
  }

  /// Returns the row of a region, and its visits.
  func row(of id: Int64) throws(DatabaseError) -> Row {
    var row = Row()
    selectRow.bind(id, at: 1)
    defer { selectRow.reset() }
    guard try selectRow.step() else { return row }
    row.visitCount = selectRow.int64(at: 2)
    (row.madeBy, row.changedBy) = (selectRow.int64(at: 3), selectRow.int64(at: 4))
    if !selectRow.isNull(at: 5) { row.place = selectRow.int64(at: 5) }
    guard let only = try Visit(row: selectRow, of: "regions, row \(id)") else { return row }
    row.visits = VisitList(only)
    if row.visitCount != 1 {
      let visits = try selectVisits.repeatVisits(ofRegion: id, since: only.start)
      if !visits.isEmpty { row.visits = VisitList(stored: visits) }
    }
    return row
  }
}

extension Connection {
  /// Selects the number and center of each region whose number lies in a range, in order.
  static let regionsInRange =
    "SELECT id, latitude_e7, longitude_e7 FROM regions WHERE id >= ?1 AND id < ?2"

  /// Selects the blocks of visits of a region that was visited more than once, in order.
  static let repeatVisits =
    "SELECT visits, block FROM repeat_visits WHERE region_id = ?1 ORDER BY block"
}

extension Statement {
  /// Binds both ends of a range: the first number, and the one after the last.
  func bind(_ range: Range<Int64>) {
    bind(range.lowerBound, at: 1)
    bind(range.upperBound, at: 2)
  }

  /// Returns the visits that ``Connection/repeatVisits`` selects; none for a region that was
  /// visited once.
  ///
  /// - Parameter start: the start of the region's first visit.
  func repeatVisits(
    ofRegion id: Int64, since start: Timestamp
  ) throws(DatabaseError) -> [Visit] {
    bind(id, at: 1)
    defer { reset() }
    var visits: [Visit] = []
    while try step() { try appendVisits(ofRegion: id, since: start, to: &visits) }
    return visits
  }

  /// Appends the visits of a block, whose text and number are in the first two columns.
  ///
  /// - Throws: ``DatabaseError/damaged(path:detail:cause:)`` for a text that no writer puts there,
  ///   and for a block that does not follow the visits before it.
  func appendVisits(
    ofRegion id: Int64, since start: Timestamp, to visits: inout [Visit]
  ) throws(DatabaseError) {
    let (block, rest) = visits.count.quotientAndRemainder(dividingBy: VisitBlock.capacity)
    guard rest == 0, int64(at: 1) == block else {
      throw damaged(1, of: Visit.rowName(id), ", which does not follow the visits before it")
    }
    let isSound = try withTextBytes(at: 0) { bytes in
      VisitBlock.append(bytes, since: start, to: &visits)
    }
    guard isSound else { throw damaged(0, of: Visit.rowName(id)) }
  }
}

import CSQLite
import SQLiteLayer

/// Compares what a store derived from its sources with what they give.
///
/// Numbers of regions may differ: a deletion renumbers them. A region is
/// known by its center, which no other has.
struct DerivedComparison {
  let stored: Connection
  let expected: Connection

  /// A region, apart from its number and when its row was written.
  private struct Region: Equatable {
    let latitude: Double
    let longitude: Double
    /// As SQL writes it, since it may be of any type; likewise what follows.
    let radius: String?
    let start: String?
    let end: String?
    let visitCount: String?
    let geohash: String?
    let accuracy: String?
    let place: PlaceNames

    var name: String { "region at \(latitude), \(longitude)" }

    /// What the two do not have in common, for a region of one center.
    func differences(from expected: Region) -> [String] {
      func compare(_ name: String, _ path: KeyPath<Region, String?>) -> String? {
        let (own, other) = (self[keyPath: path], expected[keyPath: path])
        return own == other ? nil : "\(name) is \(Self.text(own)), should be \(Self.text(other))"
      }
      return [
        compare("radius", \.radius), compare("timestamp_start", \.start),
        compare("timestamp_end", \.end),
        compare("visit_count", \.visitCount), compare("geohash", \.geohash),
        compare("accuracy", \.accuracy),
      ].compactMap { $0 }
    }

    /// The names that the two do not have in common.
    func nameDifferences(from expected: Region) -> [String] {
      func compare(_ name: String, _ path: KeyPath<PlaceNames, String?>) -> String? {
        let (own, other) = (place[keyPath: path], expected.place[keyPath: path])
        return own == other ? nil : "\(name) is \(Self.text(own)), should be \(Self.text(other))"
      }
      return [
        compare("country_code", \.countryCode), compare("country", \.country),
        compare("region", \.region),
        compare("district", \.district), compare("city", \.city),
      ].compactMap { $0 }
    }

    private static func text(_ value: String?) -> String { value ?? "NULL" }
  }

  /// The regions of a database, by center.
  private final class Regions {
    private let select: Statement
    private let visits: Statement
    private let statements: Statement
    /// The region that is next, with its number; nil at the end.
    private(set) var next: (id: Int64, region: Region)?

    /// Before the first region.
    init(_ connection: Connection) throws(DatabaseError) {
      select = try Statement(
        """
        SELECT id, latitude, longitude, quote(radius), timestamp_start, timestamp_end,
          quote(visit_count), geohash, quote(accuracy), country_code, country, region, district,
          city
        FROM visited_regions ORDER BY latitude, longitude
        """, on: connection)
      visits = try Statement(
        "SELECT start_ms, end_ms FROM visits WHERE region_id = ?1 ORDER BY start_ms", on: connection
      )
      statements = try Statement(
        """
        SELECT start_ms || '', end_ms || '', visit_count || '' FROM stated_visits
        WHERE region_id = ?1 ORDER BY 1, 2, 3
        """, on: connection)
    }

    /// Goes to the next region. Rows that no reader takes are noted and passed by.
    func advance(noting step: inout StoreCheck.Step) throws(DatabaseError) {
      next = nil
      while next == nil, try select.step() {
        try StoreChecker.note(in: &step, isMendable: true) { () throws(DatabaseError) in
          let id = try select.rowID(at: 0, of: "visited_regions")
          // Texts and blobs, which come after all numbers, have no place in their order.
          for column in Int32(1)...2
          where ![SQLITE_FLOAT, SQLITE_INTEGER].contains(select.type(at: column)) {
            throw select.damaged(column, of: "visited_regions, row \(id)")
          }
          _ = try select.coordinate(at: 1, of: "visited_regions, row \(id)")
          next = (id, region)
        }
      }
    }

    /// The region of the row that is read.
    private var region: Region {
      Region(
        latitude: select.double(at: 1), longitude: select.double(at: 2), radius: select.text(at: 3),
        start: select.text(at: 4), end: select.text(at: 5), visitCount: select.text(at: 6),
        geohash: select.text(at: 7), accuracy: select.text(at: 8),
        place: PlaceNames(
          countryCode: select.text(at: 9), country: select.text(at: 10),
          region: select.text(at: 11), district: select.text(at: 12), city: select.text(at: 13)))
    }

    /// The visits of a region. Rows that no reader takes are noted and left out.
    func visits(of id: Int64, noting step: inout StoreCheck.Step) throws(DatabaseError) -> [Visit] {
      defer { visits.reset() }
      visits.bind(id, at: 1)
      var found: [Visit] = []
      while try visits.step() {
        try StoreChecker.note(in: &step, isMendable: true) { () throws(DatabaseError) in
          found.append(try Visit(row: visits, region: id))
        }
      }
      return found
    }

    /// What adopted regions state of visits to a region, a text each.
    func statedVisits(of id: Int64) throws(DatabaseError) -> [String] {
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

  /// - Complexity: O(regions), by the index of their positions.
  func compareRegions(
    _ step: inout StoreCheck.Step, visits: inout StoreCheck.Step, places: inout StoreCheck.Step
  ) throws(DatabaseError) {
    let stated = "SELECT EXISTS (SELECT 1 FROM stated_visits)"
    let (ownStated, otherStated) = (try stored.integer(stated), try expected.integer(stated))
    let haveStated = ownStated == 1 || otherStated == 1
    let (own, other) = (try Regions(stored), try Regions(expected))
    try own.advance(noting: &step)
    try other.advance(noting: &step)
    while true {
      switch (own.next, other.next) {
      case (nil, nil): return
      case (let (id, region)?, let next)
      where next.map { Self.precedes(region, $0.region) } ?? true:
        step.add("\(region.name) (\(id)): no source gives it", isMendable: true)
        step.count += 1
        try own.advance(noting: &step)
      case (let next, let (_, region)?) where next.map { Self.precedes(region, $0.region) } ?? true:
        step.add("\(region.name) is missing", isMendable: true)
        try other.advance(noting: &step)
      case (let (id, region)?, let (otherID, otherRegion)?):
        for difference in region.differences(from: otherRegion) {
          step.add("\(region.name) (\(id)): \(difference)", isMendable: true)
        }
        if !places.isSkipped {
          for difference in region.nameDifferences(from: otherRegion) {
            places.add("\(region.name) (\(id)): \(difference)", isMendable: true)
          }
          places.count += 1
        }
        let damageBefore = visits.differenceCount
        let found = try own.visits(of: id, noting: &visits)
        let should = try other.visits(of: otherID, noting: &visits)
        if found != should, visits.differenceCount == damageBefore {
          visits.add(
            "\(region.name) (\(id)): \(Self.list(found)), should be \(Self.list(should))",
            isMendable: true)
        }
        if haveStated {
          let (found, should) = (try own.statedVisits(of: id), try other.statedVisits(of: otherID))
          if found != should {
            visits.add(
              "\(region.name) (\(id)): \(Self.list(stated: found)) stated, should be "
                + "\(Self.list(stated: should))",
              isMendable: true)
          }
        }
        visits.count += found.count
        step.count += 1
        try own.advance(noting: &step)
        try other.advance(noting: &step)
      default: return
      }
    }
  }

  private static func precedes(_ left: Region, _ right: Region) -> Bool {
    (left.latitude, left.longitude) < (right.latitude, right.longitude)
  }

  private static func list(_ visits: [Visit]) -> String {
    guard let last = visits.last else { return "no visit" }
    let text = visits.prefix(3).map { "\($0.start.iso8601)–\($0.end.iso8601)" }.joined(
      separator: ", ")
    return visits.count <= 3 ? text : "\(text) … \(last.end.iso8601) (\(visits.count) visits)"
  }

  private static func list(stated visits: [String]) -> String {
    let text = visits.isEmpty ? "no visits" : visits.prefix(3).joined(separator: ", ")
    return visits.count <= 3 ? text : "\(text) … (\(visits.count) rows)"
  }

  /// A tile of the store that cannot be read, or whose row says another number of cells, is left to
  /// those who look at tiles.
  ///
  /// - Complexity: O(tiles).
  func compareCoverage(_ step: inout StoreCheck.Step) throws(DatabaseError) {
    let sql = "SELECT key, bits, cells FROM coverage_tiles ORDER BY key"
    let own = try Statement(sql, on: stored)
    let other = try Statement(sql, on: expected)
    var (hasOwn, hasOther) = (try own.step(), try other.step())
    while hasOwn || hasOther {
      let (ownKey, otherKey) = (own.int64(at: 0), other.int64(at: 0))
      let ownTile = try? own.withBytes(at: 1) { (bytes) throws(DatabaseError) in
        try stored.tile(from: bytes, key: ownKey)
      }
      if hasOwn, !hasOther || ownKey < otherKey {
        step.add(
          "tile \(ownKey): no source explored its \(own.int64(at: 2)) cells", isMendable: true)
        step.count += ownTile?.count ?? 0
        hasOwn = try own.step()
      } else if hasOther, !hasOwn || otherKey < ownKey {
        step.add("tile \(otherKey) with \(other.int64(at: 2)) cells is missing", isMendable: true)
        hasOther = try other.step()
      } else {
        let otherTile = try other.withBytes(at: 1) { (bytes) throws(DatabaseError) in
          try expected.tile(from: bytes, key: ownKey)
        }
        if let ownTile, ownTile != otherTile {
          step.add(
            "tile \(ownKey): \(ownTile.subtracting(otherTile).count) cells that no source "
              + "explored, \(otherTile.subtracting(ownTile).count) are missing", isMendable: true)
        }
        step.count += ownTile?.count ?? 0
        (hasOwn, hasOther) = (try own.step(), try other.step())
      }
    }
  }
}

/// Compares what a store derived from its sources with what they give.
///
/// Numbers of regions may differ: after something was taken back they are given anew. A region is known by its centre,
/// which no other has.
struct DerivedComparison {
  let stored: Connection
  let expected: Connection

  /// A region, apart from its number and when its row was written.
  private struct Region: Equatable {
    let latitude: Double
    let longitude: Double
    let radius: Int
    let start: String?
    let end: String?
    let visitCount: Int
    let geohash: String?
    let accuracy: Double?
    let place: PlaceNames

    var name: String { "region at \(latitude), \(longitude)" }

    /// What the two do not have in common, for a region of one centre.
    func differences(from expected: Region) -> [String] {
      func compare<Value: Equatable>(_ name: String, _ path: KeyPath<Region, Value>) -> String? {
        let (own, other) = (self[keyPath: path], expected[keyPath: path])
        return own == other ? nil : "\(name) is \(Self.text(own)), should be \(Self.text(other))"
      }
      return [
        compare("radius", \.radius), compare("timestamp_start", \.start), compare("timestamp_end", \.end),
        compare("visit_count", \.visitCount), compare("geohash", \.geohash), compare("accuracy", \.accuracy),
      ].compactMap { $0 }
    }

    /// The names that the two do not have in common.
    func nameDifferences(from expected: Region) -> [String] {
      func compare(_ name: String, _ path: KeyPath<PlaceNames, String?>) -> String? {
        let (own, other) = (place[keyPath: path], expected.place[keyPath: path])
        return own == other ? nil : "\(name) is \(Self.text(own)), should be \(Self.text(other))"
      }
      return [
        compare("country_code", \.countryCode), compare("country", \.country), compare("region", \.region),
        compare("district", \.district), compare("city", \.city),
      ].compactMap { $0 }
    }

    private static func text<Value>(_ value: Value) -> String {
      if let optional = value as? String? { return optional ?? "NULL" }
      if let optional = value as? Double? { return optional.map { "\($0)" } ?? "NULL" }
      return "\(value)"
    }
  }

  /// The regions of a database, by centre.
  private final class Regions {
    private let connection: Connection
    private let select: Statement
    private let visits: Statement
    private let statements: Statement
    /// The region that is next, with its number; nil at the end.
    private(set) var next: (id: Int64, region: Region)?

    init(_ connection: Connection) throws(StoreError) {
      self.connection = connection
      select = try Statement(
        """
        SELECT id, latitude, longitude, radius, timestamp_start, timestamp_end, visit_count, geohash, accuracy,
          country_code, country, region, district, city
        FROM visited_regions ORDER BY latitude, longitude
        """, on: connection)
      visits = try Statement(
        "SELECT start_ms, end_ms FROM visits WHERE region_id = ?1 ORDER BY start_ms", on: connection)
      statements = try Statement(
        """
        SELECT start_ms || '' , end_ms || '', visit_count FROM stated_visits WHERE region_id = ?1 ORDER BY 1, 2, 3
        """, on: connection)
      try advance()
    }

    func advance() throws(StoreError) {
      next =
        try select.step()
        ? (
          select.int64(at: 0),
          Region(
            latitude: select.double(at: 1), longitude: select.double(at: 2), radius: select.int(at: 3),
            start: select.text(at: 4), end: select.text(at: 5), visitCount: select.int(at: 6),
            geohash: select.text(at: 7), accuracy: select.optionalDouble(at: 8),
            place: PlaceNames(
              countryCode: select.text(at: 9), country: select.text(at: 10), region: select.text(at: 11),
              district: select.text(at: 12), city: select.text(at: 13)))
        ) : nil
    }

    func visits(of id: Int64) throws(StoreError) -> [Visit] {
      defer { visits.reset() }
      visits.bind(id, at: 1)
      var found: [Visit] = []
      while try visits.step() { found.append(try Visit(row: visits, path: connection.path)) }
      return found
    }

    /// What adopted regions state of visits to a region, a text each.
    func statedVisits(of id: Int64) throws(StoreError) -> [String] {
      defer { statements.reset() }
      statements.bind(id, at: 1)
      var found: [String] = []
      while try statements.step() {
        let (start, end) = (statements.text(at: 0) ?? "NULL", statements.text(at: 1) ?? "NULL")
        found.append("\(statements.int(at: 2)) from \(start) to \(end)")
      }
      return found
    }
  }

  /// - Complexity: O(regions), by the index of their positions.
  func compareRegions(
    _ step: inout StoreCheck.Step, visits: inout StoreCheck.Step, places: inout StoreCheck.Step
  ) throws(StoreError) {
    let stated = "SELECT EXISTS (SELECT 1 FROM stated_visits)"
    let (ownStated, otherStated) = (try stored.integer(stated), try expected.integer(stated))
    let haveStated = ownStated == 1 || otherStated == 1
    let (own, other) = (try Regions(stored), try Regions(expected))
    while true {
      switch (own.next, other.next) {
      case (nil, nil): return
      case (let (id, region)?, let next) where next.map { Self.precedes(region, $0.region) } ?? true:
        step.add("\(region.name) (\(id)): no source gives it", isMendable: true)
        step.count += 1
        try own.advance()
      case (let next, let (_, region)?) where next.map { Self.precedes(region, $0.region) } ?? true:
        step.add("\(region.name) is missing", isMendable: true)
        try other.advance()
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
        let (found, should) = (try own.visits(of: id), try other.visits(of: otherID))
        if found != should {
          visits.add(
            "\(region.name) (\(id)): \(Self.list(found)), should be \(Self.list(should))", isMendable: true)
        }
        if haveStated {
          let (found, should) = (try own.statedVisits(of: id), try other.statedVisits(of: otherID))
          if found != should {
            visits.add(
              "\(region.name) (\(id)): \(Self.list(stated: found)) stated, should be \(Self.list(stated: should))",
              isMendable: true)
          }
        }
        visits.count += found.count
        step.count += 1
        try own.advance()
        try other.advance()
      default: return
      }
    }
  }

  private static func precedes(_ left: Region, _ right: Region) -> Bool {
    (left.latitude, left.longitude) < (right.latitude, right.longitude)
  }

  private static func list(_ visits: [Visit]) -> String {
    guard let last = visits.last else { return "no visit" }
    let text = visits.prefix(3).map { "\($0.start.iso8601)–\($0.end.iso8601)" }.joined(separator: ", ")
    return visits.count <= 3 ? text : "\(text) … \(last.end.iso8601) (\(visits.count) visits)"
  }

  private static func list(stated visits: [String]) -> String {
    let text = visits.isEmpty ? "no visits" : visits.prefix(3).joined(separator: ", ")
    return visits.count <= 3 ? text : "\(text) … (\(visits.count) rows)"
  }

  /// A tile of the store that cannot be read is left to those who look at tiles.
  ///
  /// - Complexity: O(tiles).
  func compareCoverage(_ step: inout StoreCheck.Step) throws(StoreError) {
    let sql = "SELECT key, bits, cells FROM coverage_tiles ORDER BY key"
    let own = try Statement(sql, on: stored)
    let other = try Statement(sql, on: expected)
    var (hasOwn, hasOther) = (try own.step(), try other.step())
    while hasOwn || hasOther {
      let (ownKey, otherKey) = (own.int64(at: 0), other.int64(at: 0))
      if hasOwn, !hasOther || ownKey < otherKey {
        step.add("tile \(ownKey): no source explored its \(own.int(at: 2)) cells", isMendable: true)
        step.count += own.int(at: 2)
        hasOwn = try own.step()
      } else if hasOther, !hasOwn || otherKey < ownKey {
        step.add("tile \(otherKey) with \(other.int(at: 2)) cells is missing", isMendable: true)
        hasOther = try other.step()
      } else {
        let ownTile = try? own.withBytes(at: 1) { (bytes) throws(StoreError) in
          try stored.tile(from: bytes, key: ownKey)
        }
        let otherTile = try other.withBytes(at: 1) { (bytes) throws(StoreError) in
          try expected.tile(from: bytes, key: ownKey)
        }
        if let ownTile, ownTile != otherTile {
          step.add(
            "tile \(ownKey): \(ownTile.subtracting(otherTile).count) cells that no source explored, "
              + "\(otherTile.subtracting(ownTile).count) are missing", isMendable: true)
        }
        step.count += ownTile?.count ?? 0
        (hasOwn, hasOther) = (try own.step(), try other.step())
      }
    }
  }
}

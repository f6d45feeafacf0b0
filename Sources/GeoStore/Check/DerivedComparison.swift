/// Compares what a store derived from its sources with what they give.
///
/// Numbers of regions may differ: after something was taken back they are given anew. A region is known by its centre,
/// which no other has.
struct DerivedComparison {
  let stored: Connection
  let expected: Connection

  /// A region, apart from its number, the names of its place, and when its row was written.
  private struct Region: Equatable {
    let latitude: Double
    let longitude: Double
    let radius: Int
    let start: String?
    let end: String?
    let visitCount: Int
    let geohash: String?
    let accuracy: Double?

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

    private static func text<Value>(_ value: Value) -> String {
      if let optional = value as? String? { return optional ?? "NULL" }
      if let optional = value as? Double? { return optional.map { "\($0)" } ?? "NULL" }
      return "\(value)"
    }
  }

  /// The regions of a database, by centre.
  private struct Regions {
    private let connection: Connection
    private let select: Statement
    private let visits: Statement
    /// The region that is next, with its number; nil at the end.
    private(set) var next: (id: Int64, region: Region)?

    init(_ connection: Connection) throws(StoreError) {
      self.connection = connection
      select = try Statement(
        """
        SELECT id, latitude, longitude, radius, timestamp_start, timestamp_end, visit_count, geohash, accuracy
        FROM visited_regions ORDER BY latitude, longitude
        """, on: connection)
      visits = try Statement(
        "SELECT start_ms, end_ms FROM visits WHERE region_id = ?1 ORDER BY start_ms", on: connection)
      try advance()
    }

    mutating func advance() throws(StoreError) {
      next =
        try select.step()
        ? (
          select.int64(at: 0),
          Region(
            latitude: select.double(at: 1), longitude: select.double(at: 2), radius: select.int(at: 3),
            start: select.text(at: 4), end: select.text(at: 5), visitCount: select.int(at: 6),
            geohash: select.text(at: 7), accuracy: select.optionalDouble(at: 8))
        ) : nil
    }

    func visits(of id: Int64) throws(StoreError) -> [Visit] {
      defer { visits.reset() }
      visits.bind(id, at: 1)
      var found: [Visit] = []
      while try visits.step() { found.append(try Visit(row: visits, path: connection.path)) }
      return found
    }
  }

  /// - Complexity: O(regions), by the index of their positions.
  func compareRegions(
    _ step: inout StoreCheck.Step, visits: inout StoreCheck.Step
  ) throws(StoreError) {
    var (own, other) = (try Regions(stored), try Regions(expected))
    while true {
      switch (own.next, other.next) {
      case (nil, nil): return
      case (let (id, region)?, let next) where next.map { Self.precedes(region, $0.region) } ?? true:
        step.add("\(region.name) (\(id)): no source gives it")
        step.count += 1
        try own.advance()
      case (let next, let (_, region)?) where next.map { Self.precedes(region, $0.region) } ?? true:
        step.add("\(region.name) is missing")
        try other.advance()
      case (let (id, region)?, let (otherID, otherRegion)?):
        for difference in region.differences(from: otherRegion) {
          step.add("\(region.name) (\(id)): \(difference)")
        }
        let (found, should) = (try own.visits(of: id), try other.visits(of: otherID))
        if found != should {
          visits.add("\(region.name) (\(id)): \(Self.list(found)), should be \(Self.list(should))")
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

  /// - Complexity: O(tiles).
  func compareCoverage(_ step: inout StoreCheck.Step) throws(StoreError) {
    let sql = "SELECT key, bits, cells FROM coverage_tiles ORDER BY key"
    let (own, other) = (try Statement(sql, on: stored), try Statement(sql, on: expected))
    var (hasOwn, hasOther) = (try own.step(), try other.step())
    while hasOwn || hasOther {
      let (ownKey, otherKey) = (own.int64(at: 0), other.int64(at: 0))
      if hasOwn, !hasOther || ownKey < otherKey {
        step.add("tile \(ownKey): no source explored its \(own.int(at: 2)) cells")
        step.count += own.int(at: 2)
        hasOwn = try own.step()
      } else if hasOther, !hasOwn || otherKey < ownKey {
        step.add("tile \(otherKey) with \(other.int(at: 2)) cells is missing")
        hasOther = try other.step()
      } else {
        let (ownTile, otherTile) = (
          try own.withBytes(at: 1) { (bytes) throws(StoreError) in try stored.tile(from: bytes, key: ownKey)
          },
          try other.withBytes(at: 1) { (bytes) throws(StoreError) in
            try expected.tile(from: bytes, key: ownKey)
          }
        )
        if ownTile != otherTile {
          step.add(
            "tile \(ownKey): \(ownTile.subtracting(otherTile).count) cells that no source explored, "
              + "\(otherTile.subtracting(ownTile).count) are missing")
        }
        step.count += ownTile.count
        (hasOwn, hasOther) = (try own.step(), try other.step())
      }
    }
  }
}

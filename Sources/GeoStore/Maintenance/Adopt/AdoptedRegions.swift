import Geodesy
import SQLiteLayer

/// Makes visited regions of those that sources brought themselves, before any kept fix is given to
/// a region.
///
/// Each stays as it is, with its own radius and names; rows with the same center, such as of two
/// copies of one database, are one region. Rows of which only the position is known come after them
/// and are treated as fixes without time.
struct AdoptedRegions {
  let truth: Connection
  let target: Connection
  let settings: StoreSettings
  let options: StoreOptions

  /// Whether there is any.
  var isEmpty: Bool {
    get throws(DatabaseError) {
      try truth.integer("SELECT EXISTS (SELECT 1 FROM source_regions)") == 0
    }
  }

  /// Writes the regions with what they explore.
  func write(coverage: CoverageTileWriter) throws(DatabaseError) {
    try truth.forEachSourceRegion(where: "visit_count NOTNULL") { (region) throws(DatabaseError) in
      try write(region)
      try coverage.take(region, settings: settings)
    }
  }

  /// The regions of which only the position is known, as fixes.
  func forEachPosition(_ body: (KeptFix) throws(DatabaseError) -> Void) throws(DatabaseError) {
    try truth.forEachSourceRegion(where: "visit_count IS NULL") { (region) throws(DatabaseError) in
      try body(
        KeptFix(
          coordinate: region.center, time: nil, accuracyMeters: region.accuracyMeters,
          startsSegment: true))
    }
  }

  private func write(_ region: SourceRegion) throws(DatabaseError) {
    guard let stated = region.stated else { return }
    let known = try target.adoptedRegion(at: region.center)
    let id: Int64
    if let known { id = known } else { id = try insert(region) }
    if stated.count > 1 { try target.insertStatedVisits(stated, region: id) }
    var visits = VisitList.known(stated)
    if known != nil { visits += try target.visits(region: id) }
    let gap = Int64((settings[.visitGapMinutes] * 60_000).rounded())
    let list = VisitList(joining: visits, gapMilliseconds: gap)
    try target.replaceVisits(list, region: id)
    let count = list.count(with: try target.statedVisits(region: id))
    let update = try target.cached(
      "UPDATE visited_regions SET timestamp_start = ?2, timestamp_end = ?3, visit_count = ?4 "
        + "WHERE id = ?1"
    )
    update.bind(id, at: 1)
    update.bind(list.start?.iso8601, at: 2)
    update.bind(list.end?.iso8601, at: 3)
    update.bind(Int64(count), at: 4)
    try update.run()
  }

  /// Writes the row of a region, without what its visits say; returns its number.
  private func insert(_ region: SourceRegion) throws(DatabaseError) -> Int64 {
    let insert = try target.cached(
      """
      INSERT INTO visited_regions (latitude, longitude, radius, city, district, \
      country, country_code, geohash,
        accuracy, created_at, updated_at, region)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, coalesce(?10, ?12), coalesce(?11, ?12), ?13) \
      RETURNING id
      """)
    let place = region.place.joined(with: options.placeNames(region.center))
    insert.bind(region.center.latitudeDegrees, at: 1)
    insert.bind(region.center.longitudeDegrees, at: 2)
    insert.bind(Int64(region.radiusMeters ?? Int(settings[.explorationRadiusMeters])), at: 3)
    insert.bind(place.city, at: 4)
    insert.bind(place.district, at: 5)
    insert.bind(place.country, at: 6)
    insert.bind(place.countryCode, at: 7)
    insert.bind(Geohash(region.center).description, at: 8)
    insert.bind(region.accuracyMeters, at: 9)
    insert.bind(region.createdAt, at: 10)
    insert.bind(region.updatedAt, at: 11)
    insert.bind(options.now().iso8601, at: 12)
    insert.bind(place.region, at: 13)
    // RETURNING gives a row for every one that is written.
    guard try insert.step() else { return 0 }
    let id = insert.int64(at: 0)
    while try insert.step() {}
    return id
  }
}

extension PlaceNames {
  /// The names that a region brought, beside those that are known for its place: city and district
  /// are its own where it has them. The country is the one that is known, so that it has one name
  /// in the store; where that is another than the region says, or none, one of the two is taken as
  /// a whole.
  func joined(with known: PlaceNames) -> PlaceNames {
    guard known.countryCode != nil else {
      return countryCode == nil && country == nil && city == nil ? known : self
    }
    guard countryCode == nil || countryCode?.uppercased() == known.countryCode else { return known }
    var names = known
    names.city = city ?? known.city
    names.district = district ?? known.district
    return names
  }
}

extension Connection {
  fileprivate func adoptedRegion(at center: Coordinate) throws(DatabaseError) -> Int64? {
    let select = try cached("SELECT id FROM visited_regions WHERE latitude = ?1 AND longitude = ?2")
    select.bind(center.latitudeDegrees, at: 1)
    select.bind(center.longitudeDegrees, at: 2)
    return try select.step() ? select.rowID(at: 0, of: "visited_regions") : nil
  }

  fileprivate func visits(region id: Int64) throws(DatabaseError) -> [Visit] {
    let select = try cached("SELECT start_ms, end_ms FROM visits WHERE region_id = ?1")
    select.bind(id, at: 1)
    var visits: [Visit] = []
    while try select.step() { visits.append(try Visit(row: select, region: id)) }
    return visits
  }

  fileprivate func replaceVisits(_ list: VisitList, region id: Int64) throws(DatabaseError) {
    let delete = try cached("DELETE FROM visits WHERE region_id = ?1")
    delete.bind(id, at: 1)
    try delete.run()
    let insert = try cached("INSERT INTO visits (region_id, start_ms, end_ms) VALUES (?1, ?2, ?3)")
    for visit in list.visits {
      insert.bind(id, at: 1)
      insert.bind(visit.start.millisecondsSince1970, at: 2)
      insert.bind(visit.end.millisecondsSince1970, at: 3)
      try insert.run()
    }
  }

  fileprivate func insertStatedVisits(_ stated: StatedVisits, region id: Int64)
    throws(DatabaseError)
  {
    let insert = try cached(
      "INSERT INTO stated_visits (region_id, start_ms, end_ms, visit_count) VALUES (?1, ?2, ?3, ?4)"
    )
    insert.bind(id, at: 1)
    insert.bind(stated.range?.lowerBound.millisecondsSince1970, at: 2)
    insert.bind(stated.range?.upperBound.millisecondsSince1970, at: 3)
    insert.bind(Int64(stated.count), at: 4)
    try insert.run()
  }

  /// What adopted rows say of the visits to a region.
  func statedVisits(region id: Int64) throws(DatabaseError) -> [StatedVisits] {
    let select = try cached(
      "SELECT start_ms, end_ms, visit_count FROM stated_visits WHERE region_id = ?1")
    select.bind(id, at: 1)
    var stated: [StatedVisits] = []
    while try select.step() {
      var rowName: String { "stated_visits, region \(id)" }
      let first = try select.optionalTime(at: 0, of: rowName)
      let last = try select.optionalTime(at: 1, of: rowName) ?? first
      if let first, let last, last < first {
        throw select.damaged(1, of: rowName, ", before start_ms")
      }
      let range = first.flatMap { first in last.map { first...$0 } }
      let count = try select.int(at: 2, in: StoredRange.statedVisits, of: rowName)
      stated.append(StatedVisits(range: range, count: count))
    }
    return stated
  }
}

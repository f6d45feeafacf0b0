import Geodesy
import SQLiteLayer

/// Creates visited regions from the regions that came with sources, before any kept fix is assigned
/// to a region.
///
/// Each keeps its own radius and names. Rows with the same center, such as those of two copies of
/// one database, become one region. Rows with only a position come after them and are treated as
/// fixes without a time.
struct AdoptedRegions {
  let truth: Connection
  let target: Connection
  let settings: StoreSettings
  let options: StoreOptions

  /// Whether there are no such regions.
  var isEmpty: Bool {
    get throws(DatabaseError) {
      try truth.integer("SELECT EXISTS (SELECT 1 FROM source_regions)") == 0
    }
  }

  /// Writes the regions and the cells that they explore.
  func write(coverage: CoverageTileWriter) throws(DatabaseError) {
    let places = try PlaceWriter(target)
    let stored = try StoredRegions(connection: target)
    let repeatVisits = try RepeatVisitRows(target)
    try truth.forEachSourceRegion(where: "visit_count NOTNULL") {
      (region, source) throws(DatabaseError) in
      try write(region, of: source, stored, places, repeatVisits)
      try coverage.take(region, settings: settings)
    }
  }

  /// Calls `body` with the regions with only a position, as fixes, and their sources.
  func forEachPosition(
    _ body: (KeptFix, _ source: Int64) throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    try truth.forEachSourceRegion(where: "visit_count IS NULL") {
      (region, source) throws(DatabaseError) in
      try body(region.asFix, source)
    }
  }

  private func write(
    _ region: SourceRegion, of source: Int64, _ stored: StoredRegions, _ places: PlaceWriter,
    _ repeatVisits: RepeatVisitRows
  ) throws(DatabaseError) {
    guard let stated = region.stated else { return }
    var taken: [(id: Int64, center: Coordinate)] = []
    try stored.appendRegions(in: Geohash(region.center), to: &taken)
    let id: Int64
    if let known = taken.first(where: { $0.center == region.center })?.id {
      id = known
    } else if let free = RegionID.free(for: region.center, among: taken.lazy.map(\.id)) {
      id = free
      try insert(region, as: id, of: source, places)
    } else {
      // 256 centers within 4.8 by 4.8 m: further ones share a region with the last.
      id = RegionID.range(of: region.center).upperBound - 1
    }
    if stated.count > 1 { try target.insertStatedVisits(stated, region: id) }
    let known = try taken.contains { $0.id == id } ? stored.row(of: id).visits : VisitList()
    let gap = Int64((settings[.visitGapMinutes] * 60_000).rounded())
    let list = VisitList(joining: VisitList.known(stated) + known.visits, gapMilliseconds: gap)
    try repeatVisits.write(list, over: known, region: id)
    let count = list.count(with: try target.statedVisits(region: id))
    let update = try target.cached(
      "UPDATE regions SET start_ms = ?2, end_ms = ?3, visit_count = ?4 WHERE id = ?1")
    update.bind(id, at: 1)
    update.bind(list.start?.millisecondsSince1970, at: 2)
    update.bind(list.end?.millisecondsSince1970, at: 3)
    update.bind(Int64(count), at: 4)
    try update.run()
  }

  /// Writes the row of a region, without the columns that depend on its visits.
  private func insert(
    _ region: SourceRegion, as id: Int64, of source: Int64, _ places: PlaceWriter
  ) throws(DatabaseError) {
    let insert = try target.cached(
      """
      INSERT INTO regions (id, latitude_e7, longitude_e7, place_id, accuracy, radius, visit_count,
        made_by, changed_by)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1, ?7, ?7)
      """)
    let place = region.place.joined(with: options.placeNames(region.center))
    insert.bind(id, at: 1)
    insert.bind(Int64(region.center.latitudeE7), at: 2)
    insert.bind(Int64(region.center.longitudeE7), at: 3)
    insert.bind(try places.id(of: place), at: 4)
    switch StoredAccuracy(meters: region.accuracyMeters) {
    case .decimeters(let value): insert.bind(value, at: 5)
    case .meters(let value): insert.bind(value, at: 5)
    case nil: insert.bind(Int64?.none, at: 5)
    }
    insert.bind(Int64(region.radiusMeters ?? Int(settings[.explorationRadiusMeters])), at: 6)
    insert.bind(source, at: 7)
    try insert.run(changing: 1)
    guard region.createdAt != nil || region.updatedAt != nil else { return }
    let times = try target.cached(
      "INSERT INTO adopted_times (region_id, created_at, updated_at) VALUES (?1, ?2, ?3)")
    times.bind(id, at: 1)
    times.bind(region.createdAt, at: 2)
    times.bind(region.updatedAt, at: 3)
    try times.run(changing: 1)
  }
}

extension SourceRegion {
  /// A region with only a position, as a fix.
  var asFix: KeptFix {
    KeptFix(coordinate: center, time: nil, accuracyMeters: accuracyMeters, startsSegment: true)
  }
}

extension PlaceNames {
  /// Combines the names that came with a region with the known names of its place. City and
  /// district are the region's own, if it has them. The country is the known one, so that it has a
  /// single name in the store. If the known country differs from the region's, or there is none,
  /// all names come from one of the two.
  ///
  /// The app has one column for the district and the quarter, so a district with the name of the
  /// known quarter is that quarter.
  func joined(with known: PlaceNames) -> PlaceNames {
    guard known.countryCode != nil else {
      return countryCode == nil && country == nil && city == nil ? known : self
    }
    guard countryCode == nil || countryCode?.uppercased() == known.countryCode else { return known }
    var names = known
    names.city = city ?? known.city
    if let district, district != known.quarter { names.district = district }
    return names
  }
}

extension Connection {
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

  /// Returns the visits that adopted rows state for a region.
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

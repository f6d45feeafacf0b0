import Foundation
import Geodesy

/// Gives kept fixes to regions, inside a write transaction of its connection.
///
/// For each fix in order: the nearest region whose centre is closer than the clustering radius takes it, otherwise
/// a new region is made around it; the region then takes the time into its visits. Where another region that is
/// close enough has a visit that holds the fix's time already, that one takes it and nothing changes, so that the
/// same ride again counts nothing twice (`docs/decisions/visits-once.md`).
///
/// Rows are written by ``flush()``, or before, where more regions are in memory than the window may hold.
final class RegionWriter {
  /// Regions in memory before they are written and forgotten: about 3 MB.
  static let windowCapacity = 16_384

  private let windowCapacity: Int
  private let connection: Connection
  private let clusteringRadiusMeters: Double
  private let gapMilliseconds: Int64
  private let radiusMeters: Int64
  private let places: @Sendable (Coordinate) -> PlaceNames
  private let now: String
  private var window = RegionWindow()
  private var nextID: Int64
  /// Regions older than this were in the store before ``startCounting()``.
  private var firstCountedID: Int64
  private var revisitedIDs = RegionMarks()

  private let load: Statement
  private let loadVisits: Statement
  private let insert: Statement
  private let update: Statement
  private let deleteVisits: Statement
  private let insertVisit: Statement

  /// Prepares for writing with a store's settings. `places` names the place of each new region's centre.
  init(
    connection: Connection, settings: StoreSettings, now: Timestamp,
    windowCapacity: Int = RegionWriter.windowCapacity, places: @escaping @Sendable (Coordinate) -> PlaceNames
  ) throws(StoreError) {
    self.connection = connection
    self.places = places
    self.windowCapacity = windowCapacity
    self.now = now.iso8601
    clusteringRadiusMeters = settings[.clusteringRadiusMeters]
    gapMilliseconds = Int64((settings[.visitGapMinutes] * 60_000).rounded())
    radiusMeters = Int64(settings[.explorationRadiusMeters])
    let lastID = try connection.integer("SELECT seq FROM sqlite_sequence WHERE name = 'visited_regions'")
    nextID = (lastID ?? 0) + 1
    firstCountedID = nextID
    load = try Statement(
      "SELECT id, latitude, longitude FROM visited_regions WHERE cell BETWEEN ?1 AND ?2", on: connection)
    loadVisits = try Statement(
      "SELECT start_ms, end_ms FROM visits WHERE region_id = ?1 ORDER BY start_ms", on: connection)
    insert = try Statement(
      """
      INSERT INTO visited_regions (id, latitude, longitude, radius, timestamp_start, timestamp_end,
        visit_count, city, district, country, country_code, geohash, accuracy, created_at, updated_at,
        region, cell)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?14, ?15, ?16)
      """, on: connection)
    update = try Statement(
      """
      UPDATE visited_regions
      SET timestamp_start = ?2, timestamp_end = ?3, visit_count = ?4, updated_at = ?5 WHERE id = ?1
      """, on: connection)
    deleteVisits = try Statement("DELETE FROM visits WHERE region_id = ?1", on: connection)
    insertVisit = try Statement(
      "INSERT INTO visits (region_id, start_ms, end_ms) VALUES (?1, ?2, ?3)", on: connection)
  }

  /// Regions made since ``startCounting()``.
  var addedCount: Int { Int(nextID - firstCountedID) }
  /// Regions that took a fix since ``startCounting()`` and were there before.
  var revisitedCount: Int { revisitedIDs.count }

  /// Starts the counts of a source anew.
  func startCounting() {
    firstCountedID = nextID
    revisitedIDs.removeAll()
  }

  /// Gives one fix to its region.
  func take(_ fix: KeptFix) throws(StoreError) {
    let frame = LocalFrame(center: fix.coordinate)
    let near = try window.regions(around: frame, within: clusteringRadiusMeters) {
      (cells) throws(StoreError) in try self.regions(in: cells)
    }
    let index: Int
    if near.isEmpty {
      index = window.add(
        OpenRegion(
          id: nextID, center: fix.coordinate, isNew: true, accuracyMeters: fix.accuracyMeters,
          visits: VisitList(), isChanged: true))
      nextID += 1
    } else {
      index = try regionThatCounted(fix, of: near) ?? near[0]
      let id = window.regions[index].id
      if id < firstCountedID { revisitedIDs.insert(id) }
    }
    if let time = fix.time { try take(time, at: index) }
    if window.regions.count >= windowCapacity { try flush() }
  }

  /// The region of some that has a visit which holds the fix's time already.
  private func regionThatCounted(_ fix: KeptFix, of indexes: [Int]) throws(StoreError) -> Int? {
    guard let time = fix.time, indexes.count > 1 else { return nil }
    for index in indexes {
      try loadVisits(at: index)
      if window.regions[index].visits?.holds(time) == true { return index }
    }
    return nil
  }

  private func loadVisits(at index: Int) throws(StoreError) {
    guard window.regions[index].visits == nil else { return }
    window.regions[index].visits = try storedVisits(of: window.regions[index].id)
  }

  private func take(_ time: Timestamp, at index: Int) throws(StoreError) {
    try loadVisits(at: index)
    if window.regions[index].visits?.take(time, gapMilliseconds: gapMilliseconds) == true {
      window.regions[index].isChanged = true
    }
  }

  /// Writes what changed and forgets the window.
  func flush() throws(StoreError) {
    for (index, region) in window.regions.enumerated() where region.isChanged {
      if region.isNew { try insertRow(region) } else { try updateRow(region) }
      if index % 512 == 511 { try connection.trimCache() }
    }
    window.removeAll()
  }

  private func insertRow(_ region: OpenRegion) throws(StoreError) {
    let place = places(region.center)
    insert.bind(region.id, at: 1)
    insert.bind(region.center.latitudeDegrees, at: 2)
    insert.bind(region.center.longitudeDegrees, at: 3)
    insert.bind(radiusMeters, at: 4)
    insert.bind(region.visits?.start?.iso8601, at: 5)
    insert.bind(region.visits?.end?.iso8601, at: 6)
    insert.bind(Int64(max(1, region.visits?.visits.count ?? 0)), at: 7)
    insert.bind(place.city, at: 8)
    insert.bind(place.district, at: 9)
    insert.bind(place.country, at: 10)
    insert.bind(place.countryCode, at: 11)
    insert.bind(Geohash(region.center).description, at: 12)
    insert.bind(region.accuracyMeters, at: 13)
    insert.bind(now, at: 14)
    insert.bind(place.region, at: 15)
    insert.bind(RegionCell.cell(region.center), at: 16)
    try insert.run()
    try insertVisits(of: region)
  }

  private func updateRow(_ region: OpenRegion) throws(StoreError) {
    update.bind(region.id, at: 1)
    update.bind(region.visits?.start?.iso8601, at: 2)
    update.bind(region.visits?.end?.iso8601, at: 3)
    update.bind(Int64(max(1, region.visits?.visits.count ?? 0)), at: 4)
    update.bind(now, at: 5)
    try update.run()
    deleteVisits.bind(region.id, at: 1)
    try deleteVisits.run()
    try insertVisits(of: region)
  }

  private func insertVisits(of region: OpenRegion) throws(StoreError) {
    for visit in region.visits?.visits ?? [] {
      insertVisit.bind(region.id, at: 1)
      insertVisit.bind(visit.start.millisecondsSince1970, at: 2)
      insertVisit.bind(visit.end.millisecondsSince1970, at: 3)
      try insertVisit.run()
    }
  }

  private func regions(
    in cells: ClosedRange<Int64>
  ) throws(StoreError) -> [(id: Int64, center: Coordinate)] {
    var found: [(id: Int64, center: Coordinate)] = []
    load.bind(cells.lowerBound, at: 1)
    load.bind(cells.upperBound, at: 2)
    defer { load.reset() }
    while try load.step() {
      let id = load.int64(at: 0)
      guard
        let center = try? Coordinate(
          latitudeDegrees: load.double(at: 1), longitudeDegrees: load.double(at: 2))
      else { throw .damaged(path: connection.path, detail: "visited region \(id) has no valid position") }
      found.append((id, center))
    }
    return found
  }

  private func storedVisits(of id: Int64) throws(StoreError) -> VisitList {
    var visits: [Visit] = []
    loadVisits.bind(id, at: 1)
    defer { loadVisits.reset() }
    while try loadVisits.step() {
      visits.append(try Visit(row: loadVisits, path: connection.path))
    }
    return VisitList(stored: visits)
  }
}

import Foundation
import Geodesy

/// Gives kept fixes to regions, inside a write transaction of its connection.
///
/// For each fix in order: the nearest region whose centre is closer than the clustering radius takes it, otherwise
/// a new region is made around it; the region then takes the time into its visits. Where another region that is
/// close enough has a visit that holds the fix's time already, that one takes it and nothing changes, so that the
/// same ride again counts nothing twice (`docs/decisions/visits-once.md`).
///
/// Rows are written by ``flush(keepingWindow:)``, or before, where more regions are in memory than the window may hold.
final class RegionWriter {
  /// Regions in memory before they are written and forgotten: about 3 MB.
  static let windowCapacity = 16_384

  private let windowCapacity: Int
  private let connection: Connection
  private let clusteringRadiusMeters: Double
  private let gapMilliseconds: Int64
  private let radiusMeters: Int64
  private let places: @Sendable (Coordinate) -> PlaceNames
  /// What rows that are written now say of when, in ISO 8601.
  var now: String
  private var window: RegionWindow
  /// Indexes of the regions that have changed since they were written.
  private var changed: [Int] = []
  private var nextID: Int64
  /// Regions older than this were in the store before ``startCounting()``.
  private var firstCountedID: Int64
  private var revisitedIDs = RegionMarks()
  /// Whether some region has visits that only an adopted row knows of.
  private let hasStatedVisits: Bool

  private let batch: RowBatch
  private let load: Statement
  private let loadVisits: Statement
  private let insert: Statement
  private let update: Statement
  private let updateStart: Statement
  private let deleteVisit: Statement
  private let insertVisits: Statement

  /// Prepares for writing with a store's settings. `places` names the place of each new region's centre.
  init(
    connection: Connection, settings: StoreSettings, now: Timestamp,
    window: RegionWindow = RegionWindow(), windowCapacity: Int = RegionWriter.windowCapacity,
    places: @escaping @Sendable (Coordinate) -> PlaceNames
  ) throws(StoreError) {
    self.connection = connection
    self.places = places
    self.window = window
    self.windowCapacity = windowCapacity
    self.now = now.iso8601
    clusteringRadiusMeters = settings[.clusteringRadiusMeters]
    gapMilliseconds = Int64((settings[.visitGapMinutes] * 60_000).rounded())
    radiusMeters = Int64(settings[.explorationRadiusMeters])
    nextID = try connection.nextID(of: "visited_regions")
    firstCountedID = nextID
    hasStatedVisits = try connection.integer("SELECT EXISTS (SELECT 1 FROM stated_visits)") == 1
    batch = try connection.rowBatch()
    load = try Statement(
      """
      SELECT id, latitude, longitude FROM visited_regions INDEXED BY visited_regions_by_geohash
      WHERE geohash >= ?1 AND geohash < ?2
      """, on: connection)
    loadVisits = try Statement(
      "SELECT start_ms, end_ms FROM visits WHERE region_id = ?1 ORDER BY start_ms", on: connection)
    insert = try Statement(
      """
      INSERT INTO visited_regions (id, latitude, longitude, radius, timestamp_start, timestamp_end,
        visit_count, city, district, country, country_code, geohash, accuracy, created_at, updated_at, region)
      SELECT c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12, c13, c13, c14 FROM roqua_rows
      """, on: connection)
    update = try Statement(
      """
      UPDATE visited_regions SET timestamp_end = ?2, visit_count = ?3, updated_at = ?4 WHERE id = ?1
      """, on: connection)
    // Apart, because it is in an index, which SQLite writes whether or not the value is another one.
    updateStart = try Statement(
      "UPDATE visited_regions SET timestamp_start = ?2 WHERE id = ?1", on: connection)
    deleteVisit = try Statement(
      "DELETE FROM visits WHERE region_id = ?1 AND start_ms = ?2", on: connection)
    insertVisits = try Statement(
      "INSERT INTO visits (region_id, start_ms, end_ms) SELECT c0, c1, c2 FROM roqua_rows", on: connection)
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
      (cell) throws(StoreError) in try self.regions(in: cell)
    }
    let index: Int
    if near.isEmpty {
      index = window.add(
        OpenRegion(
          id: nextID, center: fix.coordinate, isNew: true, accuracyMeters: fix.accuracyMeters,
          visits: VisitList(), storedVisits: VisitList(), isChanged: true))
      changed.append(index)
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
    let stored = try storedVisits(of: window.regions[index].id)
    window.regions[index].visits = stored
    window.regions[index].storedVisits = stored
  }

  private func take(_ time: Timestamp, at index: Int) throws(StoreError) {
    try loadVisits(at: index)
    if window.regions[index].visits?.take(time, gapMilliseconds: gapMilliseconds) == true,
      !window.regions[index].isChanged
    {
      window.regions[index].isChanged = true
      changed.append(index)
    }
  }

  /// Writes what changed, in the order of the regions' numbers.
  ///
  /// - Parameter keepingWindow: whether regions stay in memory: then nobody else may write them before the next fix.
  func flush(keepingWindow: Bool = false) throws(StoreError) {
    changed.sort()
    for start in stride(from: 0, to: changed.count, by: Self.rowsInBatch) {
      let indexes = changed[start..<min(changed.count, start + Self.rowsInBatch)]
      try write(indexes.map { window.regions[$0] })
      for index in indexes {
        connection.regionChanges.add(window.regions[index].center)
        window.regions[index].isNew = false
        window.regions[index].isChanged = false
        window.regions[index].storedVisits = window.regions[index].visits
      }
    }
    changed.removeAll(keepingCapacity: true)
    if !keepingWindow || window.regions.count >= windowCapacity { window.removeAll() }
  }

  /// Regions that one statement inserts: after each, SQLite's pages are counted.
  private static let rowsInBatch = 512

  /// Writes some regions, new ones before their visits.
  private func write(_ regions: [OpenRegion]) throws(StoreError) {
    batch.begin(columns: 15)
    for region in regions where region.isNew { appendRow(region) }
    if batch.rowCount > 0 { try insert.run() }
    for region in regions where !region.isNew { try updateRow(region) }
    batch.begin(columns: 3)
    for region in regions {
      for visit in region.visits?.visits(notIn: region.storedVisits) ?? [] {
        if !batch.hasRoom { try insertVisitRows() }
        batch.append(region.id)
        batch.append(visit.start.millisecondsSince1970)
        batch.append(visit.end.millisecondsSince1970)
      }
    }
    try insertVisitRows()
    try connection.trimCache()
  }

  private func insertVisitRows() throws(StoreError) {
    guard batch.rowCount > 0 else { return }
    try insertVisits.run()
    batch.begin(columns: 3)
  }

  private func appendRow(_ region: OpenRegion) {
    let place = places(region.center)
    batch.append(region.id)
    batch.append(region.center.latitudeDegrees)
    batch.append(region.center.longitudeDegrees)
    batch.append(radiusMeters)
    batch.append(region.visits?.start)
    batch.append(region.visits?.end)
    batch.append(Int64(max(1, region.visits?.visits.count ?? 0)))
    batch.append(place.city)
    batch.append(place.district)
    batch.append(place.country)
    batch.append(place.countryCode)
    batch.append(Geohash(region.center))
    batch.append(region.accuracyMeters)
    batch.append(now)
    batch.append(place.region)
  }

  /// Writes what the visits make of a row, and takes visits out that are no more as they were.
  private func updateRow(_ region: OpenRegion) throws(StoreError) {
    update.bind(region.id, at: 1)
    update.bind(region.visits?.end?.iso8601, at: 2)
    update.bind(Int64(try visitCount(of: region)), at: 3)
    update.bind(now, at: 4)
    try update.run()
    guard let visits = region.visits, let stored = region.storedVisits else { return }
    if visits.start != stored.start {
      updateStart.bind(region.id, at: 1)
      updateStart.bind(visits.start?.iso8601, at: 2)
      try updateStart.run()
    }
    for visit in stored.visits(notIn: visits) {
      deleteVisit.bind(region.id, at: 1)
      deleteVisit.bind(visit.start.millisecondsSince1970, at: 2)
      try deleteVisit.run()
    }
  }

  /// The number of visits of a region that has a row, with those that an adopted row states.
  private func visitCount(of region: OpenRegion) throws(StoreError) -> Int {
    let stated = hasStatedVisits ? try connection.statedVisits(region: region.id) : []
    return (region.visits ?? VisitList()).count(with: stated)
  }

  private func regions(in cell: Geohash) throws(StoreError) -> [(id: Int64, center: Coordinate)] {
    var found: [(id: Int64, center: Coordinate)] = []
    let range = cell.textRange
    load.bind(range.from, at: 1)
    load.bind(range.below, at: 2)
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

import Foundation
import Geodesy
import SQLiteLayer

/// Gives kept fixes to regions, inside a write transaction of its connection.
///
/// For each fix in order: the nearest region whose center is closer than the clustering radius
/// takes it, otherwise a new region is made around it; the region then takes the time into its
/// visits. Where another region that is close enough has a visit that holds the fix's time already,
/// that one takes it and nothing changes, so that the same ride again counts nothing twice
/// (`docs/decisions/visits-once.md`).
///
/// Rows are written by ``flush(keepingWindow:)``, or before, where more regions are in memory than
/// the window may hold.
///
/// A value, so that nothing checks for exclusive access at each step; it has one owner.
struct RegionWriter {
  /// Regions in memory before they are written and forgotten: about 3 MB.
  static let windowCapacity = 16_384

  private let windowCapacity: Int
  private let changes: RegionChanges
  private let clusteringRadiusMeters: Double
  private let gapMilliseconds: Int64
  private let stored: StoredRegions
  private let rows: RegionRows
  private var window: RegionWindow
  /// Indexes of the regions that have changed since they were written.
  private var changed: [Int] = []
  private var nextID: Int64
  /// Regions older than this were in the store before ``startCounting(now:)``.
  private var firstCountedID: Int64
  private var revisitedIDs = RegionMarks()

  /// Prepares for writing with a store's settings. `places` names the place of each new region's
  /// center.
  init(
    connection: Connection, changes: RegionChanges, settings: StoreSettings, now: Timestamp,
    window: RegionWindow = RegionWindow(), windowCapacity: Int = RegionWriter.windowCapacity,
    places: @escaping @Sendable (Coordinate) -> PlaceNames
  ) throws(DatabaseError) {
    self.changes = changes
    self.window = window
    self.windowCapacity = windowCapacity
    clusteringRadiusMeters = settings[.clusteringRadiusMeters]
    gapMilliseconds = Int64((settings[.visitGapMinutes] * 60_000).rounded())
    nextID = try connection.nextID(of: "visited_regions")
    firstCountedID = nextID
    stored = try StoredRegions(connection: connection)
    rows = try RegionRows(
      connection: connection, radiusMeters: Int64(settings[.explorationRadiusMeters]), now: now,
      places: places)
  }

  /// Regions made since ``startCounting(now:)``.
  var addedCount: Int { Int(nextID - firstCountedID) }
  /// Regions that took a fix since ``startCounting(now:)`` and were there before.
  var revisitedCount: Int { revisitedIDs.count }

  /// Restarts the counts of a source; rows that are written from now on say that it was at this
  /// time.
  mutating func startCounting(now: Timestamp) {
    rows.now = now.iso8601
    firstCountedID = nextID
    revisitedIDs.removeAll()
  }

  /// Gives fixes to their regions, in order.
  mutating func take(_ fixes: some Collection<KeptFix>) throws(DatabaseError) {
    for fix in fixes { try take(fix) }
  }

  private mutating func take(_ fix: KeptFix) throws(DatabaseError) {
    try window.find(
      around: LocalFrame(center: fix.coordinate), within: clusteringRadiusMeters, source: stored)
    let index: Int
    if let nearest = window.found.first {
      index = try regionThatCounted(fix) ?? nearest
      let id = window.regions[index].id
      if id < firstCountedID { revisitedIDs.insert(id) }
    } else {
      index = window.add(
        OpenRegion(
          id: nextID, center: fix.coordinate, isNew: true, accuracyMeters: fix.accuracyMeters,
          visits: VisitList(), storedVisits: VisitList(), isChanged: true))
      changed.append(index)
      nextID += 1
    }
    if let time = fix.time { try take(time, at: index) }
    if window.regions.count >= windowCapacity { try flush() }
  }

  /// The region among those that were found that has a visit which holds the fix's time already:
  /// the nearest, or else the one of the smallest number.
  private mutating func regionThatCounted(_ fix: KeptFix) throws(DatabaseError) -> Int? {
    guard let time = fix.time, window.found.count > 1 else { return nil }
    var oldest: Int?
    for place in window.found.indices {
      let index = window.found[place]
      if let oldest, window.regions[oldest].id < window.regions[index].id { continue }
      try loadVisits(at: index)
      guard window.regions[index].visits?.holds(time) == true else { continue }
      if place == window.found.startIndex { return index }
      oldest = index
    }
    return oldest
  }

  private mutating func loadVisits(at index: Int) throws(DatabaseError) {
    guard window.regions[index].visits == nil else { return }
    let visits = try stored.visits(of: window.regions[index].id)
    window.regions[index].visits = visits
    window.regions[index].storedVisits = visits
  }

  private mutating func take(_ time: Timestamp, at index: Int) throws(DatabaseError) {
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
  /// - Parameter keepingWindow: whether regions stay in memory: then nobody else may write them
  ///   before the next fix.
  mutating func flush(keepingWindow: Bool = false) throws(DatabaseError) {
    changed.sort()
    for start in stride(from: 0, to: changed.count, by: RegionRows.capacity) {
      let indexes = changed[start..<min(changed.count, start + RegionRows.capacity)]
      try rows.write(indexes, of: window.regions)
      for index in indexes {
        changes.add(window.regions[index].center)
        window.regions[index].isNew = false
        window.regions[index].isChanged = false
        window.regions[index].storedVisits = window.regions[index].visits
      }
    }
    changed.removeAll(keepingCapacity: true)
    if !keepingWindow || window.regions.count >= windowCapacity { window.removeAll() }
  }
}

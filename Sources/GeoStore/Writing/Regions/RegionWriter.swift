import Foundation
import Geodesy
import SQLiteLayer

/// Assigns kept fixes to regions, inside a write transaction of its connection.
///
/// For each fix in order, the nearest region whose center is closer than the clustering radius
/// takes it; if there is none, a new region is made around the fix. The region then adds the time
/// to its visits. If another region within the clustering radius already has a visit that contains
/// the fix's time, that region takes the fix and nothing changes, so that importing the same ride
/// again adds no visits (`docs/decisions/visits-once.md`).
///
/// Rows are written by ``flush(keepingWindow:)``, or earlier if the window's capacity is exceeded.
///
/// A value type, which avoids checks for exclusive access at each step; it has one owner.
struct RegionWriter {
  /// Number of regions in memory before they are written and dropped: about 3 MB.
  static let windowCapacity = 16_384

  private let windowCapacity: Int
  private let changes: RegionChanges
  private let clusteringRadiusMeters: Double
  private let gapMilliseconds: Int64
  private let stored: StoredRegions
  private let rows: RegionRows
  private var window: RegionWindow
  /// The source that is being written.
  private var source: Int64 = 0
  /// Indexes of the regions that have changed since they were written.
  private var changed: [Int] = []
  /// Number of regions added since ``startCounting(source:isContinued:)``.
  private(set) var addedCount = 0
  /// Number of regions that existed before ``startCounting(source:isContinued:)`` and took a fix
  /// since.
  private(set) var revisitedCount = 0
  private var revisited = NumberTable()
  /// A larger table is replaced at the next source rather than emptied slot by slot.
  private static let keptRevisits = 4_096
  /// Whether part of the source was stored before, so that rows do not show which regions were
  /// added since.
  private var isContinued = false
  /// The numbers of the added regions, if part of the source was stored before.
  private var added = NumberTable()

  /// The regions that the fixes entered since ``takeEntered()``, if part of the source was stored
  /// before: a recording is asked for them, a file is not.
  private var entered: [EnteredRegion] = []
  /// The region of the last fix of the recording.
  private(set) var lastEntered: Int64?

  /// Prepares for writing with a store's settings. `places` returns the place names of each new
  /// region's center.
  init(
    connection: Connection, changes: RegionChanges, settings: StoreSettings,
    window: RegionWindow = RegionWindow(), windowCapacity: Int = RegionWriter.windowCapacity,
    places: @escaping @Sendable (Coordinate) -> PlaceNames
  ) throws(DatabaseError) {
    self.changes = changes
    self.window = window
    self.windowCapacity = windowCapacity
    clusteringRadiusMeters = settings[.clusteringRadiusMeters]
    gapMilliseconds = Int64((settings[.visitGapMinutes] * 60_000).rounded())
    stored = try StoredRegions(connection: connection)
    rows = try RegionRows(
      connection: connection, radiusMeters: Int64(settings[.explorationRadiusMeters]),
      places: places)
  }

  /// Restarts the counts for a source.
  ///
  /// - Parameters:
  ///   - isContinued: whether part of the source is already in the store.
  ///   - lastEntered: the region of the source's last fix, if it is continued.
  mutating func startCounting(source: Int64, isContinued: Bool, lastEntered: Int64? = nil) {
    self.lastEntered = lastEntered
    self.source = source
    self.isContinued = isContinued
    entered = []
    added.removeAll()
    if revisitedCount > Self.keptRevisits {
      revisited = NumberTable()
    } else {
      revisited.removeAll()
    }
    (addedCount, revisitedCount) = (0, 0)
  }

  /// Assigns fixes to their regions, in order.
  mutating func take(_ fixes: some Collection<KeptFix>) throws(DatabaseError) {
    for fix in fixes { try take(fix) }
  }

  private mutating func take(_ fix: KeptFix) throws(DatabaseError) {
    try window.find(
      around: LocalFrame(center: fix.coordinate), within: clusteringRadiusMeters, source: stored)
    let index: Int
    if let nearest = window.found.first {
      index = try regionThatCounted(fix) ?? nearest
      try loadRow(at: index)
      if wasThere(window.regions[index]),
        revisited.replace(window.regions[index].id, with: 0) == nil
      {
        revisitedCount += 1
      }
    } else {
      index = try addRegion(around: fix)
    }
    if let time = fix.time { try take(time, at: index) }
    if isContinued { noteEntry(at: index) }
    if window.regions.count >= windowCapacity { try flush() }
  }

  private mutating func noteEntry(at index: Int) {
    let region = window.regions[index]
    guard region.id != lastEntered else { return }
    lastEntered = region.id
    entered.append(
      EnteredRegion(id: region.id, center: region.center, isNew: !wasThere(region)))
  }

  /// Returns the regions that were entered since the last call, in that order.
  mutating func takeEntered() -> [EnteredRegion] {
    defer { entered = [] }
    return entered
  }

  /// Starts to note places that are reached for the first time.
  func noteReached() { rows.noteReached() }

  /// Returns the places reached for the first time since the last call, as far as their regions are
  /// written.
  func takeReached() -> [ReachedPlace] { rows.takeReached() }

  /// Adds a region with a fix as its center, and returns its index.
  private mutating func addRegion(around fix: KeptFix) throws(DatabaseError) -> Int {
    var id = RegionID.range(of: fix.coordinate).lowerBound
    // With a larger radius no other region can be in the same cell: it would have taken the fix.
    if clusteringRadiusMeters < RegionID.cellDiagonalMeters {
      try window.find(
        around: LocalFrame(center: fix.coordinate), within: RegionID.cellDiagonalMeters,
        source: stored)
      let taken = window.found.map { window.regions[$0].id }
      if let free = RegionID.free(for: fix.coordinate, among: taken) {
        id = free
      } else if let nearest = window.found.first {
        // Only adopted regions can be so close: centers a meter apart do not fill a cell.
        try loadRow(at: nearest)
        return nearest
      }
    }
    let index = window.add(
      OpenRegion(
        id: id, center: fix.coordinate, isNew: true, accuracyMeters: fix.accuracyMeters,
        madeBy: source, changedBy: source, visits: VisitList(), storedVisits: VisitList(),
        isChanged: true))
    changed.append(index)
    if isContinued { added.replace(id, with: 0) }
    addedCount += 1
    return index
  }

  /// Returns whether a region existed before ``startCounting(source:isContinued:)``.
  private func wasThere(_ region: OpenRegion) -> Bool {
    region.madeBy != source || isContinued && added[region.id] == nil
  }

  /// Returns the index of the found region that has a visit containing the fix's time: the nearest
  /// region, or else the one with the smallest number.
  private mutating func regionThatCounted(_ fix: KeptFix) throws(DatabaseError) -> Int? {
    guard let time = fix.time, window.found.count > 1 else { return nil }
    var lowest: Int?
    for place in window.found.indices {
      let index = window.found[place]
      if let lowest, window.regions[lowest].id < window.regions[index].id { continue }
      try loadRow(at: index)
      guard window.regions[index].visits?.holds(time) == true else { continue }
      if place == window.found.startIndex { return index }
      lowest = index
    }
    return lowest
  }

  private mutating func loadRow(at index: Int) throws(DatabaseError) {
    guard window.regions[index].visits == nil else { return }
    let row = try stored.row(of: window.regions[index].id)
    window.regions[index].visits = row.visits
    window.regions[index].storedVisits = row.visits
    window.regions[index].madeBy = row.madeBy
    window.regions[index].changedBy = row.changedBy
  }

  private mutating func take(_ time: Timestamp, at index: Int) throws(DatabaseError) {
    guard window.regions[index].visits?.take(time, gapMilliseconds: gapMilliseconds) == true else {
      return
    }
    window.regions[index].changedBy = source
    guard !window.regions[index].isChanged else { return }
    window.regions[index].isChanged = true
    changed.append(index)
  }

  /// Writes all changes in the order of the regions' numbers, so that neighbors are on the same
  /// page.
  ///
  /// - Parameter keepingWindow: whether regions stay in memory. Nothing else may then write them
  ///   before the next fix.
  mutating func flush(keepingWindow: Bool = false) throws(DatabaseError) {
    Self.sort(&changed, by: window.regions)
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

  private static func sort(_ indexes: inout [Int], by regions: [OpenRegion]) {
    indexes.sort { regions[$0].id < regions[$1].id }
  }
}

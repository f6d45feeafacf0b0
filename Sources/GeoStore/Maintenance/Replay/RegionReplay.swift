import Geodesy
import SQLiteLayer

/// Determines which regions change when fixes are removed, without reassigning every other fix
/// (`docs/decisions/forgetting.md`).
///
/// A region is *open* once it may differ from the stored one: at first the regions within the
/// clustering radius of a removed fix. The fixes of an area are processed in the order of import. A
/// fix with no open or new region nearby stays in its region. Other fixes are assigned to a region
/// by the rule of ``RegionWriter``; if that is a different region than before and one that the
/// store keeps, that region is opened too. This is repeated until no region is opened.
///
/// If the rule depends on unknown state, namely the visits of a region at the time when a fix was
/// imported, the region is opened, since the visits of open regions are computed from the first fix
/// on.
struct RegionReplay {
  private let radiusMeters: Double
  private let gapMilliseconds: Int64
  private let stored: StoredRegions
  private let adopted: [Int64: OpenRegion]
  private var area: FixArea
  private var fixes: ReplayedFixes
  /// The stored regions read so far; regions are only added.
  private var before: RegionWindow
  /// Whether each of these regions is open.
  private var isOpen: [Bool] = []
  /// The stored regions nearer to a fix than the radius, for the fixes for which they were needed.
  private var neighbors = NeighborLists()
  /// The regions that replace the open ones.
  private var after: RegionWindow
  /// The blocks that have an open region or one of these, of any pass, within the radius: a fix
  /// elsewhere stays in its region.
  private var changing: ChangingBlocks
  /// Stored regions to open before the next pass.
  private var opening: Set<Int32> = []
  /// Where more fixes must be read.
  private var missing = MissingFixes()
  /// Whether the store has a region that no fix explains, or finding out would take too long.
  private var isUnexplained = false
  /// Number of fixes that ``mayHold(_:_:before:)`` has examined.
  private var mayHoldSteps = 0

  /// Distance, in clustering radii, from the center of an open region within which fixes must be
  /// known: a fix near the region may also be near another one, whose visits depend on its own
  /// fixes.
  private static let reach = 3.0
  /// Maximum number of fixes examined to determine visits; beyond it, a rebuild is faster.
  private static let maximumSteps = 20_000_000
  /// Maximum number of passes; beyond it, a rebuild is faster.
  private static let maximumPasses = 48

  /// Prepares a replay of an area that contains everything near the removed fixes.
  ///
  /// - Parameter adopted: the regions that came with sources, by number, in their state before any
  ///   fix.
  init(
    stored: StoredRegions, settings: StoreSettings, area: FixArea, adopted: [Int64: OpenRegion]
  ) {
    self.stored = stored
    self.area = area
    self.adopted = adopted
    radiusMeters = settings[.clusteringRadiusMeters]
    gapMilliseconds = Int64((settings[.visitGapMinutes] * 60_000).rounded())
    before = RegionWindow(radiusMeters: radiusMeters)
    after = RegionWindow(radiusMeters: radiusMeters)
    changing = ChangingBlocks(radiusMeters: radiusMeters)
    fixes = ReplayedFixes(grid: changing.grid)
  }

  /// Returns the distance in meters from a fix within which other fixes must be known if it is
  /// removed, or changes a region.
  static func reachMeters(_ settings: StoreSettings) -> Double {
    (reach + 1) * settings[.clusteringRadiusMeters]
  }

  /// Processes the fixes.
  ///
  /// - Parameter load: gets an area, places in the order of import, and a number of fixes. Adds to
  ///   the area what is near the fixes that follow each place in its source, as many as that
  ///   number. Returns the fixes of what was added to the area since the last call, in the order of
  ///   import; nil if there are too many in all.
  /// - Returns: the changes; nil if a rebuild is faster, or the stored regions are not those that
  ///   the fixes give.
  /// - Complexity: for each pass, O(1) for each fix in the area, and O(regions near it) for each
  ///   fix near a region that changes.
  mutating func run(
    _ load: (inout FixArea, _ following: [Int64], _ count: Int) throws(DatabaseError)
      -> [PlacedFix]?
  ) throws(DatabaseError) -> Result? {
    for number in 0..<Self.maximumPasses {
      if number == 0 || !missing.isEmpty {
        for center in missing.centers {
          area.insert(circleAround: center, radiusMeters: 4 * Self.reach * radiusMeters)
        }
        guard let loaded = try load(&area, missing.orders, missing.followingCount) else {
          return nil
        }
        missing.removeAll()
        try take(loaded)
      }
      try pass()
      if isUnexplained { return nil }
      if missing.isEmpty, opening.isEmpty { return try result() }
      for region in opening { setOpen(Int(region)) }
      opening = []
    }
    return nil
  }

  /// Takes fixes, and opens the stored regions near the removed ones.
  private mutating func take(_ loaded: [PlacedFix]) throws(DatabaseError) {
    for index in fixes.add(loaded) where fixes[index].isRemoved {
      missing.current = fixes[index].order
      let near = try findNeighbors(of: index, LocalFrame(center: fixes[index].coordinate))
      for place in near { open(neighbors[place]) }
    }
  }

  /// Returns the places in ``neighbors`` of the stored regions near a fix.
  private mutating func findNeighbors(
    of index: Int, _ frame: LocalFrame
  ) throws(DatabaseError) -> Range<Int> {
    if let known = neighbors.range(of: index) { return known }
    try before.find(around: frame, within: radiusMeters, source: stored)
    let count = before.regions.count
    if isOpen.count < count {
      isOpen.append(contentsOf: repeatElement(false, count: count - isOpen.count))
    }
    return neighbors.add(before.found, of: index)
  }

  /// The order of import of the fix that made a stored region, before all others if it was adopted;
  /// nil if that fix is unknown.
  ///
  /// It is the first fix at the center: if another fix had made the region, that region would have
  /// taken this fix, and still would.
  private func maker(of region: Int) -> Int64? {
    if !adopted.isEmpty, adopted[before.regions[region].id] != nil { return Self.adoption }
    return fixes.first(at: before.regions[region].center).map { fixes[$0].order }
  }

  /// Less than the order of any fix.
  private static let adoption = Int64.min

  private mutating func open(_ region: Int) {
    guard !isOpen[region] else { return }
    setOpen(region)
    requireFixes(around: before.regions[region].center)
  }

  private mutating func setOpen(_ region: Int) {
    isOpen[region] = true
    changing.insert(around: before.regions[region].center)
  }

  /// Opens a region before the next pass, since some of its fixes were skipped in this one.
  private mutating func openLater(_ region: Int) {
    guard !isOpen[region], opening.insert(Int32(region)).inserted else { return }
    requireFixes(around: before.regions[region].center)
  }

  private mutating func requireFixes(around center: Coordinate) {
    if !area.contains(circleAround: center, radiusMeters: Self.reach * radiusMeters) {
      missing.add(around: center)
    }
  }

  // MARK: - A pass

  private mutating func pass() throws(DatabaseError) {
    after.removeAll()
    if !adopted.isEmpty {
      for region in before.regions.indices where isOpen[region] {
        if let first = adopted[before.regions[region].id] { _ = after.add(first) }
      }
    }
    for place in fixes.remaining.indices {
      let index = Int(fixes.remaining[place])
      guard changing.mayContain(fixes.slots[index]) else { continue }
      try process(index)
      if isUnexplained { return }
    }
  }

  private mutating func process(_ index: Int) throws(DatabaseError) {
    let frame = LocalFrame(center: fixes[index].coordinate)
    missing.current = fixes[index].order
    try after.find(around: frame, within: radiusMeters, source: NoRegions())
    let near = try findNeighbors(of: index, frame)
    let openCount = near.count { isOpen[neighbors[$0]] }
    guard !after.found.isEmpty || openCount > 0 else { return }
    if openCount == near.count {
      give(index, to: chosen(for: index, among: after.found))
    } else {
      try compare(index, near: near.map { neighbors[$0] }, frame)
    }
  }

  /// Assigns a fix to one of the new regions, or makes one.
  private mutating func give(_ index: Int, to region: Int?) {
    let fix = fixes[index]
    let region = region ?? makeRegion(index)
    guard let time = fix.time,
      after.regions[region].visits?.take(time, gapMilliseconds: gapMilliseconds) == true
    else { return }
    after.regions[region].changedBy = fix.source
  }

  /// Adds a new region around a fix, and returns its index.
  private mutating func makeRegion(_ index: Int) -> Int {
    let fix = fixes[index]
    // In each pass many fixes make the same regions again. The area and the blocks only grow.
    if fixes.noteMaker(index) {
      requireFixes(around: fix.coordinate)
      changing.insert(around: fix.coordinate)
    }
    return after.add(
      OpenRegion(
        id: RegionID.range(of: fix.coordinate).lowerBound, center: fix.coordinate, isNew: true,
        accuracyMeters: fix.accuracyMeters, madeBy: fix.source, changedBy: fix.source,
        visits: VisitList(), storedVisits: VisitList(), isChanged: true))
  }

  /// Returns the region among some new ones, nearest first, that takes a fix: one with a visit that
  /// contains its time (the nearest, otherwise the one with the smallest number), or else the
  /// nearest.
  private func chosen(for index: Int, among found: [Int]) -> Int? {
    guard let nearest = found.first else { return nil }
    guard found.count > 1, let time = fixes[index].time else { return nearest }
    func holds(_ region: Int) -> Bool { after.regions[region].visits?.holds(time) == true }
    if holds(nearest) { return nearest }
    return found.filter(holds).min { after.regions[$0].id < after.regions[$1].id } ?? nearest
  }

  /// Assigns a fix to a region if a nearby stored region is kept unchanged.
  private mutating func compare(
    _ index: Int, near: [Int], _ frame: LocalFrame
  ) throws(DatabaseError) {
    let order = fixes[index].order
    let makers = near.map { maker(of: $0) }
    if let unknown = makers.firstIndex(of: nil) {
      let region = near[unknown]
      if area.contains(before.regions[region].center) {
        isUnexplained = true
      } else {
        missing.add(around: before.regions[region].center)
      }
      return
    }
    // The regions that existed when the fix was imported.
    let there = zip(near, makers).compactMap { region, maker in
      maker.map { $0 < order } == true ? region : nil
    }
    let kept = there.filter { !isOpen[$0] }
    let made = zip(near, makers).first { $1 == order && !isOpen[$0] }?.0
    if kept.isEmpty, made == nil {
      return give(index, to: chosen(for: index, among: after.found))
    }
    if made != nil, !there.isEmpty { return isUnexplained = true }
    if try openDoubtful(index, there: there, count: kept.count + after.found.count) { return }

    let old = nearest(of: there, frame)
    guard let new = nearestNow(kept: kept, frame) else {
      // No region is near: the fix makes a region, the same as before if it made one.
      if made == nil { give(index, to: nil) }
      return
    }
    if case .kept(let region) = new, chosenByVisit(index) == nil {
      guard old != region, fixes[index].time != nil else { return }
      openLater(region)
      if let old { openLater(old) }
      return
    }
    if let made {
      // It has no other fixes yet, so none of its fixes were skipped.
      open(made)
    } else if let old, fixes[index].time != nil {
      openLater(old)
    }
    let nearest: Int? = if case .new(let region) = new { region } else { nil }
    give(index, to: chosenByVisit(index, nearest: nearest) ?? nearest)
  }

  private enum NearestRegion {
    case kept(Int)
    case new(Int)
  }

  /// Returns the nearest of the kept regions and the new ones found.
  private func nearestNow(kept: [Int], _ frame: LocalFrame) -> NearestRegion? {
    guard let first = nearest(of: kept, frame) else { return after.found.first.map { .new($0) } }
    guard let found = after.found.first else { return .kept(first) }
    return Self.place(before.regions[first], frame) < Self.place(after.regions[found], frame)
      ? .kept(first) : .new(found)
  }

  /// Returns the nearest of some stored regions.
  private func nearest(of regions: [Int], _ frame: LocalFrame) -> Int? {
    guard regions.count > 1 else { return regions.first }
    return regions.min {
      Self.place(before.regions[$0], frame) < Self.place(before.regions[$1], frame)
    }
  }

  /// The sort key of a region around a fix: distance, then number.
  private static func place(_ region: OpenRegion, _ frame: LocalFrame) -> (Double, Int64) {
    (frame.center.distanceMeters(to: region.center), region.id)
  }

  /// Returns the new region that has a visit containing the fix's time: the nearest of all, or the
  /// one with the smallest number. No kept region has such a visit, because it would be open.
  private func chosenByVisit(_ index: Int, nearest: Int? = nil) -> Int? {
    guard let time = fixes[index].time else { return nil }
    let holding = after.found.filter { after.regions[$0].visits?.holds(time) == true }
    if let nearest, holding.contains(nearest) { return nearest }
    return holding.min { after.regions[$0].id < after.regions[$1].id }
  }

  // MARK: - Unknown visits

  /// Opens the regions if it is unknown which of them had a visit containing a fix's time when the
  /// fix was imported, and that decides which region takes it.
  ///
  /// - Parameter count: the number of regions that may take it now.
  private mutating func openDoubtful(
    _ index: Int, there: [Int], count: Int
  ) throws(DatabaseError) -> Bool {
    guard let time = fixes[index].time, there.count > 1 || count > 1 else { return false }
    var isDoubtful = false
    for region in there where !isDoubtful {
      isDoubtful = try mayHold(region, time, before: index)
    }
    guard isDoubtful else { return false }
    // Whether an open region took it before is unknown too, so all are opened.
    for region in there { openLater(region) }
    return true
  }

  /// Returns whether a stored region may have had a visit containing a time before a fix was
  /// imported: it has one now, and an earlier fix near it that is not before that time.
  private mutating func mayHold(
    _ region: Int, _ time: Timestamp, before index: Int
  ) throws(DatabaseError) -> Bool {
    if before.regions[region].visits == nil {
      before.regions[region].visits = try stored.row(of: before.regions[region].id).visits
    }
    guard let visit = before.regions[region].visits?.visit(holding: time) else { return false }
    if maker(of: region) == Self.adoption { return true }
    let center = before.regions[region].center
    let order = fixes[index].order
    for (_, other) in fixes.dated(in: time...visit.end) {
      mayHoldSteps += 1
      if mayHoldSteps > Self.maximumSteps { isUnexplained = true }
      if isUnexplained { return true }
      let fix = fixes[Int(other)]
      if fix.order < order,
        LocalFrame(center: fix.coordinate).isNearer(than: radiusMeters, to: center)
      {
        return true
      }
    }
    return false
  }

  // MARK: - The result

  private mutating func result() throws(DatabaseError) -> Result {
    var result = Result()
    var rows: [Int64: Replaced] = [:]
    for index in before.regions.indices where isOpen[index] {
      let (id, center) = (before.regions[index].id, before.regions[index].center)
      rows[id] = Replaced(id: id, center: center, row: try stored.row(of: id))
    }
    for var region in after.regions {
      if let old = rows[region.id] {
        region.storedVisits = old.row.visits
        // The first fix at its center made it, as before.
        let isSame =
          old.center == region.center && old.row.visits == region.visits
          && old.row.madeBy == region.madeBy && old.row.changedBy == region.changedBy
        if isSame || !region.isNew { rows[region.id] = nil }
        if isSame { continue }
        if region.isNew { region.storedVisits = VisitList() }
      }
      result.regions.append(region)
    }
    result.replaced = rows.values.sorted { $0.id < $1.id }
    result.regions.sort { $0.id < $1.id }
    result.remaining = fixes.remaining.map { fixes[Int($0)].coordinate }
    return result
  }
}

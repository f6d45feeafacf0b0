import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

/// Which part of a store an export contains.
struct ExportSelection {
  /// The range of time; nil for all, also what has no time.
  let times: ClosedRange<Timestamp>?
  /// The conditions for visited regions.
  let regionQuery: RegionQuery
  /// The ground that is left out.
  private let withholding: Withholding
  /// What the chosen sources contribute; nil if all are chosen.
  let sources: ExportedSources?
  private let box: BoundingBox?
  private let boxCells: CellBox?
  private let area: PlaceArea?
  /// The cells; nil if the export has no layer of cells.
  private let cells: CellSelection?

  /// - Parameter includesCells: whether ``clipped(_:at:)`` will be called. Finding the cells of a
  ///   range of time reads all kept fixes.
  init(
    _ options: ExportOptions, includingCells includesCells: Bool, of snapshot: Snapshot,
    by explorer: Explorer
  ) throws(DatabaseError) {
    let settings = snapshot.settings
    times = options.selection.times
    withholding = try Withholding(of: snapshot, hiding: options.hiddenZones)
    var query = RegionQuery()
    options.selection.place?.restrict(&query)
    query.times = times
    if let box = options.box { query.area = .box(box) }
    regionQuery = query
    box = options.box
    boxCells = options.box.map { CellBox(grid: settings.grid, box: $0) }
    cells = includesCells ? try CellSelection(options.selection, of: snapshot, by: explorer) : nil
    area = options.selection.place.map {
      PlaceArea(of: $0, grid: settings.grid, geocoder: explorer.geocoder)
    }
    sources = try options.sources.map { ids throws(DatabaseError) in
      try ExportedSources(ids, of: snapshot)
    }
  }

  /// Whether a kept fix belongs to the export.
  func contains(_ fix: KeptFix, ofSource id: Int64) -> Bool {
    if let sources, !sources.ids.contains(id) { return false }
    if let times, !(fix.time.map(times.contains) ?? false) { return false }
    let place = fix.coordinate
    guard box?.contains(place) ?? true, area?.contains(place) ?? true else { return false }
    return isShown(place)
  }

  /// Whether no line may join two kept fixes of the export, because it touches hidden ground.
  func isCrossed(from start: Coordinate, to end: Coordinate) -> Bool {
    withholding.isHidden { $0.isCrossed(from: start, to: end) }
  }

  /// Whether a position that would belong to the export is not hidden.
  private func isShown(_ place: Coordinate) -> Bool {
    !withholding.isHidden { $0.contains(place) }
  }

  /// Whether a visited region that matches ``regionQuery`` belongs to the export.
  func contains(_ region: VisitedRegion) -> Bool {
    if let sources, sources.regions[region.id] == nil { return false }
    return isShown(region.coordinate)
  }

  /// Whether a visit to a region that belongs to the export does so too.
  func contains(_ visit: Visit, to region: VisitedRegion) -> Bool {
    let span = visit.start...visit.end
    if let times, !times.overlaps(span) { return false }
    guard let sources else { return true }
    return sources.regions[region.id]?.contains { span.overlaps($0) } ?? false
  }

  /// The cells of an explored tile that belong to the export. Keys must ascend.
  func clipped(_ tile: Tile, at key: Int64) -> Tile {
    guard let cells else { preconditionFailure("a selection without cells") }
    var tile = cells.clipped(tile, at: key)
    if let boxCells { tile = boxCells.clipped(tile, at: key) }
    if let sources {
      guard let own = sources.coverage.tile(at: key) else { return Tile() }
      tile = tile.intersection(own)
    }
    return withholding.clipped(tile, at: key)
  }

  /// What was left out so far because it is hidden, in at most one sentence.
  var notes: [String] { withholding.notes }
}

/// What some sources contribute to a store.
struct ExportedSources {
  /// The sources.
  let ids: Set<Int64>
  /// The regions nearest to their fixes, with the spans of time that they spent there.
  private(set) var regions: [Int64: [ClosedRange<Timestamp>]] = [:]
  /// The cells that their fixes explore, and those that came with them.
  private(set) var coverage: Coverage

  /// - Complexity: O(kept fixes), and a search for a region for each fix of the sources.
  init(_ ids: Set<Int64>, of snapshot: Snapshot) throws(DatabaseError) {
    self.ids = ids
    let settings = snapshot.settings
    coverage = Coverage(grid: settings.grid)
    try snapshot.forEachSourceTile { (source, key, tile) in
      if ids.contains(source) { coverage.insert(tile, at: key) }
    }
    try snapshot.forEachChunkOfKeptFixesBySource { (source, fixes) throws(DatabaseError) in
      guard ids.contains(source) else { return }
      for fix in fixes where settings.flightsExplore || !fix.isInFlight {
        coverage.mark(discAround: fix.coordinate)
        let hits = try snapshot.hits(
          near: fix.coordinate, radiusMeters: settings.clusteringRadiusMeters, limit: 1)
        guard let region = hits.first?.id else { continue }
        add(fix.time, to: region, gapMinutes: settings.visitGapMinutes)
      }
    }
  }

  /// Adds the time of a fix to the spans of its region.
  private mutating func add(_ time: Timestamp?, to region: Int64, gapMinutes: Double) {
    var spans = regions[region] ?? []
    defer { regions[region] = spans }
    guard let time else { return }
    let gap = Int64(gapMinutes * 60_000)
    if let last = spans.last, time >= last.lowerBound,
      time.millisecondsSince1970 - last.upperBound.millisecondsSince1970 <= gap
    {
      spans[spans.count - 1] = last.lowerBound...max(last.upperBound, time)
    } else {
      spans.append(time...time)
    }
  }
}

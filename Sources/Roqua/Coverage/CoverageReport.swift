import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

/// The parts of a coverage report to compute in addition to the totals.
///
/// ```swift
/// var query = CoverageQuery()
/// query.box = BoundingBox(around: here, radiusMeters: 10_000)
/// query.breakdowns = [.city]
/// for share in try await explorer.coverageReport(query).places[.city] ?? [] {
///   print(share.place.city ?? "no city", share.ground.cells)
/// }
/// ```
public struct CoverageQuery: Sendable {
  /// Only the cells whose center lies in this box; nil for all.
  public var box: BoundingBox?
  /// The breakdowns to report, the place and the range of time: the report is about the cells that
  /// these select (``StatisticsQuery``).
  public var selection = StatisticsQuery()
  /// The breakdowns to report.
  public var breakdowns: Set<Breakdown> {
    get { selection.breakdowns }
    set { selection.breakdowns = newValue }
  }
  /// The maximum number of frontier cells to list, at most 100 000; a larger one counts as
  /// that. Nil for no list.
  public var frontierLimit: Int?
  /// The point to which the listed cells of the frontier are nearest; nil for the center of the
  /// region that was visited last, or to list cells by row and column if no region has a time.
  public var frontierCenter: Coordinate?

  /// The largest limit for the list of frontier cells. Each cell takes about 60 bytes of memory in
  /// the list and about 600 more as a table or as JSON: 65 MB at most.
  package static let largestFrontierLimit = 100_000

  /// Creates a query for the totals of the whole coverage.
  public init() {}
}

/// A report on the explored cells of the grid. Also has the members of its ``totals``.
///
/// ```swift
/// var query = CoverageQuery()
/// query.box = BoundingBox(around: here, radiusMeters: 5_000)
/// query.frontierLimit = 10
/// query.frontierCenter = here
/// let report = try await explorer.coverageReport(query)
/// print(report.cells, report.boxPercentage ?? 0)
/// for entry in report.frontier ?? [] { print(entry.center, entry.distanceMeters ?? 0) }
/// ```
@dynamicMemberLookup
public struct CoverageReport: Sendable {
  /// The place, the range of time and the clock of the query.
  package let query: StatisticsQuery
  /// The box of the query; nil for the whole Earth.
  package let box: CellBox?
  /// The explored cells and area, with the totals that percentages refer to.
  public let totals: CoverageTotals
  /// The number of tiles of 64 × 64 cells that contain an explored cell.
  package let tiles: Int
  /// The smallest box around the explored cells; nil if there are none.
  public let bounds: BoundingBox?
  /// The explored area of the query's place, with the share of the land of the place; nil without a
  /// place. With a box, only the part in the box.
  public let placeShare: GroundShare?
  /// The number of unexplored cells that share an edge with an explored one; nil if the query
  /// restricts the cells to a place or a range of time.
  public let frontierCount: Int?
  /// The frontier cells that the query asked for; nil if it asked for none, and if it restricts the
  /// cells to a place or a range of time.
  public let frontier: [FrontierEntry]?
  /// The point that the cells of ``frontier`` are nearest to: the one of the query, or else
  /// the center of the region that was visited last. Nil if the query asks for no frontier or
  /// restricts the cells to a place or a range of time, or if it has no center and no region has a
  /// time.
  public let frontierCenter: Coordinate?
  /// The largest square of which every cell is explored; nil where nothing is.
  public let largestSquare: CellSquare?
  /// The largest connected set of cells that are explored with all their neighbors; nil if there is
  /// none.
  public let largestCluster: CellCluster?
  /// Explored area by place in descending order, for each requested breakdown by place.
  public let places: [Breakdown: [GroundShare]]
  /// Explored area by period in order of time, undated last, for each requested breakdown by time.
  public let periods: [Breakdown: [PeriodShare]]
  /// The number of decimals with which percentages are shown; nil for two significant digits.
  package let percentageDecimals: Int?

  /// A cell of the frontier.
  public struct FrontierEntry: Hashable, Sendable {
    /// The unexplored cell.
    public let cell: Cell
    /// Its center, to 1e-7 degree.
    public let center: Coordinate
    /// Distance in meters on the ellipsoid from ``CoverageReport/frontierCenter``; nil if that is
    /// nil.
    public let distanceMeters: Double?
  }

  /// A member of the totals.
  public subscript<Value>(dynamicMember path: KeyPath<CoverageTotals, Value>) -> Value {
    totals[keyPath: path]
  }

  /// Explored area ÷ area of the box's cells × 100; nil if the query has no box or the box contains
  /// no cells.
  public var boxPercentage: Double? {
    guard let box, box.cellCount > 0 else { return nil }
    return percentage(totals.areaSquareKilometers, of: box.areaSquareMeters / 1e6)
  }
}

extension Explorer {
  /// Does what the async form does, on the calling thread.
  package func coverageReport(
    _ query: CoverageQuery = CoverageQuery()
  ) throws -> CoverageReport {
    try read { snapshot in
      let grid = snapshot.settings.grid
      let selected = query.selection
      let selection = try CellSelection(selected, of: snapshot, by: self)
      let box = query.box.map { CellBox(grid: grid, box: $0) }
      let listsFrontier = query.frontierLimit != nil && !selected.isRestricted
      let center =
        listsFrontier ? try query.frontierCenter ?? Self.lastVisited(in: snapshot) : nil
      var tally = ExploredTally(grid: grid, geocoder: geocoder, breakdowns: query.breakdowns)
      var survey = CoverageSurvey(
        grid: grid, in: box,
        frontierLimit: min(query.frontierLimit ?? 0, CoverageQuery.largestFrontierLimit),
        nearestTo: center)
      let breakdownsByTime = query.breakdowns.filter { $0.placeLevel == nil }
      let countsSome = selected.isRestricted && !breakdownsByTime.isEmpty
      var counted = Coverage(grid: grid)
      try forEachTile(in: snapshot, of: grid) { (key, tile) in
        // Clipped first, so that the place's own totals are those of the box too.
        let part =
          selected.isRestricted
          ? selection.clipped(box?.clipped(tile, at: key) ?? tile, at: key) : tile
        if part.isEmpty { return }
        let inside = survey.add(part, at: key)
        if inside.isEmpty { return }
        tally.add(inside, at: key)
        if countsSome { counted.insert(inside, at: key) }
      }
      let shapes = survey.finish()
      let ground = tally.finish()
      var places: [Breakdown: [GroundShare]] = [:]
      for (level, found) in ground.places {
        places[level.breakdown] = shares(of: found, by: level)
      }
      var periods: [Breakdown: [PeriodShare]] = [:]
      for breakdown in breakdownsByTime {
        periods[breakdown] = try periodShares(
          of: snapshot, by: breakdown, selected, selecting: selection,
          only: countsSome ? counted : nil, in: box)
      }
      return CoverageReport(
        query: selected, box: box, totals: ground.totals.totals, tiles: ground.totals.size.tiles,
        bounds: shapes.bounds, placeShare: placeShare(of: selection, selected),
        frontierCount: selected.isRestricted ? nil : shapes.frontierCount,
        frontier: listsFrontier ? Self.entries(of: shapes, grid) : nil, frontierCenter: center,
        largestSquare: shapes.largestSquare, largestCluster: shapes.largestCluster, places: places,
        periods: periods, percentageDecimals: snapshot.settings.shownPercentageDecimals)
    }
  }

  /// The center of the region that was visited last; nil where nothing has a time.
  private static func lastVisited(in snapshot: Snapshot) throws(DatabaseError) -> Coordinate? {
    var last: (center: Coordinate, time: Timestamp)?
    try snapshot.forEachRegionSpan { center, _, _, end in
      guard let end, end > last?.time ?? .writable.lowerBound else { return }
      last = (center, end)
    }
    return last?.center
  }

  /// The cells of the frontier that were asked for, the nearest or the first.
  private static func entries(
    of shapes: CoverageShapes, _ grid: Grid
  ) -> [CoverageReport.FrontierEntry] {
    shapes.nearestFrontier.map {
      .init(cell: $0.cell, center: $0.center, distanceMeters: $0.distanceMeters)
    }
      + shapes.firstFrontierCells.compactMap { cell in
        grid.centerCoordinate(of: cell).map { .init(cell: cell, center: $0, distanceMeters: nil) }
      }
  }
}

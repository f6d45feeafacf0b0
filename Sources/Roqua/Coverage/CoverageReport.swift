import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

/// What to tell of a coverage beyond its totals.
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
  /// Cut by these.
  public var breakdowns: Set<Breakdown> = []
  /// At most so many cells of the frontier, and no more than `largestFrontierLimit`; nil for no
  /// list of them.
  public var frontierLimit: Int?
  /// The cells of the frontier nearest to this point; nil for those nearest to where the last kept
  /// fix was, or by row and column where no fix has a time.
  public var frontierCenter: Coordinate?

  /// The most cells of the frontier that are listed. A list takes some 60 bytes of memory a cell,
  /// and some 600 more as a table or as JSON: 65 MB at most.
  package static let largestFrontierLimit = 100_000

  /// The totals of all that is explored.
  public init() {}
}

/// What is explored, as cells of the grid. It has the members of its ``totals``, too.
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
  /// The box that was asked about; nil for the whole Earth.
  package let box: CellBox?
  /// What is explored, and of how much.
  public let totals: CoverageTotals
  /// Tiles of 64 × 64 cells in which there is an explored one.
  package let tiles: Int
  /// The smallest box around the explored cells; nil where there are none.
  public let bounds: BoundingBox?
  /// Unexplored cells that share an edge with an explored one.
  public let frontierCount: Int
  /// As many of these as were asked for; nil where none were asked for.
  public let frontier: [FrontierEntry]?
  /// The point that the cells of ``frontier`` are nearest to: the one that was asked about, else
  /// the center of the region that was visited last; nil where no frontier was asked for, or
  /// nothing has a time.
  public let frontierCenter: Coordinate?
  /// The largest square of which every cell is explored; nil where nothing is.
  public let largestSquare: CellSquare?
  /// The largest connected set of cells that are explored with all their neighbors; nil where
  /// there is none.
  public let largestCluster: CellCluster?
  /// Explored ground by descending area, for each breakdown by place that was asked for.
  public let places: [Breakdown: [GroundShare]]
  /// Periods in order of time, what has no time last, for each breakdown by time that was asked
  /// for.
  public let periods: [Breakdown: [PeriodShare]]
  /// Digits after the point with which percentages are shown.
  public let percentageDecimals: Int

  /// A cell of the frontier.
  public struct FrontierEntry: Hashable, Sendable {
    /// The unexplored cell.
    public let cell: Cell
    /// Its center, to 1e-7 degree.
    public let center: Coordinate
    /// Distance in meters on the ellipsoid from the point that was asked about; nil where none was.
    public let distanceMeters: Double?
  }

  /// A member of the totals.
  public subscript<Value>(dynamicMember path: KeyPath<CoverageTotals, Value>) -> Value {
    totals[keyPath: path]
  }

  /// Explored area ÷ area of the box's cells × 100; nil where no box was asked about, or one
  /// without cells.
  public var boxPercentage: Double? {
    guard let box, box.cellCount > 0 else { return nil }
    return percentage(totals.areaSquareKilometers, of: box.areaSquareMeters / 1e6)
  }
}

extension Explorer {
  /// What is explored, as cells of the grid, in one state of the store.
  ///
  /// With a box, all is told as if nothing beyond it were explored; only the frontier is that of
  /// all, as far as it lies in the box.
  ///
  /// - Complexity: O(cells). Memory: one row of tiles and what is asked for, whatever is
  ///   explored; for breakdowns by time see `statistics(by:)`.
  public func coverageReport(
    _ query: CoverageQuery = CoverageQuery()
  ) throws -> CoverageReport {
    try read { snapshot in
      let grid = snapshot.settings.grid
      let box = query.box.map { CellBox(grid: grid, box: $0) }
      var periods: [Breakdown: [PeriodShare]] = [:]
      for breakdown in query.breakdowns where breakdown.placeLevel == nil {
        periods[breakdown] = try periodShares(of: snapshot, by: breakdown, in: box)
      }
      var ground = ExploredTally(grid: grid, geocoder: geocoder, breakdowns: query.breakdowns)
      let center =
        query.frontierLimit == nil
        ? nil : try query.frontierCenter ?? Self.lastVisited(in: snapshot)
      var survey = CoverageSurvey(
        grid: grid, in: box,
        frontierLimit: min(query.frontierLimit ?? 0, CoverageQuery.largestFrontierLimit),
        nearestTo: center)
      try forEachTile(in: snapshot, of: grid) { (key, tile) in
        let inside = survey.add(tile, at: key)
        if !inside.isEmpty { ground.add(inside, at: key) }
      }
      let shapes = survey.finish()
      var places: [Breakdown: [GroundShare]] = [:]
      for (level, tally) in ground.places {
        places[level.breakdown] = shares(of: tally, by: level)
      }
      return CoverageReport(
        box: box, totals: ground.totals.totals, tiles: ground.totals.size.tiles,
        bounds: shapes.bounds, frontierCount: shapes.frontierCount,
        frontier: query.frontierLimit.map { _ in Self.entries(of: shapes, grid) },
        frontierCenter: center,
        largestSquare: shapes.largestSquare, largestCluster: shapes.largestCluster, places: places,
        periods: periods, percentageDecimals: Int(snapshot.settings[.percentageDecimals]))
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

import GeoStore
import Geodesy
import GridHash

/// What to tell of a coverage beyond its totals.
public struct CoverageQuestion: Sendable {
  /// Only the cells whose centre lies in this box; nil for all.
  public var box: BoundingBox?
  /// Cut by these.
  public var breakdowns: Set<Breakdown> = []
  /// At most so many cells of the frontier; nil for no list of them.
  public var frontierLimit: Int?
  /// The cells of the frontier nearest to this point; nil for the first ones, by row and column.
  public var frontierCenter: Coordinate?

  /// The totals of all that is explored.
  public init() {}
}

/// What is explored, as cells of the grid. It has the members of its ``totals``, too.
@dynamicMemberLookup
public struct CoverageReport: Sendable {
  /// The box that was asked about; nil for the whole Earth.
  public let box: CellBox?
  /// What is explored, and of how much.
  public let totals: CoverageTotals
  /// Tiles of 64 × 64 cells in which there is an explored one.
  public let tiles: Int
  /// The smallest box around the explored cells; nil where there are none.
  public let bounds: BoundingBox?
  /// Unexplored cells that share an edge with an explored one.
  public let frontierCount: Int
  /// As many of these as were asked for; nil where none were asked for.
  public let frontier: [FrontierEntry]?
  /// The largest square of which every cell is explored; nil where nothing is.
  public let largestSquare: CellSquare?
  /// The largest connected set of cells that are explored with all their neighbours; nil where there is none.
  public let largestCluster: CellCluster?
  /// Explored ground by descending area, for each breakdown by place that was asked for.
  public let places: [Breakdown: [GroundShare]]
  /// Periods in order of time, what has no time last, for each breakdown by time that was asked for.
  public let periods: [Breakdown: [PeriodShare]]
  /// Digits after the point with which percentages are shown.
  public let percentageDecimals: Int

  /// A cell of the frontier.
  public struct FrontierEntry: Hashable, Sendable {
    /// The unexplored cell.
    public let cell: Cell
    /// Its centre, to 1e-7 degree.
    public let center: Coordinate
    /// Distance in metres on the ellipsoid from the point that was asked about; nil where none was.
    public let distanceMeters: Double?
  }

  /// A member of the totals.
  public subscript<Value>(dynamicMember path: KeyPath<CoverageTotals, Value>) -> Value {
    totals[keyPath: path]
  }

  /// Explored area ÷ area of the box's cells × 100; nil where no box was asked about, or one without cells.
  public var boxPercentage: Double? {
    guard let box, box.cellCount > 0 else { return nil }
    return percentage(totals.areaSquareKilometers, of: box.areaSquareMeters / 1e6)
  }
}

extension Explorer {
  /// What is explored, as cells of the grid, in one state of the store.
  ///
  /// With a box, all is told as if nothing beyond it were explored; only the frontier is that of all, as far as it lies
  /// in the box.
  ///
  /// - Complexity: O(cells); memory of the coverage, about 2 bytes a cell.
  public func coverageReport(
    _ question: CoverageQuestion = CoverageQuestion()
  ) throws(ExplorerError) -> CoverageReport {
    let (all, periods, decimals) = try read { (snapshot) throws(StoreError) in
      let box = try question.box.map { box throws(StoreError) in
        CellBox(grid: try snapshot.settings.grid(), box: box)
      }
      var periods: [Breakdown: [PeriodShare]] = [:]
      for breakdown in question.breakdowns where breakdown.placeLevel == nil {
        periods[breakdown] = try PeriodTally.shares(of: snapshot, by: breakdown, in: box)
      }
      return (try snapshot.coverage(), periods, Int(snapshot.settings[.percentageDecimals]))
    }
    let box = question.box.map { CellBox(grid: all.grid, box: $0) }
    let coverage = box.map { all.intersection($0) } ?? all
    var places: [Breakdown: [GroundShare]] = [:]
    for breakdown in question.breakdowns {
      if let level = breakdown.placeLevel { places[breakdown] = shares(of: coverage, by: level) }
    }
    var frontierCount = 0
    for cell in all.frontier where box?.contains(cell) ?? true { frontierCount += 1 }
    return CoverageReport(
      box: box, totals: totals(of: coverage), tiles: coverage.tileCount, bounds: coverage.bounds,
      frontierCount: frontierCount, frontier: Self.frontier(of: all, in: box, question),
      largestSquare: coverage.largestSquare, largestCluster: coverage.largestCluster, places: places,
      periods: periods, percentageDecimals: decimals)
  }

  /// The cells of the frontier that were asked for.
  private static func frontier(
    of coverage: Coverage, in box: CellBox?, _ question: CoverageQuestion
  ) -> [CoverageReport.FrontierEntry]? {
    guard let limit = question.frontierLimit else { return nil }
    if limit == 0 { return [] }
    if let center = question.frontierCenter {
      return coverage.nearestFrontier(to: center, limit: limit, in: box)
        .map { .init(cell: $0.cell, center: $0.center, distanceMeters: $0.distanceMeters) }
    }
    var entries: [CoverageReport.FrontierEntry] = []
    for cell in coverage.frontier where box?.contains(cell) ?? true {
      guard let center = coverage.grid.centerCoordinate(of: cell) else { continue }
      entries.append(.init(cell: cell, center: center, distanceMeters: nil))
      if entries.count == limit { break }
    }
    return entries
  }
}

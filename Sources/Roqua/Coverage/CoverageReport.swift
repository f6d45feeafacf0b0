import GeoStore
import Geodesy
import GridHash

/// What to tell of a coverage beyond its totals.
public struct CoverageQuestion: Sendable {
  /// Only the cells whose centre lies in this box; nil for all.
  public var box: BoundingBox?
  /// Cut by these.
  public var levels: Set<PlaceLevel> = []
  /// At most so many cells of the frontier.
  public var frontierLimit = 0
  /// The cells of the frontier nearest to this point; nil for the first ones, by row and column.
  public var frontierCenter: Coordinate?

  /// The totals of all that is explored.
  public init() {}
}

/// What is explored, as cells of the grid. Each number states its denominator.
public struct CoverageReport: Sendable {
  /// The grid of the cells.
  public let grid: Grid
  /// The box that was asked about; nil for the whole Earth.
  public let box: CellBox?
  /// Explored cells.
  public let cells: Int
  /// Tiles of 64 × 64 cells in which there is one.
  public let tiles: Int
  /// Their area in square kilometres, on the authalic sphere.
  public let areaSquareKilometers: Double
  /// Area ÷ area of the Earth × 100.
  public let worldPercentage: Double
  /// The area in square kilometres of the explored cells that are land.
  public let landAreaSquareKilometers: Double
  /// Explored land ÷ land of the Earth × 100.
  public let landPercentage: Double
  /// Explored cells ÷ all cells × 100: the Roqua app's formula, which grows with latitude.
  public let cellPercentage: Double
  /// The smallest box around the explored cells; nil where there are none.
  public let bounds: BoundingBox?
  /// Unexplored cells that share an edge with an explored one.
  public let frontierCount: Int
  /// As many of these as were asked for.
  public let frontier: [FrontierEntry]
  /// The largest square of which every cell is explored; nil where nothing is.
  public let largestSquare: CellSquare?
  /// The largest connected set of cells that are explored with all their neighbours; nil where there is none.
  public let largestCluster: CellCluster?
  /// Explored ground by descending area, for each level that was asked for.
  public let shares: [PlaceLevel: [GroundShare]]
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

  /// Explored area ÷ area of the box's cells × 100; nil where no box was asked about, or one without cells.
  public var boxPercentage: Double? {
    guard let box, box.cellCount > 0 else { return nil }
    return areaSquareKilometers / (box.areaSquareMeters / 1e6) * 100
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
    let (all, decimals) = try read { (snapshot) throws(StoreError) in
      (try snapshot.coverage(), Int(snapshot.settings[.percentageDecimals]))
    }
    let box = question.box.map { CellBox(grid: all.grid, box: $0) }
    let coverage = box.map { all.intersection($0) } ?? all
    let land = tally(coverage, by: nil).total.landAreaSquareKilometers
    var shares: [PlaceLevel: [GroundShare]] = [:]
    for level in question.levels { shares[level] = self.shares(of: coverage, by: level) }
    var frontierCount = 0
    for cell in all.frontier where box?.contains(cell) ?? true { frontierCount += 1 }
    return CoverageReport(
      grid: all.grid, box: box, cells: coverage.count, tiles: coverage.tileCount,
      areaSquareKilometers: coverage.areaSquareKilometers, worldPercentage: coverage.worldPercentage,
      landAreaSquareKilometers: land,
      landPercentage: land / geocoder.worldLandAreaSquareKilometers * 100,
      cellPercentage: coverage.cellPercentage, bounds: coverage.bounds, frontierCount: frontierCount,
      frontier: Self.frontier(of: all, in: box, question),
      largestSquare: coverage.largestSquare, largestCluster: coverage.largestCluster, shares: shares,
      percentageDecimals: decimals)
  }

  /// The cells of the frontier that were asked for.
  private static func frontier(
    of coverage: Coverage, in box: CellBox?, _ question: CoverageQuestion
  ) -> [CoverageReport.FrontierEntry] {
    guard question.frontierLimit > 0 else { return [] }
    if let center = question.frontierCenter {
      return coverage.nearestFrontier(to: center, limit: question.frontierLimit, in: box)
        .map { .init(cell: $0.cell, center: $0.center, distanceMeters: $0.distanceMeters) }
    }
    var entries: [CoverageReport.FrontierEntry] = []
    for cell in coverage.frontier where box?.contains(cell) ?? true {
      guard let center = coverage.grid.centerCoordinate(of: cell) else { continue }
      entries.append(.init(cell: cell, center: center, distanceMeters: nil))
      if entries.count == question.frontierLimit { break }
    }
    return entries
  }
}

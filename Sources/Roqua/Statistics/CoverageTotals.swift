import GeoStore
import Geocode
import Geodesy
import GridHash

/// The explored cells and area, with percentages. The denominator of each percentage is stated.
///
/// ```swift
/// let totals = try await explorer.statistics().totals
/// print("\(totals.landAreaSquareKilometers) km², \(totals.landPercentage) % of all land")
/// ```
public struct CoverageTotals: Hashable, Sendable {
  /// The grid of the cells.
  public let grid: Grid
  /// The number of explored cells.
  public let cells: Int
  /// The area of the explored cells in square kilometers, on the authalic sphere.
  public let areaSquareKilometers: Double
  /// The area of the explored land cells in square kilometers.
  public let landAreaSquareKilometers: Double
  /// All land in square kilometers: the denominator of ``landPercentage``. The area of the land
  /// polygons, or that of the land cells on a grid with so few cells that the difference matters.
  package let landAreaOfEarthSquareKilometers: Double

  /// The surface of the Earth in square kilometers: the denominator of ``worldPercentage``.
  package var areaOfEarthSquareKilometers: Double { AuthalicSphere.areaSquareMeters / 1e6 }
  /// The number of all cells of the grid: the denominator of ``cellPercentage``.
  package var allCells: Int { grid.cellCount }

  /// Explored area ÷ area of the Earth × 100.
  public var worldPercentage: Double {
    percentage(areaSquareKilometers, of: areaOfEarthSquareKilometers)
  }
  /// Explored land ÷ land of the Earth × 100.
  public var landPercentage: Double {
    percentage(landAreaSquareKilometers, of: landAreaOfEarthSquareKilometers)
  }
  /// Explored cells ÷ all cells × 100, as in the Roqua app. It grows with latitude, where cells are
  /// smaller.
  public var cellPercentage: Double { grid.cellPercentage(ofCells: cells) }
}

/// A share in percent, at most 100. A denominator that was not counted cell by cell may be some
/// hundred-thousandths less than the sum of all its cells, and sums of areas are rounded.
func percentage(_ part: Double, of whole: Double) -> Double { min(100, part / whole * 100) }

/// Adds up the totals of single tiles.
///
/// - Memory: constant.
struct TotalsTally {
  private let grid: Grid
  private let geocoder: Geocoder
  private(set) var size: CoverageSize
  private var ground: GroundTally

  /// Creates an empty tally.
  init(grid: Grid, geocoder: Geocoder) {
    self.grid = grid
    self.geocoder = geocoder
    size = CoverageSize(grid: grid)
    ground = GroundTally(grid: grid, geocoder: geocoder, level: nil)
  }

  /// Adds a tile. Keys must ascend.
  mutating func add(_ tile: Tile, at key: Int64) {
    size.add(tile, at: key)
    ground.add(tile, at: key)
  }

  /// The totals of all tiles that were added.
  var totals: CoverageTotals {
    CoverageTotals(
      grid: grid, cells: size.cells, areaSquareKilometers: size.areaSquareKilometers,
      landAreaSquareKilometers: ground.total.landAreaSquareKilometers,
      landAreaOfEarthSquareKilometers: LandSurvey(grid: grid, geocoder: geocoder)
        .landAreaOfEarthSquareKilometers)
  }
}

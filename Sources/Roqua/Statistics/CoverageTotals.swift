import GeoStore
import Geocode
import Geodesy
import GridHash

/// How much is explored, and of how much. Each number states its denominator.
///
/// ```swift
/// let totals = try await explorer.statistics().totals
/// print("\(totals.landAreaSquareKilometers) km², \(totals.landPercentage) % of all land")
/// ```
public struct CoverageTotals: Hashable, Sendable {
  /// The grid of the cells.
  public let grid: Grid
  /// Explored cells.
  public let cells: Int
  /// Their area in square kilometers, on the authalic sphere.
  public let areaSquareKilometers: Double
  /// The area in square kilometers of those that are land.
  public let landAreaSquareKilometers: Double
  /// All land in square kilometers: the denominator of ``landPercentage``. Of polygons; of the
  /// cells themselves on a grid of so few that it makes a difference.
  public let landAreaOfEarthSquareKilometers: Double

  /// The surface of the Earth in square kilometers: the denominator of ``worldPercentage``.
  package var areaOfEarthSquareKilometers: Double { AuthalicSphere.areaSquareMeters / 1e6 }
  /// All cells of the grid: the denominator of ``cellPercentage``.
  package var allCells: Int { grid.cellCount }

  /// Explored area ÷ area of the Earth × 100.
  public var worldPercentage: Double {
    percentage(areaSquareKilometers, of: areaOfEarthSquareKilometers)
  }
  /// Explored land ÷ land of the Earth × 100.
  public var landPercentage: Double {
    percentage(landAreaSquareKilometers, of: landAreaOfEarthSquareKilometers)
  }
  /// Explored cells ÷ all cells × 100: the Roqua app's formula. It grows with latitude, since cells
  /// are smaller there.
  public var cellPercentage: Double { grid.cellPercentage(ofCells: cells) }
}

/// A share in percent. It ends at 100: a denominator that was not counted cell by cell may be some
/// hundred-thousandths less than all of its cells, and so may sums of areas be by rounding.
func percentage(_ part: Double, of whole: Double) -> Double { min(100, part / whole * 100) }

/// Adds up the totals of tiles that are added one by one.
///
/// - Memory: constant.
struct TotalsTally {
  private let grid: Grid
  private let geocoder: Geocoder
  private(set) var size: CoverageSize
  private var ground: GroundTally

  /// Nothing added yet.
  init(grid: Grid, geocoder: Geocoder) {
    self.grid = grid
    self.geocoder = geocoder
    size = CoverageSize(grid: grid)
    ground = GroundTally(grid: grid, geocoder: geocoder, level: nil)
  }

  /// Adds a tile. Keys ascend.
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

import GeoStore
import Geocode
import Geodesy
import GridHash

/// The land of places as the coverage counts it: the denominators of percentages.
///
/// Every cell that may be of a place is given to the same ``GroundTally`` that adds up what is
/// explored, so a place that is explored to its last cell shows exactly 100 %, whatever decides
/// about its ground. Where a place has so many cells that counting them would take long, there is a
/// bound:
/// - a country of more than ``mostCellsOfCountry`` takes the area of its polygons, integrated along
///   the borders;
/// - a region or city that is too large for ``mostTiles`` or ``mostCellsOfCity`` is counted on a
///   grid of cells twice, four, … times as wide.
///
/// Cells along a border are in or out, so either is wrong by about the square root of their number:
/// of a million cells some 4 000 are at the border, and 60 of a million are 0.006 %.
/// ``GroundShare/percentage`` ends at 100.
struct LandSurvey {
  private let grid: Grid
  private let geocoder: Geocoder

  /// Cells (of the equator's size) up to which those of a country are counted: 5 600 km² at 150 m.
  static let mostCellsOfCountry = 1_000_000
  /// Tiles around a region up to which its cells are counted on the grid itself: at 150 m and 45°
  /// some 130 000 km².
  static let mostTiles = 8_000
  /// Cells of the box around a city likewise: the largest disc, of 25 km, has 900 000 at 60°.
  static let mostCellsOfCity = 1_000_000
  /// Tiles of a grid up to which the land of the Earth is counted: from an exploration radius of 9
  /// km on.
  static let mostTilesOfEarth = 10_000

  init(grid: Grid, geocoder: Geocoder) {
    self.grid = grid
    self.geocoder = geocoder
  }

  // MARK: The Earth and countries

  /// All land in square kilometers: of the Earth's cells where they are few, else of its polygons.
  var landAreaOfEarthSquareKilometers: Double {
    guard grid.tileCount <= Self.mostTilesOfEarth else {
      return geocoder.worldLandAreaSquareKilometers
    }
    let tally = tally(ofTiles: 0..<Int64(grid.tileCount), by: nil, on: grid)
    return tally.total.landAreaSquareKilometers
  }

  /// The land of a country in square kilometers; nil where it is not in the data.
  ///
  /// - Complexity: some milliseconds for a country that is counted.
  func landAreaSquareKilometers(of country: CountryIndex) -> Double? {
    guard let area = geocoder.landAreaSquareKilometers(of: country) else { return nil }
    if area > Double(Self.mostCellsOfCountry) * cellAreaSquareKilometers { return area }
    let keys = keys(touching: geocoder.boxes(around: country), on: grid)
    let tally = tally(ofTiles: keys, by: .country, on: grid)
    return tally.grounds[PlaceKey(country: country)]?.landAreaSquareKilometers ?? 0
  }

  /// The area of a cell at the equator, the largest there is.
  private var cellAreaSquareKilometers: Double {
    let height = grid.stepDegrees * .pi / 180 * AuthalicSphere.radiusMeters / 1000
    return height * height
  }

  // MARK: Regions

  /// The land of regions, or of what of a country has none, in square kilometers.
  ///
  /// Neighbors have borders and coasts in common, so all are counted together.
  ///
  /// - Complexity: a lookup for each tile around them, and one for each row of those along borders
  ///   and coasts: some 10 ms for a region, at most some 50.
  func landAreasSquareKilometers(of regions: some Sequence<PlaceKey>) -> [PlaceKey: Double] {
    var wanted: [Grid: (regions: [PlaceKey], tiles: Set<Int64>)] = [:]
    for region in regions {
      guard let country = region.country else { continue }
      let boxes = geocoder.boxes(around: region.region, in: country)
      let grid = gridForBoxes(boxes)
      wanted[grid, default: ([], [])].regions.append(region)
      for box in boxes { wanted[grid]?.tiles.formUnion(grid.tileKeys(touching: box)) }
    }
    var areas: [PlaceKey: Double] = [:]
    for (grid, wanted) in wanted {
      let tally = tally(ofTiles: wanted.tiles.sorted(), by: .region, on: grid)
      for region in wanted.regions {
        areas[region] = tally.grounds[region]?.landAreaSquareKilometers ?? 0
      }
    }
    return areas
  }

  /// The grid itself, or one whose cells are as many times as wide as the number of tiles asks for.
  private func gridForBoxes(_ boxes: [BoundingBox]) -> Grid {
    coarsened { grid in
      let side = 64 * grid.stepDegrees
      let tiles = boxes.reduce(0) { sum, box in
        sum + (box.north - box.south) / side * (box.east - box.west) / side
      }
      return tiles <= Double(Self.mostTiles)
    }
  }

  /// The first of the grids with cells once, twice, four … times as wide that is coarse enough.
  private func coarsened(until isCoarseEnough: (Grid) -> Bool) -> Grid {
    var coarse = grid
    while !isCoarseEnough(coarse) {
      guard let next = try? Grid(explorationRadiusMeters: 2 * coarse.explorationRadiusMeters) else {
        break
      }
      coarse = next
    }
    return coarse
  }

  // MARK: Cities

  /// The land of a city in square kilometers: of the cells whose place it is and that lie within
  /// its limits.
  ///
  /// - Complexity: a lookup for each cell around the disc, some 500 for a town of 10 000 people,
  ///   and at most ``mostCellsOfCity``.
  func landAreaSquareKilometers(of city: CityIndex) -> Double {
    guard let center = geocoder.coordinate(of: city) else { return 0 }
    let box = BoundingBox(
      around: center, radiusMeters: geocoder.cityLimitsRadiusMeters(of: city))
    let grid = coarsened { CellBox(grid: $0, box: box).cellCount <= Self.mostCellsOfCity }
    let cells = CellBox(grid: grid, box: box)
    var tally = GroundTally(grid: grid, geocoder: geocoder, level: .city, isLandOnly: true)
    for key in grid.tileKeys(touching: box) {
      tally.add(cells.clipped(grid.fullTile(at: key), at: key), at: key)
    }
    return tally.grounds.reduce(0) {
      $1.key.city == city ? $0 + $1.value.landAreaSquareKilometers : $0
    }
  }

  // MARK: Tiles

  private func keys(touching boxes: [BoundingBox], on grid: Grid) -> [Int64] {
    var keys: Set<Int64> = []
    for box in boxes { keys.formUnion(grid.tileKeys(touching: box)) }
    return keys.sorted()
  }

  /// The land of all cells of some tiles.
  private func tally(
    ofTiles keys: some Sequence<Int64>, by level: PlaceLevel?, on grid: Grid
  ) -> GroundTally {
    var tally = GroundTally(grid: grid, geocoder: geocoder, level: level, isLandOnly: true)
    for key in keys { tally.addAllCells(ofTile: key) }
    return tally
  }
}

import GeoStore
import Geocode
import Geodesy
import GridHash

/// The land area of places as the coverage counts it: the denominators of percentages.
///
/// Every cell that may belong to a place is given to the same ``GroundTally`` that adds up the
/// explored area, so a place with every cell explored shows exactly 100 %, whatever rule assigns
/// its cells. For a place with too many cells to count, there is a bound:
/// - a country of more than ``mostCellsOfCountry`` cells uses the area of its polygons, integrated
///   along the borders;
/// - a region or city that is too large for ``mostTiles`` or ``mostCellsOfCity`` is counted on a
///   grid with cells twice, four, … times as wide.
///
/// Each cell along a border is either in or out, so both methods are wrong by about the square root
/// of the number of border cells: of a million cells some 4 000 are at the border, and 60 of a
/// million are 0.006 %. ``GroundShare/percentage`` is limited to 100.
struct LandSurvey {
  private let grid: Grid
  private let geocoder: Geocoder

  /// The maximum number of cells (of the equator's size) for which a country is counted cell by
  /// cell: 5 600 km² at 150 m.
  static let mostCellsOfCountry = 1_000_000
  /// The maximum number of tiles around a region for which its cells are counted on the grid
  /// itself: some 130 000 km² at 150 m and 45°.
  static let mostTiles = 8_000
  /// The same for the cells of the box around a city: the largest disc, of 25 km, has 900 000 at
  /// 60°.
  static let mostCellsOfCity = 1_000_000
  /// The maximum number of tiles of a grid for which the land of the Earth is counted cell by cell:
  /// exploration radii of 9 km and more.
  static let mostTilesOfEarth = 10_000

  init(grid: Grid, geocoder: Geocoder) {
    self.grid = grid
    self.geocoder = geocoder
  }

  // MARK: The Earth and countries

  /// All land in square kilometers: of the Earth's cells if there are few, otherwise of its
  /// polygons.
  var landAreaOfEarthSquareKilometers: Double {
    guard grid.tileCount <= Self.mostTilesOfEarth else {
      return geocoder.worldLandAreaSquareKilometers
    }
    let tally = tally(ofTiles: Array(0..<Int64(grid.tileCount)), by: nil, on: grid)
    return tally.total.landAreaSquareKilometers
  }

  /// The land of a country in square kilometers; nil if the country is not in the data.
  ///
  /// - Complexity: some milliseconds for a country that is counted cell by cell.
  func landAreaSquareKilometers(of country: CountryIndex) -> Double? {
    guard let area = geocoder.landAreaSquareKilometers(of: country) else { return nil }
    if area > Double(Self.mostCellsOfCountry) * cellAreaSquareKilometers { return area }
    let keys = keys(touching: geocoder.boxes(around: country), on: grid)
    let tally = tally(ofTiles: keys, by: .country, on: grid)
    return tally.grounds[PlaceKey(country: country)]?.landAreaSquareKilometers ?? 0
  }

  /// The area of a cell at the equator, where cells are largest.
  private var cellAreaSquareKilometers: Double {
    let height = grid.stepDegrees * .pi / 180 * AuthalicSphere.radiusMeters / 1000
    return height * height
  }

  // MARK: Regions

  /// The land of regions in square kilometers. A key without a region stands for the part of its
  /// country that belongs to no region.
  ///
  /// Neighbors share borders and coasts, so all are counted together.
  ///
  /// - Complexity: a lookup for each tile around them, and one for each row of the tiles along
  ///   borders and coasts: some 10 ms for a region, at most some 50.
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

  /// The grid itself, or one with cells wide enough to limit the number of tiles.
  private func gridForBoxes(_ boxes: [BoundingBox]) -> Grid {
    coarsened { grid in
      let side = 64 * grid.stepDegrees
      let tiles = boxes.reduce(0) { sum, box in
        sum + (box.north - box.south) / side * (box.east - box.west) / side
      }
      return tiles <= Double(Self.mostTiles)
    }
  }

  /// The first coarse enough grid among those with cells once, twice, four … times as wide.
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

  /// The land of a city in square kilometers: the land cells whose place is the city and that lie
  /// within its limits.
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

  /// Adds up the land of all cells of some tiles.
  private func tally(
    ofTiles keys: [Int64], by level: PlaceLevel?, on grid: Grid
  ) -> GroundTally {
    var tally = GroundTally(grid: grid, geocoder: geocoder, level: level, isLandOnly: true)
    tally.addAllCells(ofTiles: keys)
    return tally
  }
}

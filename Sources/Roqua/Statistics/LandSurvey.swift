import GeoStore
import Geocode
import Geodesy
import GridHash

/// The land of a country or region as the coverage counts it: cells of the grid whose centre lies there and is land. It
/// is the denominator of percentages, counted by the same questions as what is explored, so that 100 % can be reached.
///
/// Where a tile lies wholly inside or outside it is one question. Along borders and coasts each cell is asked, as long
/// as these tiles are few; where they are many, one cell in 4, 16 or 64 stands for the block around it, so that a
/// region takes some 130 000 questions and not millions. A border passes about 8 of the 64 blocks of a tile, each of
/// which is wrong by a quarter of itself or so, to either side: √8 · ¼ ÷ 64 ≈ 1 % of a tile. Errors of n tiles add up
/// to √n: for the 512 from which on that happens, a quarter of a tile, 0.05 % of these tiles, and less of a region
/// that has an inside.
struct LandSurvey {
  private let grid: Grid
  private let geocoder: Geocoder

  /// Border tiles in which every cell is asked.
  static let exactTiles = 32

  /// Rows, and columns, of the blocks for which one cell is asked; nil where the number of mixed tiles decides.
  private let blockSide: Int?

  init(grid: Grid, geocoder: Geocoder, blockSide: Int? = nil) {
    self.grid = grid
    self.geocoder = geocoder
    self.blockSide = blockSide
  }

  /// The land of a country in square kilometres; nil where it is not in the data.
  ///
  /// The polygons' own area, integrated along the borders, is taken where there are so many cells that counting them
  /// gives the same: from a million on, of which those at the border, some thousands, are right but for their
  /// square root.
  func landAreaSquareKilometers(of country: CountryIndex) -> Double? {
    guard let area = geocoder.landAreaSquareKilometers(of: country) else { return nil }
    if area > 1e6 * cellAreaSquareKilometers { return area }
    let tiles = Tiles(around: geocoder.boxes(around: country), grid: grid, ground: ground(.country)) {
      $0.country == country
    }
    return land(tiles, blockSide: 1)
  }

  /// The land of a region in square kilometres; nil where the data have no polygon of it.
  ///
  /// Of a region of under 50 000 cells every cell is asked in the tiles where some were found and in those beside them;
  /// of one of under 5 000, which may be islets that lie apart, in all.
  func landAreaSquareKilometers(of region: RegionIndex) -> Double? {
    let boxes = geocoder.boxes(around: region)
    if boxes.isEmpty { return nil }
    var tiles = Tiles(around: boxes, grid: grid, ground: ground(.region)) { $0.region == region }
    let side = blockSide ?? Self.blockSide(mixedTiles: tiles.mixed.count)
    var found: Set<Int64> = []
    let area = land(tiles, blockSide: side) { found.insert($0) }
    guard blockSide == nil, side > 1, area < 5e4 * cellAreaSquareKilometers else { return area }
    if area >= 5e3 * cellAreaSquareKilometers {
      let columns = Int64(grid.tileColumnCount)
      tiles.mixed.removeAll { key in
        // Beside, not on around ±180°: there a tile that was found itself is enough.
        !(Int64(-1)...1).contains { row in
          (Int64(-1)...1).contains { column in found.contains(key + row * columns + column) }
        }
      }
    }
    return land(tiles, blockSide: 1)
  }

  /// The area of a cell at the equator, the largest there is.
  private var cellAreaSquareKilometers: Double {
    let height = grid.stepDegrees * .pi / 180 * AuthalicSphere.radiusMeters / 1000
    return height * height
  }

  private func ground(_ level: PlaceLevel) -> GroundTally {
    GroundTally(grid: grid, geocoder: geocoder, level: level)
  }

  /// The tiles around a place: the area of those that are land of it as a whole, and those that are to be looked at.
  private struct Tiles {
    var squareMeters = 0.0
    var mixed: [Int64] = []
    let boxes: BoxSet
    let ground: GroundTally
    let belongs: (PlaceKey) -> Bool

    init(
      around boxes: [BoundingBox], grid: Grid, ground: GroundTally,
      where belongs: @escaping (PlaceKey) -> Bool
    ) {
      self.boxes = BoxSet(boxes)
      self.ground = ground
      self.belongs = belongs
      var keys: Set<Int64> = []
      for box in boxes { keys.formUnion(grid.tileKeys(touching: box)) }
      for key in keys.sorted() {
        guard let answer = ground.uniformAnswer(ofTile: key) else {
          mixed.append(key)
          continue
        }
        if answer.isLand, belongs(answer.place) {
          squareMeters += grid.areaSquareMeters(of: grid.fullTile(at: key), at: key)
        }
      }
    }
  }

  /// The land in square kilometres, where one cell of each block of mixed tiles is asked. Tells of the tiles with any.
  private func land(
    _ tiles: Tiles, blockSide side: Int, onFound: (Int64) -> Void = { _ in }
  ) -> Double {
    var squareMeters = tiles.squareMeters
    for key in tiles.mixed {
      let land = sampled(tile: key, blockSide: side) { cell in
        guard let center = grid.centerCoordinate(of: cell), tiles.boxes.contains(center) else { return false }
        let answer = tiles.ground.answer(at: cell)
        return answer.isLand && tiles.belongs(answer.place)
      }
      if land.isEmpty { continue }
      onFound(key)
      squareMeters += grid.areaSquareMeters(of: land, at: key)
    }
    return squareMeters / 1e6
  }

  /// Rows, and columns, of the block of cells for which one is asked, where so many tiles are mixed.
  static func blockSide(mixedTiles: Int) -> Int {
    switch mixedTiles {
    case ...exactTiles: 1
    case ...(4 * exactTiles): 2
    case ...(16 * exactTiles): 4
    default: 8
    }
  }

  /// The cells of a tile that are in, where one cell of each block is asked: the one north-east of its middle.
  private func sampled(tile key: Int64, blockSide side: Int, isIn: (Cell) -> Bool) -> Tile {
    var found = Tile()
    let block: UInt64 = (1 << UInt64(side)) - 1
    let first = grid.firstCell(ofTile: key)
    for row in stride(from: 0, to: 64, by: side) {
      for column in stride(from: 0, to: 64, by: side) {
        let cell = Cell(
          row: first.row + Int32(row + side / 2), column: first.column + Int32(column + side / 2))
        // A block may be cut off at the end of the grid.
        guard grid.contains(cell), isIn(cell) else { continue }
        for blockRow in row..<row + side { found[row: blockRow] |= block << UInt64(column) }
      }
    }
    return found.intersection(grid.fullTile(at: key))
  }
}

/// Boxes of one size whose edges are multiples of it, to be asked for the one that holds a point.
private struct BoxSet {
  private let sideE7: Int
  private var numbers: Set<Int> = []

  init(_ boxes: [BoundingBox]) {
    sideE7 = boxes.map { Int($0.eastE7) - Int($0.westE7) }.max() ?? 1
    for box in boxes { numbers.insert(number(latitudeE7: box.southE7, longitudeE7: box.westE7)) }
  }

  private func number(latitudeE7: Int32, longitudeE7: Int32) -> Int {
    // The north pole belongs to the boxes south of it.
    let row = min(Int(latitudeE7) + 900_000_000, 1_799_999_999) / sideE7
    return row * 3_600 + (Int(longitudeE7) + 1_800_000_000) / sideE7
  }

  func contains(_ coordinate: Coordinate) -> Bool {
    numbers.contains(number(latitudeE7: coordinate.latitudeE7, longitudeE7: coordinate.longitudeE7))
  }
}

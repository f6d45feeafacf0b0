import ConcurrentMap
import GeoStore
import Geocode
import Geodesy
import GridHash

/// The explored area of a place.
///
/// ```swift
/// let statistics = try await explorer.statistics(by: [.country])
/// for share in statistics.places[.country] ?? [] {
///   print(share.place.country ?? "no country", share.ground.landAreaSquareKilometers)
/// }
/// ```
public struct ExploredGround: Hashable, Sendable {
  /// The number of cells whose center lies in the place.
  public var cells = 0
  /// The area of these cells in square kilometers.
  public var areaSquareKilometers = 0.0
  /// The area of those of the cells that are land, in square kilometers; for a city, of the land
  /// cells within its limits.
  public var landAreaSquareKilometers = 0.0

  /// Creates an area of no cells.
  package init() {}

  static func + (left: ExploredGround, right: ExploredGround) -> ExploredGround {
    var sum = left
    sum += right
    return sum
  }

  static func += (left: inout ExploredGround, right: ExploredGround) {
    left.cells += right.cells
    left.areaSquareKilometers += right.areaSquareKilometers
    left.landAreaSquareKilometers += right.landAreaSquareKilometers
  }
}

/// Adds up cells by the place of their center.
///
/// The same type adds up the explored area and the denominator, so a place with every cell explored
/// is always explored to 100 %, whatever the rules are.
///
/// Tiles must be added in the order of their keys, so that the same cells give the same numbers to
/// the last bit.
struct GroundTally {
  /// The grid of the cells.
  let grid: Grid
  private let geocoder: Geocoder
  private let level: PlaceLevel?
  private var cutter: TileCutter
  private var fullTileArea = FullTileArea()
  private(set) var grounds: [PlaceKey: ExploredGround] = [:]
  /// The sum over all places.
  private(set) var total = ExploredGround()

  /// Creates an empty tally.
  ///
  /// - Parameters:
  ///   - level: the level at which to distinguish places; nil for none.
  ///   - isLandOnly: true to leave out cells that are not land.
  init(grid: Grid, geocoder: Geocoder, level: PlaceLevel?, isLandOnly: Bool = false) {
    self.grid = grid
    self.geocoder = geocoder
    self.level = level
    cutter = TileCutter(grid: grid, geocoder: geocoder, level: level, isLandOnly: isLandOnly)
  }

  /// Adds the cells of a tile.
  ///
  /// - Complexity: O(1) lookups if the tile lies in one country or region and is either all land or
  ///   has none; otherwise one for each row and border in it, and for cities one for each cell.
  mutating func add(_ tile: Tile, at key: Int64) {
    for part in parts(of: tile, at: key) { add(part, at: key) }
  }

  /// Adds the cells of some tiles, which all cores divide by place: the same as adding each.
  mutating func add(_ tiles: [(key: Int64, tile: Tile)]) {
    let parts = concurrentMap(tiles, chunk: Self.tilesInChunk, state: self) { tally, tile in
      tally.parts(of: tile.tile, at: tile.key)
    }
    for ((key, _), parts) in zip(tiles, parts) {
      for part in parts { add(part, at: key) }
    }
  }

  /// The tiles that a core divides at a time. Neighbors need the same places.
  private static let tilesInChunk = 16

  /// The cells of a tile by place and by whether they are land.
  ///
  /// - Complexity: see ``add(_:at:)``.
  mutating func parts(of tile: Tile, at key: Int64) -> [TilePart] {
    guard let uniform = uniformAnswer(ofTile: key) else { return cutter.parts(of: tile, at: key) }
    if cutter.isLandOnly, !uniform.isLand { return [] }
    return [TilePart(place: uniform.place, isLand: uniform.isLand, tile: tile)]
  }

  /// Adds every cell of some tiles, which all cores divide by place.
  ///
  /// - Complexity: as ``add(_:at:)`` for each; memory for the parts of ``fullTilesAtOnce``.
  mutating func addAllCells(ofTiles keys: [Int64]) {
    for start in stride(from: 0, to: keys.count, by: Self.fullTilesAtOnce) {
      let some = Array(keys[start..<min(start + Self.fullTilesAtOnce, keys.count)])
      let found = concurrentMap(some, chunk: Self.tilesInChunk, state: self) { tally, key in
        tally.allCells(ofTile: key)
      }
      for parts in found {
        for part in parts { add(part.ground, to: part.place, isLand: part.isLand) }
      }
    }
  }

  /// The full tiles that are divided at a time.
  private static let fullTilesAtOnce = 8_192

  /// Every cell of a tile, by place and by whether it is land.
  private mutating func allCells(
    ofTile key: Int64
  ) -> [(place: PlaceKey, isLand: Bool, ground: ExploredGround)] {
    guard let uniform = uniformAnswer(ofTile: key) else {
      return cutter.parts(of: grid.fullTile(at: key), at: key).map {
        ($0.place, $0.isLand, ground(of: $0.tile, at: key))
      }
    }
    if cutter.isLandOnly, !uniform.isLand { return [] }
    return [(uniform.place, uniform.isLand, fullTileArea.ground(ofTile: key, grid: grid))]
  }

  /// Adds a part of a tile.
  mutating func add(_ part: TilePart, at key: Int64) {
    add(ground(of: part.tile, at: key), to: part.place, isLand: part.isLand)
  }

  private func ground(of tile: Tile, at key: Int64) -> ExploredGround {
    var ground = ExploredGround()
    ground.cells = tile.count
    ground.areaSquareKilometers = grid.areaSquareMeters(of: tile, at: key) / 1e6
    return ground
  }

  private mutating func add(_ ground: ExploredGround, to place: PlaceKey, isLand: Bool) {
    var ground = ground
    if isLand { ground.landAreaSquareKilometers = ground.areaSquareKilometers }
    grounds[place, default: ExploredGround()] += ground
    total += ground
  }

  /// The place and land flag that apply to all cells of a tile; nil if they differ or are not
  /// precise enough.
  private func uniformAnswer(ofTile key: Int64) -> (place: PlaceKey, isLand: Bool)? {
    let box = grid.tileBounds(key)
    guard
      let label = geocoder.uniformLabel(
        south: box.southDegrees, west: box.westDegrees, north: box.northDegrees,
        east: box.eastDegrees)
    else { return nil }
    guard let country = label.country, let level else { return (PlaceKey(), label.isLand) }
    switch level {
    case .country: return (PlaceKey(country: country), label.isLand)
    case .region:
      if cutter.isLandOnly, !label.isLand { return (PlaceKey(country: country), false) }
      return geocoder.uniformRegion(
        south: box.southDegrees, west: box.westDegrees, north: box.northDegrees,
        east: box.eastDegrees,
        in: country
      ).map { (PlaceKey(country: country, region: $0), label.isLand) }
    case .city: return nil
    }
  }
}

/// The area of a full tile, which is the same along a row of tiles except for the last.
struct FullTileArea {
  private var tileRow = -1
  private var known = ExploredGround()

  mutating func ground(ofTile key: Int64, grid: Grid) -> ExploredGround {
    let (row, column) = Int(key).quotientAndRemainder(dividingBy: grid.tileColumnCount)
    if row != tileRow || column == grid.tileColumnCount - 1 {
      let tile = grid.fullTile(at: key)
      tileRow = column == grid.tileColumnCount - 1 ? -1 : row
      known.cells = tile.count
      known.areaSquareKilometers = grid.areaSquareMeters(of: tile, at: key) / 1e6
    }
    return known
  }
}

import GeoStore
import Geocode
import Geodesy
import GridHash

/// How much ground of a place is explored.
public struct ExploredGround: Hashable, Sendable {
  /// Cells whose centre lies there.
  public var cells = 0
  /// Their area in square kilometres.
  public var areaSquareKilometers = 0.0
  /// The area in square kilometres of those that are land; of a city, those that are land inside its limits.
  public var landAreaSquareKilometers = 0.0

  /// Nothing.
  public init() {}

  static func += (left: inout ExploredGround, right: ExploredGround) {
    left.cells += right.cells
    left.areaSquareKilometers += right.areaSquareKilometers
    left.landAreaSquareKilometers += right.landAreaSquareKilometers
  }
}

/// Adds up explored cells by the place in which their centre lies.
///
/// Give it the tiles in the order of their keys: the same cells then give the same numbers, to the last bit.
struct GroundTally {
  private let grid: Grid
  private let geocoder: Geocoder
  private let level: PlaceLevel?
  private(set) var grounds: [PlaceKey: ExploredGround] = [:]
  /// All ground together.
  private(set) var total = ExploredGround()

  /// Nothing added yet.
  ///
  /// - Parameter level: how finely to tell places apart; nil for not at all.
  init(grid: Grid, geocoder: Geocoder, level: PlaceLevel?) {
    self.grid = grid
    self.geocoder = geocoder
    self.level = level
  }

  /// The cells of one tile that have one answer.
  private struct Part {
    let place: PlaceKey
    let isLand: Bool
    var tile = Tile()
  }

  /// Adds the cells of a tile.
  ///
  /// - Complexity: O(1) lookups where the tile lies in one country or region and is all land or none; else, and for
  ///   cities, one for each cell.
  mutating func add(_ tile: Tile, at key: Int64) {
    if let uniform = uniformAnswer(ofTile: key) {
      add(Part(place: uniform.place, isLand: uniform.isLand, tile: tile), at: key)
    } else {
      for part in parts(of: tile, at: key) { add(part, at: key) }
    }
  }

  private mutating func add(_ part: Part, at key: Int64) {
    var ground = ExploredGround()
    ground.cells = part.tile.count
    ground.areaSquareKilometers = grid.areaSquareMeters(of: part.tile, at: key) / 1e6
    if part.isLand { ground.landAreaSquareKilometers = ground.areaSquareKilometers }
    grounds[part.place, default: ExploredGround()] += ground
    total += ground
  }

  /// The one answer for all cells of a tile, where there is one and it says enough.
  func uniformAnswer(ofTile key: Int64) -> (place: PlaceKey, isLand: Bool)? {
    let box = grid.tileBounds(key)
    guard
      let label = geocoder.uniformLabel(
        south: box.southDegrees, west: box.westDegrees, north: box.northDegrees, east: box.eastDegrees)
    else { return nil }
    guard let country = label.country, let level else { return (PlaceKey(), label.isLand) }
    switch level {
    case .country: return (PlaceKey(country: country), label.isLand)
    case .region:
      return geocoder.uniformRegion(
        south: box.southDegrees, west: box.westDegrees, north: box.northDegrees, east: box.eastDegrees,
        in: country
      ).map { (PlaceKey(country: country, region: $0), label.isLand) }
    case .city: return nil
    }
  }

  /// A tile cut up by the answers at the centres of its cells.
  private func parts(of tile: Tile, at key: Int64) -> [Part] {
    var parts: [Part] = []
    var last = 0  // neighbours mostly have one answer
    let first = grid.firstCell(ofTile: key)
    for row in 0..<64 {
      var bits = tile[row: row]
      while bits != 0 {
        let bit = bits.trailingZeroBitCount
        bits &= bits - 1
        let cell = Cell(row: first.row + Int32(row), column: first.column + Int32(bit))
        let (place, isLand) = answer(at: cell)
        if !parts.indices.contains(last) || parts[last].place != place || parts[last].isLand != isLand {
          last = parts.firstIndex { $0.place == place && $0.isLand == isLand } ?? parts.count
          if last == parts.count { parts.append(Part(place: place, isLand: isLand)) }
        }
        parts[last].tile[row: row] |= 1 << UInt64(bit)
      }
    }
    return parts
  }

  /// Where the centre of a cell lies, and whether it is land.
  func answer(at cell: Cell) -> (place: PlaceKey, isLand: Bool) {
    let center = grid.center(of: cell)
    guard
      let coordinate = try? Coordinate(
        latitudeDegrees: center.latitudeDegrees, longitudeDegrees: center.longitudeDegrees)
    else { return (PlaceKey(), false) }  // a centre is always a position
    let place = PlaceKey(at: coordinate, level: level, geocoder: geocoder)
    let isInside = place.city.map { CityLimits.hold(coordinate, of: $0, geocoder: geocoder) } ?? true
    return (place, isInside && geocoder.isLand(at: coordinate))
  }
}

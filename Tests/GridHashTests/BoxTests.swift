import Geodesy
import TestSupport
import Testing

@testable import GridHash

@Suite struct BoxTests {
  /// Whole degrees, at which the centers of a grid of 111 km (half a degree) are, and values
  /// between them.
  private static func randomBox(using random: inout SplitMix64) throws -> BoundingBox {
    func angle(_ limit: Double) -> Double {
      Bool.random(using: &random)
        ? Double.random(in: -limit...limit, using: &random).rounded()
        : Double.random(in: -limit...limit, using: &random)
    }
    let latitudes = [angle(90), angle(90)].sorted()
    return try BoundingBox(
      south: latitudes[0], west: angle(180), north: latitudes[1], east: angle(180))
  }

  /// Exploration radii of three grids: steps of 0.25° (55 500 m), so that centers lie at odd
  /// multiples of 0.125°; a grid with a clipped last row and column; the coarsest grid.
  private static let grids: [Double] = [55_500, 70_000, 100_000]

  @Test(arguments: Seeds.sample(40))
  func `a box contains the cells whose centers are in it`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let grid = try Grid(explorationRadiusMeters: Self.grids[Int(seed % 3)])
    let box = try Self.randomBox(using: &random)
    let cells = CellBox(grid: grid, box: box)
    var count = 0
    var area = 0.0
    for row in 0..<Int32(grid.rowCount) {
      // One column in seven, and all that the box contains.
      for column in 0..<Int32(grid.columnCount) {
        let cell = Cell(row: row, column: column)
        guard cells.contains(cell) || (column + row) % 7 == 0 else { continue }
        let center = grid.center(of: cell)
        let coordinate = try Coordinate(
          latitudeDegrees: center.latitudeDegrees, longitudeDegrees: center.longitudeDegrees)
        #expect(box.contains(coordinate) == cells.contains(cell), "\(cell) of \(box)")
        if cells.contains(cell) {
          count += 1
          area += grid.areaSquareMeters(of: cell)
        }
      }
    }
    #expect(cells.cellCount == count)
    #expect(abs(cells.areaSquareMeters - area) <= 1e-9 * max(1, area))
  }

  @Test(arguments: Seeds.sample(20))
  func `clipping a coverage keeps the cells of the box`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let grid = try Grid(explorationRadiusMeters: Self.grids[Int(seed % 3)])
    var coverage = Coverage(grid: grid)
    for _ in 0..<2_000 {
      coverage.insert(
        Cell(
          row: Int32.random(in: 0..<Int32(grid.rowCount), using: &random),
          column: Int32.random(in: 0..<Int32(grid.columnCount), using: &random)))
    }
    let box = CellBox(grid: grid, box: try Self.randomBox(using: &random))
    #expect(
      coverage.intersection(box) == Coverage(coverage.allCells.filter(box.contains), grid: grid))
  }

  @Test func `a box without height or width contains a cell only if a center is on it`() throws {
    // Steps of 0.25°: centers at 0.125°, 0.375°, …
    let grid = try Grid(explorationRadiusMeters: 55_500)
    let beside = CellBox(grid: grid, box: try BoundingBox(south: 1, west: 1, north: 1, east: 1))
    #expect(beside.cellCount == 0 && beside.tileKeys == nil && beside.areaSquareMeters == 0)
    let on = CellBox(
      grid: grid, box: try BoundingBox(south: 1.125, west: 1.125, north: 1.125, east: 1.125))
    #expect(on.cellCount == 1)
    let all = CellBox(grid: grid, box: .world)
    #expect(all.cellCount == grid.cellCount)
    #expect(abs(all.areaSquareMeters / AuthalicSphere.areaSquareMeters - 1) < 1e-12)
  }

  @Test(arguments: Seeds.sample(60))
  func `the column span is the shortest run around the Earth`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let grid = try Grid(explorationRadiusMeters: 100_000)
    let count = Int32(grid.columnCount)
    let middle = Int32.random(in: 0..<count, using: &random)
    let reach = Int32.random(in: 0..<count / 2, using: &random)
    let columns = (0..<Int.random(in: 1...12, using: &random)).map { _ in
      (middle + Int32.random(in: -reach...reach, using: &random) + count) % count
    }
    let coverage = Coverage(columns.map { Cell(row: 7, column: $0) }, grid: grid)
    let span = try #require(coverage.columnSpan)
    func length(_ west: Int32, _ east: Int32) -> Int32 { (east - west + count) % count + 1 }
    for column in columns {
      #expect(length(span.west, column) <= length(span.west, span.east), "\(column) is outside")
    }
    // No run that starts at another column is shorter.
    for west in columns {
      let needed = columns.map { length(west, $0) }.max() ?? 0
      #expect(needed >= length(span.west, span.east))
    }
  }

  @Test func `bounds contain all cells, and cross ±180° if that is shorter`() throws {
    #expect(Coverage().bounds == nil)
    var fiji = Coverage()
    for longitude in [179.95, -179.95] { fiji.mark(discAround: Coordinate(-16.8, longitude)) }
    let bounds = try #require(fiji.bounds)
    #expect(bounds.crossesAntimeridian)
    #expect(abs(bounds.west - 179.948) < 0.001 && abs(bounds.east + 179.948) < 0.001)
    #expect(CellBox(grid: .standard, box: bounds).cellCount < 60_000)
    #expect(fiji.intersection(CellBox(grid: .standard, box: bounds)) == fiji)

    var pole = Coverage()
    pole.mark(discAround: Coordinate(90, 0))
    #expect(pole.bounds?.west == -180 && pole.bounds?.east == 180 && pole.bounds?.north == 90)
  }

  @Test(arguments: Seeds.sample(6))
  func `the tiles that touch a box are those of its points`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let grid = try Grid(explorationRadiusMeters: 20_000)
    let box = try Self.randomBox(using: &random)
    let keys = Set(grid.tileKeys(touching: box))
    for key in 0..<Int64(grid.tileCount) {
      // Edges in E7, like those of the box; a tile includes its southern and western edges.
      let bounds = grid.tileBounds(key)
      let touchesRows = bounds.southDegrees <= box.north && bounds.northDegrees > box.south
      let touches = box.longitudeRangesE7.contains { range in
        bounds.westDegrees <= Double(range.upperBound) / 1e7
          && (bounds.eastDegrees > Double(range.lowerBound) / 1e7 || bounds.eastDegrees == 180)
      }
      if keys.contains(key) {
        #expect(touchesRows || box.south == 90, "\(key)")
      } else {
        #expect(!(touchesRows && touches), "\(key)")
      }
      #expect(
        grid.fullTile(at: key).count
          == CellBox(grid: grid, box: .world).clipped(grid.fullTile(at: key), at: key).count)
    }
    #expect(
      (0..<Int64(grid.tileCount)).reduce(0) { $0 + grid.fullTile(at: $1).count } == grid.cellCount)
  }

  @Test(arguments: Seeds.sample(12))
  func `the nearest frontier cells are the nearest of all frontier cells`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var coverage = Coverage()
    let walk = track(40, latitude: seed % 3 == 0 ? 80...85 : -60...60, using: &random)
    for coordinate in walk { coverage.mark(discAround: coordinate) }
    for point in [
      walk[20], walk[0].randomNeighbor(within: 5_000, using: &random), .random(using: &random),
    ] {
      let limit = Int.random(in: 1...9, using: &random)
      let box = CellBox(
        grid: .standard,
        box: seed % 2 == 0 ? .world : BoundingBox(around: walk[30], radiusMeters: 400))
      let found = coverage.nearestFrontier(to: point, limit: limit, in: box)
      let expected = coverage.frontier.filter(box.contains)
        .map { (Grid.standard.centerCoordinate(of: $0)?.distanceMeters(to: point) ?? -1, $0) }
        .sorted { $0 < $1 }
        .prefix(limit)
      #expect(found.map(\.cell) == expected.map(\.1))
      #expect(found.map(\.distanceMeters) == expected.map(\.0))
    }
    #expect(coverage.nearestFrontier(to: walk[0], limit: 0).isEmpty)
  }

  @Test func `cells added without a period do not count toward any period`() {
    var ground = NewlyExplored<Int>(grid: .standard)
    let first = Coordinate(41, 29)
    ground.mark(discAround: first, in: 2024)
    var brought = Coverage()
    brought.mark(discAround: first)
    let overlap = brought.count
    brought.mark(discAround: Coordinate(42, 29))
    ground.add(brought, in: nil)
    let gains = ground.gains
    #expect(gains[2024]?.cells == overlap)
    #expect(gains[nil]?.cells == brought.count - overlap)
    #expect(ground.coverage == brought)
    let area = gains.values.reduce(0) { $0 + $1.areaSquareMeters }
    #expect(abs(area - brought.areaSquareMeters) < 1e-9 * area)
  }
}

import Geodesy
import TestSupport
import Testing

@testable import GridHash

/// Shapes found tile by tile, compared with those of a coverage in memory.
@Suite struct SurveyTests {
  /// Blobs on the coarsest grid, where edges and poles are near, or tracks on a finer one.
  private func coverage(_ seed: UInt64, using random: inout SplitMix64) throws -> Coverage {
    if seed % 2 == 0 {
      var cells: Set<Cell> = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        cells.formUnion(ShapeTests.blobs(using: &random))
      }
      return Coverage(cells, grid: ShapeTests.grid)
    }
    var coverage = Coverage(grid: try Grid(explorationRadiusMeters: seed % 3 == 0 ? 150 : 9_999))
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      coverage.mark(contentsOf: track(200, latitude: -89...89, using: &random))
    }
    coverage.mark(discAround: Coordinate(.random(in: -90...90, using: &random), 180))
    return coverage
  }

  @Test(arguments: Seeds.sample(40))
  func `a survey finds the same shapes tile by tile as the whole coverage`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let coverage = try coverage(seed, using: &random)
    let point = Coordinate.random(using: &random)
    let limit = Int.random(in: 0...12, using: &random)
    for center in [nil, point] {
      var survey = CoverageSurvey(grid: coverage.grid, frontierLimit: limit, nearestTo: center)
      for (key, tile) in coverage.tiles { #expect(survey.add(tile, at: key) == tile) }
      let shapes = survey.finish()
      #expect(shapes.bounds == coverage.bounds)
      #expect(shapes.largestSquare == coverage.largestSquare)
      #expect(shapes.largestCluster == coverage.largestCluster)
      #expect(shapes.frontierCount == coverage.frontier.reduce(0) { count, _ in count + 1 })
      if let center {
        #expect(shapes.firstFrontierCells.isEmpty)
        #expect(shapes.nearestFrontier == coverage.nearestFrontier(to: center, limit: limit))
      } else {
        #expect(shapes.nearestFrontier.isEmpty)
        #expect(shapes.firstFrontierCells == Array(coverage.frontier.prefix(limit)))
      }
    }
  }

  @Test(arguments: Seeds.sample(40))
  func `a survey of a box finds the shapes of the cells in the box`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let all = try coverage(seed, using: &random)
    let corner = try #require(all.cells.first { _ in true })
    let center = try #require(all.grid.centerCoordinate(of: corner))
    let box = CellBox(
      grid: all.grid,
      box: seed % 5 == 0
        ? .world
        : BoundingBox(around: center, radiusMeters: 20 * all.grid.explorationRadiusMeters))
    let inside = all.intersection(box)
    let frontier = all.frontier.filter(box.contains)
    for nearest in [nil, center] {
      var survey = CoverageSurvey(grid: all.grid, in: box, frontierLimit: 7, nearestTo: nearest)
      var found = Coverage(grid: all.grid)
      for (key, tile) in all.tiles { found.insert(survey.add(tile, at: key), at: key) }
      let shapes = survey.finish()
      #expect(found == inside)
      #expect(shapes.bounds == inside.bounds)
      #expect(shapes.largestSquare == inside.largestSquare)
      #expect(shapes.largestCluster == inside.largestCluster)
      #expect(shapes.frontierCount == frontier.count)
      if nearest == nil {
        #expect(shapes.firstFrontierCells == Array(frontier.prefix(7)))
      } else {
        #expect(shapes.nearestFrontier == all.nearestFrontier(to: center, limit: 7, in: box))
      }
    }
  }

  @Test(arguments: Seeds.sample(20))
  func `cell count, tile count and area are identical to the last bit`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let coverage = try coverage(seed, using: &random)
    var size = CoverageSize(grid: coverage.grid)
    for (key, tile) in coverage.tiles { size.add(tile, at: key) }
    #expect(size.cells == coverage.count)
    #expect(size.tiles == coverage.tileCount)
    #expect(size.areaSquareMeters == coverage.areaSquareMeters)
    // Reading the area changes nothing.
    #expect(size.areaSquareMeters == coverage.areaSquareMeters)
  }

  @Test func `the world has no frontier, and an empty coverage has no shapes`() {
    let grid = ShapeTests.grid
    var survey = CoverageSurvey(grid: grid, frontierLimit: 5)
    for key in 0..<Int64(grid.tileCount) { survey.add(grid.fullTile(at: key), at: key) }
    let world = survey.finish()
    #expect(world.frontierCount == 0 && world.firstFrontierCells.isEmpty)
    #expect(world.largestSquare?.side == 400)
    #expect(world.largestCluster?.cells == grid.cellCount)
    #expect(world.bounds == .world)
    var nothing = CoverageSurvey(grid: grid, frontierLimit: 5)
    let none = nothing.finish()
    #expect(none.bounds == nil && none.largestSquare == nil && none.largestCluster == nil)
    #expect(none.frontierCount == 0 && CoverageSize(grid: grid).areaSquareMeters == 0)
  }
}

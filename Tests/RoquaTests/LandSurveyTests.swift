import GeoStore
import Geocode
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import Roqua

@Suite struct LandSurveyTests {
  let folder: TemporaryFolder
  let explorer: Explorer
  init() throws {
    folder = try TemporaryFolder()
    explorer = try Explorer(storePath: folder.file("s.sqlite"))
  }

  /// Every cell of some boxes whose centre fits.
  private func coverage(
    of boxes: [BoundingBox], grid: Grid, where fits: (Coordinate) -> Bool
  ) throws -> Coverage {
    var coverage = Coverage(grid: grid)
    for box in boxes {
      let cells = CellBox(grid: grid, box: box)
      for key in grid.tileKeys(touching: box) {
        var tile = cells.clipped(grid.fullTile(at: key), at: key)
        let first = grid.firstCell(ofTile: key)
        for row in 0..<64 {
          for column in 0..<64 where tile[row: row] >> UInt64(column) & 1 == 1 {
            let cell = Cell(row: first.row + Int32(row), column: first.column + Int32(column))
            let center = try #require(grid.centerCoordinate(of: cell))
            if !fits(center) { tile[row: row] &= ~(1 << UInt64(column)) }
          }
        }
        coverage.insert(tile, at: key)
      }
    }
    return coverage
  }

  private func share(_ code: String, of coverage: Coverage) throws -> GroundShare {
    try #require(
      explorer.shares(of: coverage, by: .country).first { $0.place.countryCode == code }, "\(code)")
  }

  @Test(arguments: ["MC", "SM", "VA", "LI", "LU"])
  func `a small country explored to its last cell shows 100 %`(code: String) throws {
    let country = try #require(CountryIndex(code: code))
    let geocoder = explorer.geocoder
    // Luxembourg has 700 000 of the standard cells, too many for an unoptimised test.
    let grid = code == "LU" ? try Grid(explorationRadiusMeters: 400) : .standard
    let all = try coverage(of: geocoder.boxes(around: country), grid: grid) {
      geocoder.countryIndex(at: $0) == country
    }
    let share = try share(code, of: all)
    #expect(all.count == share.ground.cells)
    let percentage = try #require(share.percentage)
    #expect(abs(percentage - 100) < 1e-9, "\(percentage)")
    // And the denominator is what the polygons say, as near as cells can tell: some hundred for Monaco.
    let polygons = try #require(geocoder.landAreaSquareKilometers(of: country))
    let error = abs(try #require(share.totalLandAreaSquareKilometers) / polygons - 1)
    #expect(error < (polygons > 100 ? 0.002 : polygons > 10 ? 0.005 : 0.15), "\(error)")
  }

  @Test func `a country of a million cells shows 100 % too, by the area of its polygons`() throws {
    let country = try #require(CountryIndex(code: "CH"))
    let grid = try Grid(explorationRadiusMeters: 1_500)
    let geocoder = explorer.geocoder
    let area = try #require(geocoder.landAreaSquareKilometers(of: country))
    let survey = LandSurvey(grid: grid, geocoder: geocoder)
    let counted = try #require(survey.landAreaSquareKilometers(of: country))
    #expect(abs(counted / area - 1) < 0.001)
    #expect(counted != area, "counted on this grid")
    #expect(LandSurvey(grid: .standard, geocoder: geocoder).landAreaSquareKilometers(of: country) == area)
  }

  @Test func `of a world explored to its last cell, countries and sea are all`() throws {
    let grid = try Grid(explorationRadiusMeters: 100_000)
    var world = Coverage(grid: grid)
    for key in 0..<Int64(grid.tileCount) { world.insert(grid.fullTile(at: key), at: key) }
    let shares = explorer.shares(of: world, by: .country)
    #expect(shares.reduce(0) { $0 + $1.ground.cells } == grid.cellCount)
    let area = shares.reduce(0) { $0 + $1.ground.areaSquareKilometers }
    #expect(abs(area / (AuthalicSphere.areaSquareMeters / 1e6) - 1) < 1e-9)
    #expect(abs(world.worldPercentage - 100) < 1e-9)
    #expect(abs(world.cellPercentage - 100) < 1e-9)

    // Cells of 50 km do not know every island; whoever has one of land has explored all of it.
    let countries = shares.filter { $0.place.countryCode != nil && $0.ground.landAreaSquareKilometers > 0 }
    #expect(countries.count > 180)
    for share in countries { #expect(abs(try #require(share.percentage) - 100) < 1e-9, "\(share.place)") }
    let land = shares.reduce(0) { $0 + $1.ground.landAreaSquareKilometers }
    #expect(abs(land / explorer.geocoder.worldLandAreaSquareKilometers - 1) < 0.01)
    // At sea there is no denominator.
    #expect(shares.contains { $0.place.countryCode == nil && $0.percentage == nil })
  }

  @Test(arguments: ["Lucerne", "Bremen", "Basel-Stadt"])
  func `a region explored to its last cell shows 100 %`(name: String) throws {
    let geocoder = explorer.geocoder
    let grid = try Grid(explorationRadiusMeters: 1_000)
    let points = [
      "Lucerne": Coordinate(47.05, 8.3), "Bremen": Coordinate(53.08, 8.8),
      "Basel-Stadt": Coordinate(47.56, 7.59),
    ]
    let point = try #require(points[name])
    let region = try #require(geocoder.countryAndRegion(at: point).region)
    // Slivers beyond its polygons too: the boxes, and those around them.
    let boxes = geocoder.boxes(around: region)
    let south = boxes.map(\.south).min().map { $0 - 0.5 } ?? 0
    let north = boxes.map(\.north).max().map { $0 + 0.5 } ?? 0
    let west = boxes.map(\.west).min().map { $0 - 0.5 } ?? 0
    let east = boxes.map(\.east).max().map { $0 + 0.5 } ?? 0
    let around = try BoundingBox(south: south, west: west, north: north, east: east)
    let all = try coverage(of: [around], grid: grid) { geocoder.codes(at: $0).region == region }
    let shares = explorer.shares(of: all, by: .region)
    #expect(shares.count == 1 && shares[0].ground.cells == all.count)
    #expect(abs(try #require(shares.first?.percentage) - 100) < 0.5)
  }

  @Test func `asking fewer cells gives the same land within 0.3 %`() throws {
    let geocoder = explorer.geocoder
    let grid = try Grid(explorationRadiusMeters: 1_000)
    let bavaria = try #require(geocoder.countryAndRegion(at: Coordinate(48.14, 11.58)).region)
    func land(_ side: Int) throws -> Double {
      try #require(
        LandSurvey(grid: grid, geocoder: geocoder, blockSide: side).landAreaSquareKilometers(of: bavaria))
    }
    let exact = try land(1)
    #expect(abs(exact / 70_542 - 1) < 0.01, "the published area")
    for side in [2, 4, 8] { #expect(abs(try land(side) / exact - 1) < 0.003, "\(side)") }
  }

  @Test func `blocks grow with the number of mixed tiles`() {
    let sides = [0, 32, 33, 128, 129, 512, 513].map(LandSurvey.blockSide)
    #expect(sides == [1, 1, 2, 2, 4, 4, 8])
  }

  @Test(arguments: Seeds.sample(3))
  func `the short way to country and region gives what the whole place gives`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let geocoder = explorer.geocoder
    var answered = 0
    for _ in 0..<2_000 {
      let coordinate = Coordinate.random(using: &random)
      let codes = geocoder.codes(at: coordinate)
      let short = geocoder.countryAndRegion(at: coordinate)
      #expect(short.country == codes.country && short.region == codes.region, "\(coordinate)")
      if codes.region != nil { answered += 1 }
      guard let country = codes.country,
        let uniform = geocoder.uniformLabel(
          south: coordinate.latitudeDegrees, west: coordinate.longitudeDegrees,
          north: min(90, coordinate.latitudeDegrees + 0.04),
          east: min(180, coordinate.longitudeDegrees + 0.04)), uniform.country == country,
        let region = geocoder.uniformRegion(
          south: coordinate.latitudeDegrees, west: coordinate.longitudeDegrees,
          north: min(90, coordinate.latitudeDegrees + 0.04),
          east: min(180, coordinate.longitudeDegrees + 0.04), in: country)
      else { continue }
      for _ in 0..<5 {
        let inside = Coordinate(
          min(90, coordinate.latitudeDegrees + .random(in: 0...0.04, using: &random)),
          min(179.999, coordinate.longitudeDegrees + .random(in: 0...0.04, using: &random)))
        #expect(geocoder.codes(at: inside).region == region, "\(inside)")
      }
    }
    #expect(answered > 300)
  }
}

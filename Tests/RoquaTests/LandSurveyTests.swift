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

  /// All cells of the boxes whose center fits.
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

  /// Small countries, each with an exploration radius that keeps the number of cells manageable in
  /// a debug build.
  static let smallCountries: [(code: String, radius: Double)] = [
    ("MC", 150), ("SM", 150), ("VA", 150), ("LI", 300), ("AD", 500), ("MT", 500), ("JE", 500),
    ("LU", 800),
    ("JM", 2_000), ("SI", 4_000),
  ]

  @Test(arguments: Seeds.share(of: smallCountries))
  func `a fully explored small country shows 100 %, and so does each of its regions`(
    code: String, radius: Double
  ) throws {
    let country = try #require(CountryIndex(code: code))
    let geocoder = explorer.geocoder
    let grid = try Grid(explorationRadiusMeters: radius)
    let all = try coverage(of: geocoder.boxes(around: country), grid: grid) {
      geocoder.countryIndex(at: $0) == country
    }
    let share = try share(code, of: all)
    #expect(all.count == share.ground.cells)
    let percentage = try #require(share.percentage)
    #expect(abs(percentage - 100) < 1e-9, "\(percentage)")
    // The total area also matches the polygons as closely as cells allow: a few hundred cells for
    // Monaco.
    let polygons = try #require(geocoder.landAreaSquareKilometers(of: country))
    let error = abs(try #require(share.totalLandAreaSquareKilometers) / polygons - 1)
    #expect(error < (polygons > 1_000 ? 0.005 : polygons > 10 ? 0.02 : 0.15), "\(error)")

    let regions = explorer.shares(of: all, by: .region)
    for region in regions where region.ground.landAreaSquareKilometers > 0 {
      let percentage = try #require(region.percentage, "\(region.place)")
      #expect(percentage <= 100 && percentage > 100 - 1e-9, "\(region.place): \(percentage)")
      // The explored area equals the total area, before any rounding or bound.
      #expect(
        isClose(
          try #require(region.totalLandAreaSquareKilometers), region.ground.landAreaSquareKilometers
        ))
    }
    // The regions partition the country: no land is in two of them or in none.
    let total = regions.compactMap(\.totalLandAreaSquareKilometers).reduce(0, +)
    #expect(isClose(total, try #require(share.totalLandAreaSquareKilometers)))
    let names = Set(regions.map(\.place.region))
    if code == "SM" { #expect(names.contains("Serravalle")) }
    if code == "JM" { #expect(names.contains("Saint Andrew")) }
    if code == "LU" { #expect(names.count == 12, "the cantons, polygon or not") }
  }

  @Test func `two halves of a region without a polygon add up to 100 %`() throws {
    let geocoder = explorer.geocoder
    let grid = try Grid(explorationRadiusMeters: 400)
    let luxembourg = try #require(CountryIndex(code: "LU"))
    // Wiltz: the cells west of a meridian, and those east of it.
    let wiltz = try #require(geocoder.codes(at: Coordinate(49.966, 5.932)).region)
    #expect(geocoder.name(of: wiltz) == "Wiltz")
    let boxes = geocoder.boxes(around: luxembourg)
    let west = try coverage(of: boxes, grid: grid) {
      $0.longitudeDegrees < 5.9 && geocoder.codes(at: $0).region == wiltz
    }
    let east = try coverage(of: boxes, grid: grid) {
      $0.longitudeDegrees >= 5.9 && geocoder.codes(at: $0).region == wiltz
    }
    let halves = try [west, east].map { half in
      let shares = explorer.shares(of: half, by: .region)
      #expect(shares.count == 1 && shares[0].place.region == "Wiltz")
      return try #require(shares.first?.percentage)
    }
    #expect(halves.allSatisfy { $0 > 10 && $0 < 90 }, "\(halves)")
    #expect(abs(halves.reduce(0, +) - 100) < 1e-9, "\(halves)")
  }

  @Test func `the land of a country of a million cells is the area of its polygons`() throws {
    let country = try #require(CountryIndex(code: "CH"))
    let grid = try Grid(explorationRadiusMeters: 1_500)
    let geocoder = explorer.geocoder
    let area = try #require(geocoder.landAreaSquareKilometers(of: country))
    let survey = LandSurvey(grid: grid, geocoder: geocoder)
    let counted = try #require(survey.landAreaSquareKilometers(of: country))
    #expect(abs(counted / area - 1) < 0.001)
    #expect(counted != area, "counted on this grid")
    #expect(
      LandSurvey(grid: .standard, geocoder: geocoder).landAreaSquareKilometers(of: country) == area)
  }

  @Test(arguments: Seeds.share(of: [100_000.0, 18_000]))
  func `a fully explored world shows 100 % for the Earth and for every country`(radius: Double)
    throws
  {
    let grid = try Grid(explorationRadiusMeters: radius)
    var world = Coverage(grid: grid)
    for key in 0..<Int64(grid.tileCount) { world.insert(grid.fullTile(at: key), at: key) }
    let totals = explorer.totals(of: world)
    for percentage in [totals.worldPercentage, totals.landPercentage, totals.cellPercentage] {
      #expect(percentage <= 100 && percentage > 100 - 1e-9, "\(percentage)")
    }
    #expect(
      isClose(totals.landAreaSquareKilometers, totals.landAreaOfEarthSquareKilometers),
      "to the cell")
    let land = explorer.geocoder.worldLandAreaSquareKilometers
    #expect(abs(totals.landAreaOfEarthSquareKilometers / land - 1) < 0.01)
    if radius < 100_000 { return }  // the rest takes long there

    let shares = explorer.shares(of: world, by: .country)
    #expect(shares.reduce(0) { $0 + $1.ground.cells } == grid.cellCount)
    #expect(
      isClose(
        shares.reduce(0) { $0 + $1.ground.areaSquareKilometers },
        AuthalicSphere.areaSquareMeters / 1e6))
    #expect(abs(shares.reduce(0) { $0 + $1.worldPercentage } - 100) < 1e-9)
    #expect(
      isClose(
        shares.reduce(0) { $0 + $1.ground.landAreaSquareKilometers },
        totals.landAreaSquareKilometers))

    // Cells of 50 km miss some islands; a country with at least one land cell is fully explored.
    let countries = shares.filter {
      $0.place.countryCode != nil && $0.ground.landAreaSquareKilometers > 0
    }
    #expect(countries.count > 180)
    for share in countries {
      let percentage = try #require(share.percentage)
      #expect(percentage <= 100 && percentage > 100 - 1e-9, "\(share.place)")
    }
    // The sea has no total land area.
    #expect(shares.contains { $0.place.countryCode == nil && $0.percentage == nil })
  }

  /// Boxes around the areas of `docs/decisions/disputed-areas.md`: each cell counts once, no matter
  /// who claims it.
  @Test(
    arguments: Seeds.share(of: [
      ("Crimea", 45.3, 33.4, 46.3, 35.7), ("Kashmir and Aksai Chin", 33.5, 76.0, 35.2, 79.5),
      ("Western Sahara", 26.7, -9.2, 27.9, -8.4), ("Bir Tawil and Hala'ib", 21.6, 33.0, 23.3, 35.9),
      ("Abyei", 9.3, 27.8, 10.8, 29.2), ("the Ilemi triangle", 4.2, 34.9, 5.6, 36.0),
      ("Cyprus", 34.5, 32.2, 35.8, 34.7), ("Kosovo and its neighbors", 41.8, 20.0, 43.3, 21.9),
      ("the West Bank, Gaza and Golan", 31.0, 34.0, 33.4, 36.0),
      ("the Spratly Islands", 6.0, 111.0, 12.0, 118.0),
      ("the Kuril Islands", 43.3, 145.2, 44.5, 146.5), ("Guantánamo Bay", 19.8, -75.4, 20.1, -75.0),
    ]))
  func `cells in disputed areas are counted once`(
    area: String, south: Double, west: Double, north: Double, east: Double
  ) throws {
    let grid = try Grid(explorationRadiusMeters: 5_000)
    let box = CellBox(
      grid: grid, box: try BoundingBox(south: south, west: west, north: north, east: east))
    var coverage = Coverage(grid: grid)
    for key in grid.tileKeys(touching: box.box) {
      coverage.insert(box.clipped(grid.fullTile(at: key), at: key), at: key)
    }
    let totals = explorer.totals(of: coverage)
    #expect(totals.cells == box.cellCount)
    for level in [PlaceLevel.country, .region, .city] {
      let shares = explorer.shares(of: coverage, by: level)
      #expect(shares.reduce(0) { $0 + $1.ground.cells } == totals.cells, "\(area) by \(level)")
      #expect(
        isClose(
          shares.reduce(0) { $0 + $1.ground.areaSquareKilometers }, totals.areaSquareKilometers))
      #expect(abs(shares.reduce(0) { $0 + $1.worldPercentage } - totals.worldPercentage) < 1e-9)
      let percentages = shares.compactMap(\.percentage)
      #expect(percentages.allSatisfy { (0...100).contains($0) })
      if level != .city {
        #expect(
          isClose(
            shares.reduce(0) { $0 + $1.ground.landAreaSquareKilometers },
            totals.landAreaSquareKilometers))
      }
    }
  }

  @Test(arguments: ["Lucerne", "Bremen", "Basel-Stadt"])
  func `a fully explored region shows 100 %`(name: String) throws {
    let geocoder = explorer.geocoder
    let grid = try Grid(explorationRadiusMeters: 1_000)
    let points = [
      "Lucerne": Coordinate(47.05, 8.3), "Bremen": Coordinate(53.08, 8.8),
      "Basel-Stadt": Coordinate(47.56, 7.59),
    ]
    let point = try #require(points[name])
    let region = try #require(geocoder.countryAndRegion(at: point).region)
    // Include slivers beyond the region's polygons: its boxes and 0.5° around them.
    let boxes = geocoder.boxes(around: region, in: try #require(geocoder.countryIndex(at: point)))
    let south = boxes.map(\.south).min().map { $0 - 0.5 } ?? 0
    let north = boxes.map(\.north).max().map { $0 + 0.5 } ?? 0
    let west = boxes.map(\.west).min().map { $0 - 0.5 } ?? 0
    let east = boxes.map(\.east).max().map { $0 + 0.5 } ?? 0
    let around = try BoundingBox(south: south, west: west, north: north, east: east)
    let all = try coverage(of: [around], grid: grid) {
      geocoder.countryAndRegion(at: $0).region == region
    }
    let shares = explorer.shares(of: all, by: .region)
    #expect(shares.count == 1 && shares[0].ground.cells == all.count)
    let percentage = try #require(shares.first?.percentage)
    #expect(percentage <= 100 && percentage > 100 - 1e-9, "\(percentage)")
  }

  @Test func `a fully explored city of more than 60000 cells shows 100 %`() throws {
    let geocoder = explorer.geocoder
    let munich = try #require(geocoder.codes(at: Coordinate(48.137, 11.575)).city)
    let center = try #require(geocoder.coordinate(of: munich))
    let radius = geocoder.cityLimitsRadiusMeters(of: munich)
    let all = try coverage(of: [BoundingBox(around: center, radiusMeters: radius)], grid: .standard)
    {
      center.distanceMeters(to: $0) <= radius
    }
    #expect(all.count > 60_000)
    let share = try #require(
      explorer.shares(of: all, by: .city).first { $0.place.city == geocoder.name(of: munich) })
    let percentage = try #require(share.percentage)
    #expect(percentage <= 100 && percentage > 100 - 1e-9, "\(percentage)")
    #expect(
      isClose(
        try #require(share.totalLandAreaSquareKilometers), share.ground.landAreaSquareKilometers))
  }

  /// The data have no population for Rumelange. Monaco-Ville and Fontvieille are in the sea
  /// according to Natural Earth.
  @Test(arguments: [
    ("Rumelange", 49.460_28, 6.030_56), ("Fontvieille", 43.729, 7.419),
    ("Monaco-Ville", 43.725, 7.43),
  ])
  func `a fully explored small place shows 100 % of a nonzero land area`(
    name: String, latitude: Double, longitude: Double
  ) throws {
    let geocoder = explorer.geocoder
    let city = try #require(geocoder.codes(at: Coordinate(latitude, longitude)).city)
    let center = try #require(geocoder.coordinate(of: city))
    #expect(geocoder.name(of: city) == name)
    let all = try coverage(of: [BoundingBox(around: center, radiusMeters: 900)], grid: .standard) {
      geocoder.codes(at: $0).city == city
    }
    let share = try #require(explorer.shares(of: all, by: .city).first { $0.place.city == name })
    #expect(share.ground.landAreaSquareKilometers > 0.02)
    let percentage = try #require(share.percentage)
    #expect(percentage <= 100 && percentage > 100 - 1e-9, "\(percentage)")
    #expect(
      isClose(
        try #require(share.totalLandAreaSquareKilometers), share.ground.landAreaSquareKilometers))
  }

  @Test func `a coarser grid gives nearly the same land area`() throws {
    let geocoder = explorer.geocoder
    let country = try #require(CountryIndex(code: "DE"))
    let bremen = PlaceKey(
      country: country, region: geocoder.countryAndRegion(at: Coordinate(53.08, 8.8)).region)
    let town = try #require(geocoder.codes(at: Coordinate(48.463_5, 8.411_3)).city)
    func land(_ radius: Double) throws -> (region: Double, city: Double) {
      let survey = LandSurvey(grid: try Grid(explorationRadiusMeters: radius), geocoder: geocoder)
      return (
        try #require(survey.landAreasSquareKilometers(of: [bremen])[bremen]),
        survey.landAreaSquareKilometers(of: town)
      )
    }
    let (fine, standard) = (try land(1), try land(60))
    #expect(abs(fine.region / standard.region - 1) < 2e-4, "\(fine) \(standard)")
    #expect(abs(fine.city / standard.city - 1) < 5e-3, "\(fine) \(standard)")
  }

  @Test func `the land area of a large region is near its published area`() throws {
    let geocoder = explorer.geocoder
    let bavaria = PlaceKey(
      country: CountryIndex(code: "DE"),
      region: geocoder.countryAndRegion(at: Coordinate(48.9, 11.4)).region)
    let survey = LandSurvey(grid: try Grid(explorationRadiusMeters: 1_000), geocoder: geocoder)
    #expect(
      abs(try #require(survey.landAreasSquareKilometers(of: [bavaria])[bavaria]) / 70_542 - 1)
        < 0.01)
  }

  @Test(arguments: Seeds.sample(3))
  func `the fast lookup of country and region equals the full lookup`(seed: UInt64) throws {
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

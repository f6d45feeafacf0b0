import Geocode
import GeoStore
import Geodesy
import GridHash
import TestSupport
import Testing

@testable import Roqua

/// Statistics compared with sums over single cells.
@Suite struct StatisticsTests {
  @Test func `cells and area equal marking every kept fix in a new coverage`() throws {
    let fixture = try Fixture()
    _ = try fixture.explorer.importTracks(PackageFolder.allSamples())
    var expected = Coverage()
    for fix in try fixture.explorer.keptFixes() { expected.mark(discAround: fix.coordinate) }
    let statistics = try fixture.explorer.statistics()
    #expect(statistics.cells == expected.count)
    let squareMeters = expected.cells.reduce(0) { $0 + expected.grid.areaSquareMeters(of: $1) }
    #expect(isClose(statistics.areaSquareKilometers, squareMeters / 1e6))
    #expect(
      isClose(statistics.worldPercentage, squareMeters / AuthalicSphere.areaSquareMeters * 100))
    #expect(
      isClose(
        statistics.cellPercentage, Double(expected.count) / Double(Grid.standard.cellCount) * 100))
    #expect(statistics.counts.keptFixes == (try fixture.explorer.keptFixes().count))
    #expect(statistics.counts.visitedRegions == (try fixture.explorer.allRegions().count))
    #expect(
      statistics.counts.visits
        == (try fixture.explorer.allRegions().reduce(0) { $0 + $1.visitCount }))
  }

  @Test func `each cell counts toward the country of its center`() throws {
    let fixture = try Fixture()
    _ = try fixture.explorer.importTracks(PackageFolder.allSamples())
    let (geocoder, coverage) = (fixture.explorer.geocoder, try fixture.explorer.coverage())
    var expected: [String?: ExploredGround] = [:]
    for cell in coverage.cells {
      let center = coverage.grid.coordinate(of: cell)
      let area = coverage.grid.areaSquareMeters(of: cell) / 1e6
      var ground = ExploredGround()
      ground.cells = 1
      ground.areaSquareKilometers = area
      ground.landAreaSquareKilometers = geocoder.isLand(at: center) ? area : 0
      expected[geocoder.countryIndex(at: center)?.code, default: ExploredGround()] += ground
    }
    let statistics = try fixture.explorer.statistics(by: [.country])
    let shares = try #require(statistics.places[.country])
    #expect(Set(shares.map(\.place.countryCode)) == Set(expected.keys))
    for share in shares {
      let ground = try #require(expected[share.place.countryCode])
      let name = share.place.countryCode ?? "the sea"
      #expect(share.ground.cells == ground.cells, "\(name)")
      #expect(isClose(share.ground.areaSquareKilometers, ground.areaSquareKilometers), "\(name)")
      #expect(
        isClose(share.ground.landAreaSquareKilometers, ground.landAreaSquareKilometers), "\(name)")
      let country = share.place.countryCode.flatMap { CountryIndex(code: $0) }
      #expect(
        share.totalLandAreaSquareKilometers
          == country.flatMap(geocoder.landAreaSquareKilometers(of:)))
    }
    let land = expected.values.reduce(0) { $0 + $1.landAreaSquareKilometers }
    #expect(isClose(statistics.landAreaSquareKilometers, land))
    #expect(isClose(statistics.landPercentage, land / geocoder.worldLandAreaSquareKilometers * 100))
  }

  @Test func `every breakdown by place adds up to the total, including the sea`() throws {
    let fixture = try Fixture()
    // Out at sea, in no country.
    let sea = try fixture.folder.write(
      TrackText.gpx(from: Coordinate(-45, -130), count: 30), to: "sea.gpx")
    _ = try fixture.explorer.importTracks(Fixture.townSamples + [sea])
    let statistics = try fixture.explorer.statistics(by: [.country, .region, .city])
    for breakdown in [Breakdown.country, .region, .city] {
      let shares = try #require(statistics.places[breakdown])
      #expect(shares.reduce(0) { $0 + $1.ground.cells } == statistics.cells, "\(breakdown)")
      let area = shares.reduce(0) { $0 + $1.ground.areaSquareKilometers }
      #expect(isClose(area, statistics.areaSquareKilometers), "\(breakdown)")
      #expect(shares.reduce(0) { $0 + $1.visitedRegions } == statistics.counts.visitedRegions)
      #expect(shares.reduce(0) { $0 + $1.visits } == statistics.counts.visits)
      let nowhere = try #require(shares.first { $0.place == PlaceNames() })
      #expect(nowhere.visitedRegions == 30)
      #expect(nowhere.percentage == nil)
      #expect(Set(shares.map(\.place)).count == shares.count, "no place twice")
    }
    #expect(statistics.counts.countries == 3)
  }

  @Test func `each cell counts toward the region and city of its center`() throws {
    let fixture = try Fixture()
    _ = try fixture.explorer.importTracks(Fixture.townSamples)
    let (geocoder, coverage) = (fixture.explorer.geocoder, try fixture.explorer.coverage())
    var regions: [PlaceNames: Int] = [:]
    var cities: [PlaceNames: Int] = [:]
    for cell in coverage.cells {
      let place = geocoder.place(at: coverage.grid.coordinate(of: cell))
      var names = PlaceNames(
        countryCode: place.countryCode, country: place.country, regionCode: place.regionCode,
        region: place.region)
      regions[names, default: 0] += 1
      names.city = place.city
      cities[names, default: 0] += 1
    }
    let statistics = try fixture.explorer.statistics(by: [.region, .city])
    for (breakdown, expected) in [(Breakdown.region, regions), (.city, cities)] {
      let shares = try #require(statistics.places[breakdown])
      let found = shares.filter { $0.ground.cells > 0 }.map { ($0.place, $0.ground.cells) }
      #expect(Dictionary(uniqueKeysWithValues: found) == expected, "\(breakdown)")
    }
  }

  @Test func `a fully explored town shows 100 %`() throws {
    let fixture = try Fixture()
    let geocoder = fixture.explorer.geocoder
    // Freudenstadt in the Black Forest, far from the sea and from any border.
    let town = Coordinate(48.463_5, 8.411_3)
    let city = try #require(geocoder.codes(at: town).city)
    let center = try #require(geocoder.coordinate(of: city))
    let radius = geocoder.cityLimitsRadiusMeters(of: city)
    #expect((500...3_000).contains(radius))
    // A fix every 0.001° (111 m north, 74 m east) in a square around the disc.
    let reach = Int((radius + 500) / 74)
    let points = (-reach...reach).flatMap { row in
      (-reach...reach).map { column in
        (
          coordinate: Coordinate(
            center.latitudeDegrees + Double(row) / 1_000,
            center.longitudeDegrees + Double(column) / 1_000),
          time: Timestamp?.none
        )
      }
    }
    let track = try fixture.folder.write(TrackText.gpx(points), to: "town.gpx")
    #expect(try fixture.explorer.importTracks([track]).kept == points.count)
    let shares = try #require(try fixture.explorer.statistics(by: [.city]).places[.city])
    let share = try #require(shares.first { $0.place.city == geocoder.name(of: city) })
    #expect(try isClose(#require(share.percentage), 100))
    // The area of the disc, if no neighbor takes a part of it; cells at its edge are in or out.
    let disc = Double.pi * radius * radius / 1e6
    #expect(try #require(share.totalLandAreaSquareKilometers) < disc * 1.02)
    #expect(try #require(share.totalLandAreaSquareKilometers) > disc * 0.5)
  }

  @Test func `an empty store has no explored area and no breakdowns`() throws {
    let fixture = try Fixture()
    let statistics = try fixture.explorer.statistics(by: Set(Breakdown.allCases))
    #expect(statistics.cells == 0)
    #expect(statistics.areaSquareKilometers == 0)
    #expect(statistics.landPercentage == 0)
    #expect(statistics.places.values.allSatisfy { $0.isEmpty })
    #expect(statistics.periods.values.allSatisfy { $0.isEmpty })
    #expect(statistics.places.count + statistics.periods.count == Breakdown.allCases.count)
  }
}

import Geodesy
import TestSupport
import Testing

@testable import Geocode

@Suite struct PlaceSearchTests {
  let geocoder: Geocoder
  init() throws { geocoder = try Geocoder.bundled }

  /// Points near places, near the antimeridian, and anywhere on land.
  private func points(_ count: Int, seed: UInt64) -> [Coordinate] {
    var random = SplitMix64(seed: seed)
    var points = [
      Coordinate(67.0, 179.9), Coordinate(67.0, -179.9), Coordinate(-16.8, 179.95),
      Coordinate(-16.8, -179.95), Coordinate(31.2, 121.5), Coordinate(78.2, 15.6), Coordinate(40.7, -74.0),
    ]
    while points.count < count {
      if points.count % 3 == 0 {
        let point = Coordinate.random(using: &random)
        if geocoder.isLand(at: point) { points.append(point) }
      } else if let city = geocoder.city(Int.random(in: 0..<geocoder.cityCount, using: &random)),
        let center = geocoder.coordinate(of: city)
      {
        points.append(center.randomNeighbor(within: 20_000, using: &random))
      }
    }
    return points
  }

  @Test func `the search finds what a scan of all places finds`() {
    let places = geocoder.gazetteer.places
    for point in points(45, seed: 1) {
      guard let country = geocoder.countryIndex(at: point)?.rawValue else { continue }
      let search = PlaceSearch(places, at: point, in: country)
      let found = search.match()
      var expected = PlaceMatch()
      for row in 0..<PlacesFile.rowCount where abs(Double(row * PlacesFile.rowUnits) - search.y) < 90_000 {
        for place in places.rowStart(row)..<places.rowStart(row + 1) where places.country(place) == country {
          var x = Double(places.x(place))
          if x - search.x > 18_000_000 {
            x -= 36_000_000
          } else if search.x - x > 18_000_000 {
            x += 36_000_000
          }
          let y = Double(row * PlacesFile.rowUnits + places.yInRow(place))
          expected.visit(
            place, x: x, y: y, flaggedPopulation: places.flaggedPopulation(place),
            squared: search.metric.squared(dx: x - search.x, dy: y - search.y))
        }
      }
      #expect(found.disc.place == expected.disc.place, "\(point)")
      #expect(found.nearestCity.place == expected.nearestCity.place, "\(point)")
      #expect(found.nearest.place == expected.nearest.place, "\(point)")
    }
  }

  @Test func `the city obeys the contract by distances on the ellipsoid`() throws {
    for point in points(600, seed: 2) {
      let codes = geocoder.codes(at: point)
      guard let city = codes.city else { continue }
      let distance = try point.distanceMeters(to: #require(geocoder.coordinate(of: city)))
      #expect(distance < 50_010)
      #expect(geocoder.country(of: city) == codes.country)
      #expect(!geocoder.isPartOfCity(city))
      let radius = geocoder.cityTerritoryRadiusMeters(of: city)
      #expect(radius <= 25_000)
      let place = geocoder.names(of: codes, at: point)
      #expect(place.city == geocoder.name(of: city))
      #expect(place.cityDistanceMeters == distance)
    }
  }

  @Test func `the local metric is near the ellipsoid's distance`() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<2000 {
      let from = Coordinate(Double.random(in: -75...75, using: &random), 10)
      let to = from.randomNeighbor(within: 50_000, using: &random)
      let metric = LocalMetric(latitudeE7: from.latitudeE7)
      let squared = metric.squared(
        dx: Double(to.longitudeE7 - from.longitudeE7) / 100, dy: Double(to.latitudeE7 - from.latitudeE7) / 100
      )
      let exact = from.distanceMeters(to: to)
      #expect(abs(squared.squareRoot() - exact) <= 1e-4 * exact + 0.01)
    }
  }

  @Test(arguments: Seeds.sample(4))
  func `along a track the answers are those of single lookups`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var track = TrackGeocoder(geocoder)
    for start in points(24, seed: seed + 10) {
      var point = start
      for _ in 0..<60 {
        #expect(track.codes(at: point) == geocoder.codes(at: point), "\(point)")
        point = point.randomNeighbor(within: 900, using: &random)
      }
    }
  }

  @Test func `large cities keep their centre and suburbs stay themselves`() {
    let known: [(Double, Double, String)] = [
      (31.2222, 121.4581, "Shanghai"), (41.0138, 28.9497, "Istanbul"), (48.8566, 2.3522, "Paris"),
      (51.5072, -0.1276, "London"), (52.52, 13.405, "Berlin"), (40.7306, -73.9866, "New York City"),
      (48.8453, 2.4440, "Vincennes"), (55.6786, 12.5300, "Frederiksberg"), (52.3906, 13.0645, "Potsdam"),
    ]
    for (latitude, longitude, name) in known {
      #expect(geocoder.place(at: Coordinate(latitude, longitude)).city == name)
    }
  }
}

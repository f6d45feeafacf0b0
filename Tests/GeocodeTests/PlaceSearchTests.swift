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
      Coordinate(-16.8, -179.95), Coordinate(31.2, 121.5), Coordinate(78.2, 15.6),
      Coordinate(40.7, -74.0),
    ]
    while points.count < count {
      if points.count % 3 == 0 {
        let point = Coordinate.random(using: &random)
        if geocoder.isLand(at: point) { points.append(point) }
      } else if let city = geocoder.city(Int.random(in: 0..<geocoder.cityCount, using: &random)),
        let center = geocoder.coordinate(of: city)
      {
        // Near a place, and usually in its disc.
        let meters =
          points.count % 3 == 1 ? 20_000 : max(300, geocoder.cityTerritoryRadiusMeters(of: city))
        points.append(center.randomNeighbor(within: meters, using: &random))
      }
    }
    return points
  }

  /// The relative difference below which the search treats two places as equal: its metric is
  /// accurate to 0.01 % up to 75° of latitude, and slightly less beyond.
  private func slack(_ point: Coordinate) -> Double {
    abs(point.latitudeDegrees) < 75 ? 3e-4 : 3e-3
  }

  @Test func `the search finds the same places as a scan of all places with exact distances`()
    throws
  {
    let scan = PlaceScan(geocoder)
    var (discs, nears, none) = (0, 0, 0)
    for point in points(600, seed: 1) {
      guard let country = geocoder.countryIndex(at: point) else { continue }
      let found = PlaceSearch(geocoder.gazetteer.places, at: point, in: country.rawValue).match()
      let expected = scan.answer(at: point, in: country)
      let slack = slack(point)
      for (found, best) in [
        (found.nearest, expected.nearest), (found.nearestCity, expected.nearestCity),
      ] {
        guard let best, best.meters <= 50_000 * (1 - slack) else {
          #expect(
            found.place < 0 || (best?.meters ?? .infinity) <= 50_000 * (1 + slack), "\(point)")
          none += 1
          continue
        }
        nears += 1
        let entry = try #require(scan.entries[found.place], "\(point)")
        #expect(
          point.distanceMeters(to: entry.coordinate) <= best.meters * (1 + slack) + 0.1, "\(point)")
      }
      if let best = expected.disc, best.ratio <= 1 - slack {
        discs += 1
        let entry = try #require(scan.entries[found.disc.place], "\(point)")
        let ratio = point.distanceMeters(to: entry.coordinate) / entry.radiusMeters
        #expect(ratio <= best.ratio * (1 + slack) + 0.1 / entry.radiusMeters, "\(point)")
        #expect(!entry.isPartOfCity)
      } else if expected.disc == nil, let entry = scan.entries[found.disc.place] {
        let ratio = point.distanceMeters(to: entry.coordinate) / entry.radiusMeters
        #expect(ratio <= 1 + slack, "\(point)")
      }
    }
    #expect(
      discs > 30 && nears > 400 && none > 10, "\(discs) \(nears) \(none): each kind was asked")
  }

  @Test func `the city is the one that the documented rules select`() throws {
    let scan = PlaceScan(geocoder)
    var (inDiscs, nears, none) = (0, 0, 0)
    for point in points(600, seed: 2) {
      let codes = geocoder.codes(at: point)
      guard let country = codes.country else {
        #expect(codes.city == nil)
        continue
      }
      let expected = scan.answer(at: point, in: country)
      let slack = slack(point)
      guard let city = codes.city else {
        #expect(
          expected.disc == nil && (expected.nearestCity?.meters ?? .infinity) > 50_000 * (1 - slack)
        )
        none += 1
        continue
      }
      let entry = try #require(scan.entries[Int(city.rawValue)])
      let meters = point.distanceMeters(to: entry.coordinate)
      #expect(geocoder.country(of: city) == country && !entry.isPartOfCity)
      if let best = expected.disc, best.ratio <= 1 - slack {
        inDiscs += 1
        // The disc covers the point, and no other disc has a smaller distance ÷ radius.
        #expect(meters <= entry.radiusMeters, "\(point)")
        #expect(
          meters / entry.radiusMeters <= best.ratio * (1 + slack) + 0.1 / entry.radiusMeters,
          "\(point)")
      } else if expected.disc == nil, meters > entry.radiusMeters * (1 + slack) {
        nears += 1
        let best = try #require(expected.nearestCity)
        #expect(
          meters <= best.meters * (1 + slack) + 0.1 && meters <= 50_000 * (1 + slack), "\(point)")
      }
      let place = geocoder.names(of: codes, at: point)
      #expect(place.city == geocoder.name(of: city))
      #expect(abs(try #require(place.cityDistanceMeters) - meters) < 0.000_2)
      #expect(abs(geocoder.cityTerritoryRadiusMeters(of: city) - entry.radiusMeters) < 1e-6)
    }
    #expect(
      inDiscs > 30 && nears > 100 && none > 10, "\(inDiscs) \(nears) \(none): each kind was asked")
  }

  @Test func `the limits of a city are its disc, with a minimum radius for small places`() throws {
    var (small, large) = (0, 0)
    for number in stride(from: 0, to: geocoder.cityCount, by: 7) {
      let city = try #require(geocoder.city(number))
      let (limits, disc) = (
        geocoder.cityLimitsRadiusMeters(of: city), geocoder.cityTerritoryRadiusMeters(of: city)
      )
      if geocoder.population(of: city) >= Geocoder.leastCityPopulation {
        #expect(limits == disc)
        large += 1
      } else {
        #expect(abs(limits - 178.41) < 0.01 && disc < limits)
        small += 1
      }
    }
    #expect(small > 1_000 && large > 1_000)
  }

  @Test func `the local metric is near the distance on the ellipsoid`() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<2000 {
      let from = Coordinate(Double.random(in: -75...75, using: &random), 10)
      let to = from.randomNeighbor(within: 50_000, using: &random)
      let metric = LocalMetric(latitudeE7: from.latitudeE7)
      let squared = metric.squared(
        dx: Double(to.longitudeE7 - from.longitudeE7) / 100,
        dy: Double(to.latitudeE7 - from.latitudeE7) / 100
      )
      let exact = from.distanceMeters(to: to)
      #expect(abs(squared.squareRoot() - exact) <= 1e-4 * exact + 0.01)
    }
  }

  @Test(arguments: Seeds.sample(4))
  func `lookups along a track give the same codes as single lookups`(seed: UInt64) {
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

  @Test func `large cities keep their center, and suburbs stay separate`() {
    let known: [(Double, Double, String)] = [
      (31.2222, 121.4581, "Shanghai"), (41.0138, 28.9497, "Istanbul"), (48.8566, 2.3522, "Paris"),
      (51.5072, -0.1276, "London"), (52.52, 13.405, "Berlin"), (40.7306, -73.9866, "New York"),
      (48.8453, 2.4440, "Vincennes"), (55.6786, 12.5300, "Frederiksberg"),
      (52.3906, 13.0645, "Potsdam"),
    ]
    for (latitude, longitude, name) in known {
      #expect(geocoder.place(at: Coordinate(latitude, longitude)).city == name)
    }
  }
}

import CNearbyDistance
import Foundation
import TestSupport
import Testing

@testable import Geodesy

@Suite struct NearbyDistanceTests {
  @Test(arguments: Seeds.sample(200))
  func `within reach the distance is accurate to 0.1 mm`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let corners = [
      Coordinate(0, 0), Coordinate(0, 180), Coordinate(45, -179.99), Coordinate(-80, 10),
      Coordinate(88, 179.9),
      Coordinate(-89.9, 0), Coordinate(90, 0), Coordinate(-45, 90), Coordinate(89.99, 5),
    ]
    let center =
      seed <= UInt64(corners.count) ? corners[Int(seed) - 1] : Coordinate.random(using: &random)
    let near = NearbyDistance(center: center)
    var (worst, reached) = (0.0, 0)
    for radius in [1.0, 75, 500, 2_000, 10_000, 20_000] where near.reaches(radius) {
      for _ in 0..<100 {
        let other = center.randomNeighbor(within: radius, using: &random)
        let exact = center.distanceMeters(to: other)
        guard exact <= radius else { continue }
        reached += 1
        let squared = near.squaredChord(
          latitudeE7: other.latitudeE7, longitudeE7: other.longitudeE7)
        worst = max(worst, abs(near.meters(squaredChord: squared) - exact))
        // The inverse: the chord for a distance.
        #expect(abs(near.squaredChord(meters: exact).squareRoot() - squared.squareRoot()) < 1e-4)
      }
    }
    #expect(worst < 1e-4, "\(center)")
    #expect(reached > 100 || abs(center.latitudeDegrees) > 89)
  }

  @Test(arguments: Seeds.sample(50))
  func `two distances at once equal single ones to the last bit`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let center = Coordinate.random(using: &random)
    let near = NearbyDistance(center: center)
    for _ in 0..<100 {
      let others = (0..<2).map { _ in center.randomNeighbor(within: 20_000, using: &random) }
      func difference(_ index: Int) -> (latitude: Double, longitude: Double) {
        let longitude = Double(others[index].longitudeE7) - Double(center.longitudeE7)
        return (
          Double(others[index].latitudeE7) - Double(center.latitudeE7),
          longitude > 1.8e9 ? longitude - 3.6e9 : longitude < -1.8e9 ? longitude + 3.6e9 : longitude
        )
      }
      let (one, two) = (difference(0), difference(1))
      let squared = near.squaredChords(
        latitudes: SIMD2(one.latitude, two.latitude),
        longitudes: SIMD2(one.longitude, two.longitude))
      let meters = near.meters(squaredChords: squared)
      for lane in 0..<2 {
        let alone = near.squaredChord(
          latitudeE7: others[lane].latitudeE7, longitudeE7: others[lane].longitudeE7)
        #expect(squared[lane] == alone)
        #expect(meters[lane] == near.meters(squaredChord: alone))
      }
    }
  }

  @Test(arguments: Seeds.sample(50))
  func `the hits among many entries are those of single distances to the last bit`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let center = Coordinate.random(using: &random)
    let near = NearbyDistance(center: center)
    guard near.reaches(20_000) else { return }
    for count in Array(0...40) + [125, 126, 127, 128, 256] {
      let others = (0..<count).map { _ in center.randomNeighbor(within: 20_000, using: &random) }
      // Those beyond ±180° would need the longitude shifted by a turn.
      let here = others.filter {
        abs(Int64($0.longitudeE7) - Int64(center.longitudeE7)) <= NearbyDistance.longitudeReachE7
      }
      let chords = here.map {
        near.squaredChord(latitudeE7: $0.latitudeE7, longitudeE7: $0.longitudeE7)
      }
      let entries = here.map {
        cnearby_entry(
          latitude: $0.latitudeE7, longitude: $0.longitudeE7,
          id: .random(in: .min ... .max, using: &random))
      }
      // All inside, none, and some on either limit.
      let ordered = [-1] + chords.sorted() + [.infinity]
      let inner = ordered[Int.random(in: 0..<ordered.count, using: &random)]
      let outer = max(inner, ordered[Int.random(in: 0..<ordered.count, using: &random)])
      let limits = cnearby_limits(surely_inside: inner, surely_outside: outer)
      let expected = chords.indices.filter { chords[$0] <= outer }
      for isPortable in [false, true] {
        var hits = [cnearby_hit](repeating: cnearby_hit(), count: count + 4)
        var places = [UInt8](repeating: 255, count: count + 4)
        for index in hits.indices { hits[index].meters = -1 }
        let find = isPortable ? cnearby_find_portable : cnearby_find
        var series = NearbySeries(near, longitude: Double(center.longitudeE7)).values
        let found = find(&series, limits, entries, entries.count, &hits, &places)
        #expect(found.count == expected.count)
        #expect(found.undecided == expected.count { chords[$0] > inner })
        for (hit, index) in zip(hits, expected) {
          #expect(hit.entry.id == entries[index].id)
          #expect(hit.entry.latitude == here[index].latitudeE7)
          #expect(hit.entry.longitude == here[index].longitudeE7)
          #expect(
            chords[index] <= inner
              ? hit.meters == near.meters(squaredChord: chords[index]) : hit.meters.isNaN)
        }
        #expect(places.prefix(expected.count).map(Int.init) == expected)
        // Nothing is written beyond the next multiple of four.
        let end = (here.count + 3) / 4 * 4
        #expect(hits[end...].allSatisfy { $0.meters == -1 })
        #expect(places[end...].allSatisfy { $0 == 255 })
      }
    }
  }

  @Test(arguments: Seeds.sample(100))
  func `the smallest cosine is a lower bound for all latitudes within the radius`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let center = Coordinate.random(using: &random)
    let near = NearbyDistance(center: center)
    for radius in [0.0, 10, 2_000, 20_000] {
      let least = near.leastCosine(within: radius)
      let angle = radius / Ellipsoid.meridianRadiusMeters(sinLatitude: 0)
      let poleward = min(.pi / 2, abs(center.latitudeRadians) + angle)
      #expect(least <= cos(poleward) + 1e-15)
      #expect(least > cos(poleward) - 2e-5 || poleward > 1.57)
    }
  }

  @Test func `the reach ends at 20 km and near the poles`() {
    #expect(NearbyDistance(center: Coordinate(0, 0)).reaches(20_000))
    #expect(!NearbyDistance(center: Coordinate(0, 0)).reaches(20_001))
    #expect(NearbyDistance(center: Coordinate(60, 0)).reaches(20_000))
    #expect(!NearbyDistance(center: Coordinate(90, 0)).reaches(1))
    #expect(!NearbyDistance(center: Coordinate(89.5, 0)).reaches(20_000))
    #expect(NearbyDistance(center: Coordinate(89.5, 0)).reaches(500))
    // A degree of latitude is never short enough for 20 km to exceed the 0.2° of the series.
    #expect(20_000 / 110_574 < Double(NearbyDistance.latitudeReachE7) / 1e7)
  }

  @Test func `the distance from a place to itself is zero`() {
    let here = Coordinate(47.6973, 8.691)
    let squared = NearbyDistance(center: here).squaredChord(
      latitudeE7: here.latitudeE7, longitudeE7: here.longitudeE7)
    #expect(squared == 0)
  }
}

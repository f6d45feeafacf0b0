import Geocode
import Geodesy
import TestSupport
import Testing

@testable import Roqua

/// Queries of the explorer, compared with a scan of all regions in the same store.
@Suite struct QuestionTests {
  @Test func `regions near a point equal those found by a scan of all regions`() throws {
    let fixture = try Fixture()
    _ = try fixture.explorer.importTracks(PackageFolder.allSamples())
    let all = try fixture.explorer.allRegions()
    #expect(all.count > 900)
    var random = SplitMix64(seed: 1)
    for index in 0..<60 {
      let home = all[Int.random(in: 0..<all.count, using: &random)].coordinate
      let center = index % 5 == 0 ? home : home.randomNeighbor(within: 3_000, using: &random)
      for radius in [0.0, 40, 700, 9_000, 20_100_000] {
        let expected =
          all
          .map { (region: $0, meters: center.distanceMeters(to: $0.coordinate)) }
          .filter { $0.meters <= radius }
          .sorted { ($0.meters, $0.region.id) < ($1.meters, $1.region.id) }
        let found = try fixture.explorer.regions(near: center, radiusMeters: radius)
        #expect(found.map(\.region) == expected.map(\.region), "\(center) \(radius)")
        for (match, expected) in zip(found, expected) {
          #expect(abs(match.distanceMeters - expected.meters) < 1e-4)
        }
        let limit = Int.random(in: 0...5, using: &random)
        let few = try fixture.explorer.regions(near: center, radiusMeters: radius, limit: limit)
        #expect(few == Array(found.prefix(limit)))
      }
    }
  }

  @Test func `regions in a box equal those found by a scan of all regions`() throws {
    let fixture = try Fixture()
    _ = try fixture.explorer.importTracks(PackageFolder.allSamples())
    let all = try fixture.explorer.allRegions()
    var random = SplitMix64(seed: 2)
    var boxes = [
      BoundingBox.world, try BoundingBox(south: -17, west: 179.95, north: -16.7, east: -179.98),
    ]
    for _ in 0..<80 {
      let (one, two) = (all.randomElement(using: &random), all.randomElement(using: &random))
      guard let one = one?.coordinate, let two = two?.coordinate else { continue }
      boxes.append(BoundingBox(around: one, radiusMeters: .random(in: 1...5_000, using: &random)))
      boxes.append(
        try BoundingBox(
          south: min(one.latitudeDegrees, two.latitudeDegrees), west: one.longitudeDegrees,
          north: max(one.latitudeDegrees, two.latitudeDegrees), east: two.longitudeDegrees))
    }
    var sizes = Set<Int>()
    for box in boxes {
      let found = try fixture.explorer.regions(in: box)
      #expect(found == all.filter { box.contains($0.coordinate) }, "\(box)")
      #expect(try fixture.explorer.regions(in: box, limit: 3) == Array(found.prefix(3)))
      sizes.insert(found.count)
    }
    #expect(sizes.count > 10, "different boxes contain different regions")
  }

  @Test func `each region has the place of its center`() throws {
    let fixture = try Fixture()
    _ = try fixture.explorer.importTracks(PackageFolder.allSamples())
    var countries: Set<String> = []
    for region in try fixture.explorer.allRegions() {
      let place = try Geocoder.bundled.place(at: region.coordinate)
      #expect(region.place.countryCode == place.countryCode)
      #expect(region.place.country == place.country)
      #expect(region.place.region == place.region)
      #expect(region.place.district == place.district)
      #expect(region.place.quarter == place.quarter)
      #expect(region.place.city == place.city)
      #expect(fixture.explorer.place(at: region.coordinate) == place)
      #expect(region.geohash == Geohash(region.coordinate).description)
      if let code = place.countryCode { countries.insert(code) }
    }
    #expect(countries == ["DE", "FJ", "FR", "IS", "JP", "TR", "ZA"])
  }
}

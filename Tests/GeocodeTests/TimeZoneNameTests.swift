import Geodesy
import TestSupport
import Testing

@testable import Geocode

@Suite struct TimeZoneNameTests {
  @Test("the time zone at a position is the one of the whole place, on land and at sea")
  func sameAsPlace() throws {
    let geocoder = try Geocoder.bundled
    var random = SplitMix64(seed: 19)
    var named = 0
    for _ in 0..<20_000 {
      let point = try #require(
        Coordinate(
          latitudeE7: Int32.random(in: -900_000_000...900_000_000, using: &random),
          longitudeE7: Int32.random(in: -1_800_000_000..<1_800_000_000, using: &random)))
      let zone = geocoder.timeZone(at: point)
      #expect(zone == geocoder.place(at: point).timeZone)
      if zone != nil { named += 1 }
    }
    #expect(named > 5_000)
  }

  @Test("names asked by many threads at once are the same as names asked by one")
  func concurrent() async throws {
    let files = try SmallGazetteer(Geocoder.bundled)
    let point = try Coordinate(latitudeDegrees: 49.6, longitudeDegrees: 6.13)
    for _ in 0..<20 {
      // A new geocoder has not decoded its names yet.
      let geocoder = try files.opened()
      let zones = await withTaskGroup(of: String?.self) { group in
        // 320 requests: the table of names is made in between.
        for _ in 0..<8 {
          group.addTask {
            let zones = Set((0..<40).map { _ in geocoder.timeZone(at: point) })
            return zones.count == 1 ? zones.first ?? nil : nil
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(zones == Array(repeating: "Europe/Luxembourg", count: 8))
    }
  }
}

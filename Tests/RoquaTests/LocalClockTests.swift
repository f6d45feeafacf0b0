import Foundation
import Geocode
import Geodesy
import TestSupport
import Testing

@testable import Roqua

@Suite struct LocalClockTests {
  @Test(arguments: Seeds.sample(2))
  func `local time at sea is that of the time zone that the place names`(seed: UInt64) throws {
    let geocoder = try Geocoder.bundled
    var clock = LocalClock(geocoder: geocoder)
    var random = SplitMix64(seed: seed)
    var offsets: Set<Int64> = []
    for _ in 0..<2_000 {
      let point = Coordinate.random(using: &random)
      let place = geocoder.place(at: point)
      guard place.sea != nil else { continue }
      let name = try #require(place.timeZone)
      let zone = try #require(TimeZone(identifier: name))
      let seconds = Int64.random(in: 1_600_000_000...1_800_000_000, using: &random)
      let expected = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
      let offset = clock.milliseconds(1_000 * seconds, at: point) - 1_000 * seconds
      #expect(offset == Int64(expected) * 1_000, "\(point) \(name)")
      if place.countryCode == nil { offsets.insert(offset / 3_600_000) }
    }
    #expect(offsets == Set(-12...12))
  }

  @Test func `a day of the open sea begins at midnight of its nautical zone`() throws {
    var clock = LocalClock(geocoder: try Geocoder.bundled)
    // 2024-05-01T00:00:00Z, between New Zealand and Chile on both sides of 180° and of 127.5° W.
    let midnight: Int64 = 1_714_521_600_000
    for (longitude, hours) in [
      (179.999_999_9, 12), (-180.0, -12), (-127.5, -8), (-127.500_000_1, -9), (-172.5, -11),
    ] as [(Double, Int64)] {
      let local = clock.milliseconds(midnight, at: Coordinate(-55, longitude))
      #expect(local == midnight + hours * 3_600_000, "\(longitude)")
    }
  }
}

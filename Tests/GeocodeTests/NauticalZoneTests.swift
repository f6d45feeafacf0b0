import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Geocode

@Suite struct NauticalZoneTests {
  /// The 25 zones from west to east, written out: western edge, eastern edge, hours ahead of UTC.
  static let zones: [(west: Double, east: Double, hours: Int)] = [
    (-180, -172.5, -12), (-172.5, -157.5, -11), (-157.5, -142.5, -10), (-142.5, -127.5, -9),
    (-127.5, -112.5, -8), (-112.5, -97.5, -7), (-97.5, -82.5, -6), (-82.5, -67.5, -5),
    (-67.5, -52.5, -4), (-52.5, -37.5, -3), (-37.5, -22.5, -2), (-22.5, -7.5, -1), (-7.5, 7.5, 0),
    (7.5, 22.5, 1), (22.5, 37.5, 2), (37.5, 52.5, 3), (52.5, 67.5, 4), (67.5, 82.5, 5),
    (82.5, 97.5, 6), (97.5, 112.5, 7), (112.5, 127.5, 8), (127.5, 142.5, 9), (142.5, 157.5, 10),
    (157.5, 172.5, 11), (172.5, 180, 12),
  ]

  @Test(arguments: zones)
  func `a zone reaches from its western edge to just west of its eastern one`(
    west: Double, east: Double, hours: Int
  ) throws {
    for longitude in [west, west + 1e-7, (west + east) / 2, east - 1e-7] {
      for latitude in [-89.0, 0, 90] {
        let zone = NauticalZone(at: Coordinate(latitude, longitude))
        #expect(zone.hoursEast == hours, "\(longitude)")
      }
    }
    let identifier = NauticalZone(at: Coordinate(0, (west + east) / 2)).identifier
    #expect(identifier == (hours == 0 ? "Etc/GMT" : "Etc/GMT\(hours > 0 ? "-" : "+")\(abs(hours))"))
    let system = try #require(TimeZone(identifier: identifier))
    #expect(system.secondsFromGMT() == 3_600 * hours)
  }

  @Test(arguments: Seeds.sample(2))
  func `the zone is the multiple of 15 degrees nearest to the longitude`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      let point = Coordinate.random(using: &random)
      let nearest = (-12...12).min {
        abs(Double(15 * $0) - point.longitudeDegrees)
          < abs(Double(15 * $1) - point.longitudeDegrees)
      }
      #expect(NauticalZone(at: point).hoursEast == nearest)
    }
  }
}

import Geodesy
import SeededRandom

@testable import Achievements

/// Fixes of several sources in order of time, which walk, drive and jump between a few made-up
/// places. Whole seconds, and cells small enough that all metrics move.
struct RandomJourney {
  let fixes: [ChronicleFix]
  /// The ends of sources that stay at their last fix, in order of time.
  let stays: [Stay]

  struct Stay {
    /// The number of fixes before it.
    let after: Int
    let time: Int64
    let source: Int64
    let order: UInt32
  }

  init(seed: UInt64, count: Int) {
    var random = SplitMix64(seed: seed)
    var time: Int64 = 1_700_000_000 + Int64.random(in: 0..<100_000_000, using: &random)
    var (latitude, longitude) = (
      Int32.random(in: -800_000_000...800_000_000, using: &random),
      Int32.random(in: -1_790_000_000...1_790_000_000, using: &random)
    )
    var orders: [Int64: UInt32] = [:]
    var fixes: [ChronicleFix] = []
    var stays: [Stay] = []
    var sources: [Int64] = [1, 2, 3]
    var offset: Int64 = 0
    for _ in 0..<count {
      if Int.random(in: 0..<12, using: &random) == 0 {
        // A source ends with a stay, and another one begins in its place.
        let index = Int.random(in: 0..<3, using: &random)
        if let order = orders[sources[index]] {
          time += Int64.random(in: 0...900, using: &random)
          stays.append(
            Stay(
              after: fixes.count, time: time * 1_000, source: sources[index], order: order + 1))
          sources[index] += 3
        }
      }
      switch Int.random(in: 0..<20, using: &random) {
      case 0:  // A flight, or a long pause.
        latitude = Int32.random(in: -800_000_000...800_000_000, using: &random)
        longitude = Int32.random(in: -1_790_000_000...1_790_000_000, using: &random)
        time += Int64.random(in: 0...40 * 86_400, using: &random)
        offset = Int64.random(in: -12...14, using: &random)
      case 1: time += Int64.random(in: 0...86_400, using: &random)
      case 2...6:  // By car.
        latitude += Int32.random(in: -50_000...50_000, using: &random)
        longitude += Int32.random(in: -50_000...50_000, using: &random)
        time += Int64.random(in: 0...300, using: &random)
      default:  // On foot.
        latitude += Int32.random(in: -8_000...8_000, using: &random)
        longitude += Int32.random(in: -8_000...8_000, using: &random)
        time += Int64.random(in: 20...300, using: &random)
      }
      guard let coordinate = Coordinate(latitudeE7: latitude, longitudeE7: longitude) else { break }
      let source = sources[Int.random(in: 0..<3, using: &random)]
      let order = orders[source].map { $0 + (Int.random(in: 0..<30, using: &random) == 0 ? 2 : 1) }
      orders[source] = order ?? 0
      fixes.append(
        ChronicleFix(
          time: time * 1_000, localTime: (time + offset * 3_600) * 1_000, coordinate: coordinate,
          place: Self.place(coordinate), source: source, order: order ?? 0,
          isJoined: Int.random(in: 0..<15, using: &random) > 0))
    }
    (self.fixes, self.stays) = (fixes, stays)
  }

  /// A made-up place: a few countries, and smaller places in them.
  private static func place(_ coordinate: Coordinate) -> PlaceFacts {
    let (row, column) = (
      Int(coordinate.latitudeE7) + 900_000_000, Int(coordinate.longitudeE7) + 1_800_000_000
    )
    var place = PlaceFacts()
    place.country = UInt16((row / 7_000 + column / 90_000_000) % 5)
    if place.country == 0 { return place }
    if place.country == 1 { place.country = CountryNumber.of("TR") ?? 1 }
    place.continent = UInt8(1 + column / 400_000_000 % 7)
    place.region = UInt32(place.country) * 10 + UInt32(row / 3_000 % 4)
    place.district = UInt32(row / 2_000 % 9)
    place.city = UInt32(column / 2_000 % 7)
    place.island = UInt16(row / 5_000 % 3)
    return place
  }
}

import Geodesy
import SeededRandom

/// Points that wander within a few strides of some homes, so that places are visited again. One in
/// ten has no time.
public func wanderingPoints(
  count: Int, homes: [Coordinate], strideMeters: Double, using random: inout SplitMix64
) -> [(coordinate: Coordinate, time: Timestamp?)] {
  var time = Int64.random(in: 1_000_000_000...1_700_000_000, using: &random) * 1_000
  var coordinate = homes.randomElement(using: &random) ?? Coordinate(0, 0)
  return (0..<count).map { _ in
    if Int.random(in: 0..<20, using: &random) == 0 {
      coordinate = homes.randomElement(using: &random) ?? coordinate
      time += Int64.random(in: 0...7_200_000, using: &random)
    }
    coordinate = coordinate.randomNeighbor(within: strideMeters, using: &random)
    time += Int64.random(in: 1...60, using: &random) * 1_000
    let isDated = Int.random(in: 0..<10, using: &random) > 0
    return (coordinate, isDated ? Timestamp(millisecondsSince1970: time) : nil)
  }
}

/// Homes at the equator, in a city, at ±180°, and far north.
public let awkwardHomes = [
  Coordinate(0.001, 0.001), Coordinate(41.008, 28.978), Coordinate(-16.8, 180),
  Coordinate(66.0, -179.999_9),
  Coordinate(60, 10.000_01), Coordinate(85.5, 179.999_99),
]

import BenchmarkSupport
import Foundation
import Geodesy

/// A walk in steps of 50 to 70 m that turns by up to 14° a step and stays in a box.
func track(
  _ count: Int, latitude: ClosedRange<Double>, longitude: ClosedRange<Double>,
  using random: inout SplitMix64
) -> [Coordinate] {
  var position = (
    latitude: Double.random(in: latitude, using: &random),
    longitude: Double.random(in: longitude, using: &random)
  )
  var heading = Double.random(in: 0...(2 * .pi), using: &random)
  var result: [Coordinate] = []
  result.reserveCapacity(count)
  for _ in 0..<count {
    heading += Double.random(in: -0.25...0.25, using: &random)
    let step = Double.random(in: 50...70, using: &random) / 111_195
    let next = (
      position.latitude + step * cos(heading),
      position.longitude + step * sin(heading) / cos(position.latitude * .pi / 180)
    )
    if latitude.contains(next.0), longitude.contains(next.1) {
      position = next
    } else {
      heading += .pi
    }
    if let coordinate = try? Coordinate(
      latitudeDegrees: position.latitude, longitudeDegrees: position.longitude)
    {
      result.append(coordinate)
    }
  }
  return result
}

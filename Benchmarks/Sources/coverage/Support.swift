import Foundation
import Geodesy
import GridHash

/// Seconds that `body` takes.
func seconds(_ body: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try body()
  return (ContinuousClock.now - start) / .seconds(1)
}

func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
}

/// Prints a line at once, also into a pipe.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

func text(_ value: Double, _ digits: Int = 1) -> String { String(format: "%.\(digits)f", value) }

/// Ends the program where a result is wrong: what is wrong is not worth timing.
func check(_ isRight: Bool, _ what: String) {
  guard !isRight else { return }
  FileHandle.standardError.write(Data("wrong result: \(what)\n".utf8))
  exit(1)
}

/// The generator of Steele, Lea and Flood: the same numbers on every machine.
struct SplitMix64: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }
}

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
    if latitude.contains(next.0), longitude.contains(next.1) { position = next } else { heading += .pi }
    if let coordinate = try? Coordinate(
      latitudeDegrees: position.latitude, longitudeDegrees: position.longitude)
    {
      result.append(coordinate)
    }
  }
  return result
}

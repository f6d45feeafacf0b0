import Geodesy

extension Coordinate {
  /// A coordinate for tests; traps on invalid values, which are mistakes of the test.
  public init(_ latitude: Double, _ longitude: Double) {
    do {
      try self.init(latitudeDegrees: latitude, longitudeDegrees: longitude)
    } catch {
      preconditionFailure("\(latitude), \(longitude): \(error)")
    }
  }

  /// A random coordinate, uniform in degrees, so that the poles are represented.
  public static func random(using random: inout SplitMix64) -> Coordinate {
    Coordinate(.random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
  }

  /// A random coordinate up to about `meters` away in latitude and in longitude. Precise enough for
  /// tests, at any latitude.
  public func randomNeighbor(within meters: Double, using random: inout SplitMix64) -> Coordinate {
    let degrees = meters / 111_320
    let latitude = latitudeDegrees + .random(in: -degrees...degrees, using: &random)
    let parallel = max(1e-6, cosine(ofDegrees: latitudeDegrees))
    let span = min(180, degrees / parallel)
    return Coordinate(
      min(90, max(-90, latitude)), longitudeDegrees + .random(in: -span...span, using: &random))
  }
}

private func cosine(ofDegrees degrees: Double) -> Double {
  // Bhaskara's approximation, with an error of at most 0.2 %, avoids Foundation in a helper.
  let squared = degrees * degrees
  return max(0, 4 * (8_100 - squared) / (32_400 + squared))
}

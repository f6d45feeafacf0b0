import Geodesy

extension Coordinate {
  /// A coordinate for tests; traps on an impossible one, which would be a mistake of the test.
  public init(_ latitude: Double, _ longitude: Double) {
    do {
      try self.init(latitudeDegrees: latitude, longitudeDegrees: longitude)
    } catch {
      preconditionFailure("\(latitude), \(longitude): \(error)")
    }
  }

  /// Uniform in degrees, so that the poles get their share.
  public static func random(using random: inout SplitMix64) -> Coordinate {
    Coordinate(.random(in: -90...90, using: &random), .random(in: -180...180, using: &random))
  }

  /// A coordinate about `meters` away in a random direction: good enough to probe with, at any
  /// latitude.
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
  // Bhaskara's approximation, 0.2 % off at most: no Foundation needed in a helper.
  let squared = degrees * degrees
  return max(0, 4 * (8_100 - squared) / (32_400 + squared))
}

import BenchmarkSupport
import Geocode
import Geodesy

/// Positions to look up, each kind from a fixed seed.
enum Points {
  /// Uniform by area over the whole Earth.
  static func globe(_ count: Int) -> [Coordinate] {
    var random = SplitMix64(seed: 1)
    return (0..<count).compactMap { _ in onGlobe(using: &random) }
  }

  /// Uniform by area on land.
  static func land(_ count: Int, _ geocoder: Geocoder) -> [Coordinate] {
    var random = SplitMix64(seed: 2)
    var points: [Coordinate] = []
    while points.count < count {
      if let point = onGlobe(using: &random), geocoder.isLand(at: point) { points.append(point) }
    }
    return points
  }

  /// Populated positions: a place drawn by its population, moved by up to 0.1° in each direction.
  static func people(_ count: Int, _ geocoder: Geocoder) -> [Coordinate] {
    var random = SplitMix64(seed: 3)
    var sums: [Int] = []
    var sum = 0
    for number in 0..<geocoder.cityCount {
      sum += geocoder.city(number).map(geocoder.population(of:)) ?? 0
      sums.append(sum)
    }
    return (0..<count).compactMap { _ in
      let wanted = Int.random(in: 1...sum, using: &random)
      var (low, high) = (0, sums.count - 1)
      while low < high {
        let middle = (low + high) / 2
        if sums[middle] < wanted { low = middle + 1 } else { high = middle }
      }
      guard let center = geocoder.city(low).flatMap(geocoder.coordinate(of:)) else { return nil }
      return moved(center, by: 0.1, using: &random)
    }
  }

  /// Tracks of 1 000 fixes about 30 m apart, each starting at a populated position.
  static func tracks(_ count: Int, _ geocoder: Geocoder) -> [Coordinate] {
    var random = SplitMix64(seed: 4)
    return people(count / 1000, geocoder).flatMap { start in
      var point = start
      var (up, right) = (0.0, 0.0)
      return (0..<1000).map { _ in
        up += Double.random(in: -0.0001...0.0001, using: &random)
        right += Double.random(in: -0.0001...0.0001, using: &random)
        (up, right) = (max(-0.0004, min(0.0004, up)), max(-0.0004, min(0.0004, right)))
        point = shifted(point, up: up, right: right) ?? point
        return point
      }
    }
  }

  private static func onGlobe(using random: inout SplitMix64) -> Coordinate? {
    try? Coordinate(
      latitudeDegrees: arcSineDegrees(Double.random(in: -1...1, using: &random)),
      longitudeDegrees: Double.random(in: -180..<180, using: &random))
  }

  private static func moved(_ point: Coordinate, by degrees: Double, using random: inout SplitMix64)
    -> Coordinate?
  {
    shifted(
      point, up: Double.random(in: -degrees...degrees, using: &random),
      right: Double.random(in: -degrees...degrees, using: &random))
  }

  /// The point moved by degrees of latitude, eastward too.
  private static func shifted(_ point: Coordinate, up: Double, right: Double) -> Coordinate? {
    let shrinking = max(cosineOfDegrees(point.latitudeDegrees), 0.05)
    return try? Coordinate(
      latitudeDegrees: max(-90, min(90, point.latitudeDegrees + up)),
      longitudeDegrees: (point.longitudeDegrees + right / shrinking).remainder(dividingBy: 360))
  }
}

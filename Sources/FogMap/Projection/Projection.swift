/// A position on a unit sphere, in radians.
package struct Angles: Hashable, Sendable {
  /// Latitude, -π/2...π/2.
  package var latitude: Double
  /// Longitude, -π...π.
  package var longitude: Double

  /// Creates a position.
  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A point of a map of the unit sphere: x eastwards, y northwards.
package struct MapPoint: Hashable, Sendable {
  /// The distance eastwards from the center.
  package var x: Double
  /// The distance northwards from the center.
  package var y: Double

  /// Creates a point.
  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// Web Mercator (EPSG:3857) of the unit sphere: x = λ, y = arsinh(tan φ).
///
/// - Source: Snyder, Map Projections: A Working Manual (1987), equations 7-1, 7-2 and 7-4.
package enum WebMercator {
  /// The latitude at which the map of the world is a square, 85.0511…°, in radians.
  package static let latitudeLimit = arcTangent(hyperbolicSine(.pi), 1)

  /// The point of a position; nil beyond ``latitudeLimit``.
  package static func point(of angles: Angles) -> MapPoint? {
    guard abs(angles.latitude) <= latitudeLimit else { return nil }
    return MapPoint(x: angles.longitude, y: inverseHyperbolicSine(tangent(angles.latitude)))
  }

  /// The position of a point; nil outside the square of side 2π.
  package static func angles(of point: MapPoint) -> Angles? {
    guard abs(point.x) <= .pi, abs(point.y) <= .pi else { return nil }
    return Angles(latitude: arcTangent(hyperbolicSine(point.y), 1), longitude: point.x)
  }
}

/// The Equal Earth projection of the unit sphere, an equal-area map of the world.
///
/// - Source: Šavrič, Patterson and Jenny, The Equal Earth map projection, International Journal of
///   Geographical Information Science 33 (2019), 454–465.
package enum EqualEarth {
  private static let (a1, a2, a3, a4) = (1.340264, -0.081106, 0.000893, 0.003796)
  private static let m = 3.0.squareRoot() / 2

  private static func y(_ theta: Double) -> Double {
    let square = theta * theta
    let sixth = square * square * square
    return theta * (a1 + a2 * square + sixth * (a3 + a4 * square))
  }

  private static func slope(_ theta: Double) -> Double {
    let square = theta * theta
    let sixth = square * square * square
    return a1 + 3 * a2 * square + sixth * (7 * a3 + 9 * a4 * square)
  }

  /// The point of a position.
  package static func point(of angles: Angles) -> MapPoint {
    let theta = arcSine(m * sine(angles.latitude))
    return MapPoint(x: angles.longitude * cosine(theta) / (m * slope(theta)), y: y(theta))
  }

  /// The position of a point, by Newton's method; nil outside the map.
  package static func angles(of point: MapPoint) -> Angles? {
    let limit = y(.pi / 3)
    guard abs(point.y) <= limit else { return nil }
    var theta = point.y / limit * (.pi / 3)
    for _ in 0..<12 {
      let step = (y(theta) - point.y) / slope(theta)
      theta -= step
      if abs(step) < 1e-15 { break }
    }
    let longitude = point.x * m * slope(theta) / cosine(theta)
    guard abs(longitude) <= .pi * (1 + 1e-12) else { return nil }
    return Angles(
      latitude: arcSine(max(-1, min(1, sine(theta) / m))),
      longitude: max(-.pi, min(.pi, longitude)))
  }
}

/// The orthographic projection: the unit sphere seen from infinitely far above a center.
///
/// - Source: Snyder, Map Projections: A Working Manual (1987), equations 20-3, 20-4, 5-3, 20-14 and
///   20-15.
package struct Globe: Hashable, Sendable {
  /// The position at the middle of the map.
  package let center: Angles

  /// Creates a globe seen from above a position.
  package init(center: Angles) { self.center = center }

  /// The point of a position, within 1 of the middle; nil on the far side.
  package func point(of angles: Angles) -> MapPoint? {
    let (sine0, cosine0) = (sine(center.latitude), cosine(center.latitude))
    let (sine1, cosine1) = (sine(angles.latitude), cosine(angles.latitude))
    let east = angles.longitude - center.longitude
    guard sine0 * sine1 + cosine0 * cosine1 * cosine(east) >= 0 else { return nil }
    return MapPoint(
      x: cosine1 * sine(east), y: cosine0 * sine1 - sine0 * cosine1 * cosine(east))
  }

  /// The position of a point; nil outside the circle of radius 1.
  package func angles(of point: MapPoint) -> Angles? {
    let square = point.x * point.x + point.y * point.y
    guard square <= 1 else { return nil }
    let height = (1 - square).squareRoot()
    let (sine0, cosine0) = (sine(center.latitude), cosine(center.latitude))
    let east = arcTangent(point.x, height * cosine0 - point.y * sine0)
    return Angles(
      latitude: arcSine(max(-1, min(1, height * sine0 + point.y * cosine0))),
      longitude: (center.longitude + east).remainder(dividingBy: 2 * .pi))
  }
}

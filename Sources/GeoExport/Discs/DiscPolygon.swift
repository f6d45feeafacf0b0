import Foundation
import Geodesy

/// A disc on the authalic sphere, as a polygon on the map of degrees.
///
/// - Source: the direct problem on a sphere, as in J. P. Snyder, "Map Projections: A Working
///   Manual", equations 5-5 and 5-6.
enum DiscPolygon {
  /// The number of corners of a disc: its area is 0.16 % smaller than that of the circle.
  static let corners = 64

  /// Rings, each closed and counterclockwise: one, or one on each side of ±180°.
  ///
  /// A disc that contains a pole reaches from 180° W to 180° E up to the pole's edge of the map.
  static func rings(around center: Coordinate, radiusMeters: Double) -> [[SIMD2<Double>]] {
    let corners = corners(around: center, radiusMeters: radiusMeters)
    let pole = poleInside(center, radiusMeters: radiusMeters)
    if let pole { return [aroundPole(corners, pole: pole)] }
    let (west, east) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
    if west >= -180, east <= 180 { return [closed(corners)] }
    let edge: Double = west < -180 ? -180 : 180
    // The part on the side of the center, and the other one a turn away.
    return [
      clipped(corners, at: edge, keepingWest: edge > 0),
      clipped(corners, at: edge, keepingWest: edge < 0).map { $0 - SIMD2(2 * edge, 0) },
    ].filter { $0.count > 2 }.map(closed)
  }

  /// The corners, counterclockwise; their longitudes continue beyond ±180°.
  private static func corners(
    around center: Coordinate, radiusMeters: Double
  ) -> [SIMD2<Double>] {
    let angle = radiusMeters / AuthalicSphere.radiusMeters
    return (0..<corners).map { index in
      position(
        around: center, angle: angle,
        counterclockwise: 2 * Double.pi * Double(index) / Double(corners))
    }
  }

  /// A position on the circle of a disc; its longitude continues beyond ±180°.
  ///
  /// - Parameters:
  ///   - angle: the radius as an angle on the sphere, in radians.
  ///   - turn: the direction from the center, counterclockwise from north, in radians.
  static func position(
    around center: Coordinate, angle: Double, counterclockwise turn: Double
  ) -> SIMD2<Double> {
    let (sinA, cosA) = (sin(angle), cos(angle))
    let latitude = center.latitudeDegrees * .pi / 180
    let (sinB, cosB) = (sin(latitude), cos(latitude))
    let north = asin(min(1, max(-1, sinB * cosA + cosB * sinA * cos(turn))))
    let east = atan2(-sin(turn) * sinA, cosB * cosA - sinB * sinA * cos(turn))
    return SIMD2(center.longitudeDegrees + east * 180 / .pi, north * 180 / .pi)
  }

  /// The latitude of the pole inside a disc; nil if there is none.
  private static func poleInside(_ center: Coordinate, radiusMeters: Double) -> Double? {
    let degrees = radiusMeters / AuthalicSphere.radiusMeters * 180 / .pi
    guard abs(center.latitudeDegrees) + degrees >= 90 else { return nil }
    return center.latitudeDegrees < 0 ? -90 : 90
  }

  private static func aroundPole(_ corners: [SIMD2<Double>], pole: Double) -> [SIMD2<Double>] {
    let inside = corners.map { corner in
      SIMD2(corner.x.remainder(dividingBy: 360), corner.y)
    }.sorted { $0.x < $1.x }
    guard let first = inside.first, let last = inside.last else { return [] }
    // The latitude at ±180°, between the corners next to it.
    let gap = first.x + 360 - last.x
    let share = gap > 0 ? (180 - last.x) / gap : 0
    let y = last.y + share * (first.y - last.y)
    var edge = inside
    if first.x > -180 { edge.insert(SIMD2(-180, y), at: 0) }
    if last.x < 180 { edge.append(SIMD2(180, y)) }
    let ring = edge + [SIMD2(180, pole), SIMD2(-180, pole)]
    return closed(pole > 0 ? ring : ring.reversed())
  }

  /// The part of a ring on one side of a meridian, which it crosses at most twice.
  private static func clipped(
    _ ring: [SIMD2<Double>], at edge: Double, keepingWest: Bool
  ) -> [SIMD2<Double>] {
    var result: [SIMD2<Double>] = []
    for (index, start) in ring.enumerated() {
      let end = ring[index + 1 == ring.count ? 0 : index + 1]
      let (isIn, staysIn) = (
        keepingWest ? start.x <= edge : start.x >= edge,
        keepingWest ? end.x <= edge : end.x >= edge
      )
      if isIn { result.append(start) }
      if isIn != staysIn, start.x != edge, end.x != edge {
        let share = (edge - start.x) / (end.x - start.x)
        result.append(SIMD2(edge, start.y + share * (end.y - start.y)))
      }
    }
    return result
  }

  private static func closed(_ ring: [SIMD2<Double>]) -> [SIMD2<Double>] {
    ring.map { SIMD2(rounded($0.x), rounded($0.y)) }
      + ring.prefix(1).map {
        SIMD2(rounded($0.x), rounded($0.y))
      }
  }

  /// Degrees rounded to 9 digits after the point.
  static func rounded(_ degrees: Double) -> Double { (degrees * 1e9).rounded() / 1e9 }
}

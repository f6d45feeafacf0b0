import Foundation
import Geodesy

extension ExportGeometry {
  /// The area of a polygon on the authalic sphere in square meters, with edges that are straight on
  /// the map of degrees: the integral of the sine of the latitude along each edge, which has a
  /// closed form.
  var authalicSquareMeters: Double {
    var (sum, start) = (0.0, 0)
    for end in ringEnds {
      let base = start < end ? sin(coordinates[2 * start + 1] * .pi / 180) : 0
      for place in start..<max(start, end - 1) {
        let east = (coordinates[2 * place + 2] - coordinates[2 * place]) * .pi / 180
        let south = coordinates[2 * place + 1] * .pi / 180
        let half = (coordinates[2 * place + 3] * .pi / 180 - south) / 2
        let mean = sin(south + half) * (half == 0 ? 1 : sin(half) / half)
        sum -= east * (mean - base)
      }
      start = end
    }
    return sum * AuthalicSphere.radiusMeters * AuthalicSphere.radiusMeters
  }

  /// A polygon with positions of 9 digits after the point, the outer ring counterclockwise and
  /// holes clockwise, without rings that have no area; nil if nothing is left.
  var roundedPolygon: ExportGeometry? {
    var result = ExportGeometry()
    var start = 0
    for (index, end) in ringEnds.enumerated() {
      var ring: [SIMD2<Double>] = []
      for place in start..<end {
        let position = SIMD2(
          DiscPolygon.rounded(coordinates[2 * place]),
          DiscPolygon.rounded(coordinates[2 * place + 1]))
        if position != ring.last { ring.append(position) }
      }
      start = end
      guard let origin = ring.first else { continue }
      let doubled = zip(ring, ring.dropFirst()).reduce(0.0) { sum, edge in
        let (one, other) = (edge.0 - origin, edge.1 - origin)
        return sum + one.x * other.y - other.x * one.y
      }
      if ring.count < 4 || abs(doubled) < 1e-16 {
        if index == 0 { return nil }
        continue
      }
      if (doubled > 0) != (index == 0) { ring.reverse() }
      for position in ring { result.append(x: position.x, y: position.y) }
      result.endRing()
    }
    return result.count > 0 ? result : nil
  }
}

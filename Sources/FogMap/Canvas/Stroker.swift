/// A point of a picture: x to the right and y downwards, in pixels from the upper left corner.
package typealias PicturePoint = SIMD2<Double>

/// Makes lines as wide as a pen.
package enum Stroker {
  /// The outline of a line drawn with a pen, counterclockwise as seen. Corners are pointed, or cut
  /// off where they would stick out by more than the width.
  ///
  /// - Returns: nil for a line without length.
  package static func outline(_ line: [PicturePoint], width: Double) -> [PicturePoint]? {
    var points: [PicturePoint] = []
    points.reserveCapacity(line.count)
    for point in line where points.last.map({ squaredLength(point - $0) > 1e-12 }) ?? true {
      points.append(point)
    }
    guard points.count > 1 else { return nil }
    var (near, far): ([PicturePoint], [PicturePoint]) = ([], [])
    near.reserveCapacity(2 * points.count)
    far.reserveCapacity(points.count)
    let half = width / 2
    var before: PicturePoint?
    for index in points.indices {
      let after =
        index + 1 < points.count ? normal(points[index], points[index + 1]) : before
      let (one, other) = (before ?? after, after ?? before)
      guard let one, let other else { return nil }
      let sum = one + other
      // 2 for a straight line, 0 for a line that turns back.
      let opening = squaredLength(sum) / 2
      if opening > 0.5 {
        near.append(points[index] + sum / opening * half)
        far.append(points[index] - sum / opening * half)
      } else {
        near += [points[index] + one * half, points[index] + other * half]
        far += [points[index] - one * half, points[index] - other * half]
      }
      before = after
    }
    return near + far.reversed()
  }

  /// The unit vector to the right of a direction, as seen.
  private static func normal(_ from: PicturePoint, _ to: PicturePoint) -> PicturePoint {
    let direction = to - from
    let length = squaredLength(direction).squareRoot()
    return PicturePoint(-direction.y, direction.x) / length
  }

  private static func squaredLength(_ vector: PicturePoint) -> Double {
    vector.x * vector.x + vector.y * vector.y
  }

  /// A line in pieces: `dash` pixels are drawn, `gap` pixels left out, in turn.
  package static func dashes(
    _ line: [PicturePoint], dash: Double, gap: Double
  ) -> [[PicturePoint]] {
    var pieces: [[PicturePoint]] = []
    var (piece, left, isDrawn) = ([PicturePoint](), dash, true)
    for index in line.indices {
      guard index > 0 else {
        piece = [line[0]]
        continue
      }
      var from = line[index - 1]
      let to = line[index]
      var length = squaredLength(to - from).squareRoot()
      while length > left {
        let next = from + (to - from) * (left / length)
        if isDrawn { pieces.append(piece + [next]) }
        piece = [next]
        length -= left
        from = next
        isDrawn.toggle()
        left = isDrawn ? dash : gap
      }
      left -= length
      piece.append(to)
    }
    if isDrawn, piece.count > 1 { pieces.append(piece) }
    return pieces
  }
}

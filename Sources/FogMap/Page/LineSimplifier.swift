/// Leaves out points of a line that are near the line without them.
package enum LineSimplifier {
  /// The line with fewer points: its ends, and as many others as it takes for each point left out
  /// to be at most `tolerance` away from the line.
  ///
  /// - Parameter tolerance: in units of 1e-5 degree of latitude; longitudes are shortened by the
  ///   cosine of the first point's latitude.
  /// - Complexity: O(n log n) in the usual case, O(n²) at worst.
  /// - Source: Douglas and Peucker, Algorithms for the reduction of the number of points required
  ///   to represent a digitized line (1973).
  package static func simplified(
    _ line: [PageTracks.Point], tolerance: Double
  ) -> [PageTracks.Point] {
    guard line.count > 2 else { return line }
    let narrowing = cosine(Double(line[0].latitudeE5) / 1e5 * .pi / 180)
    let points = line.map { (x: Double($0.longitudeE5) * narrowing, y: Double($0.latitudeE5)) }
    var isKept = [Bool](repeating: false, count: line.count)
    (isKept[0], isKept[line.count - 1]) = (true, true)
    var waiting = [(0, line.count - 1)]
    while let (first, last) = waiting.popLast() {
      guard last - first > 1 else { continue }
      var (farthest, square) = (first, -1.0)
      for index in first + 1..<last {
        let found = squaredDistance(points[index], points[first], points[last])
        if found > square { (farthest, square) = (index, found) }
      }
      if square <= tolerance * tolerance { continue }
      isKept[farthest] = true
      waiting.append((first, farthest))
      waiting.append((farthest, last))
    }
    return zip(line, isKept).filter(\.1).map(\.0)
  }

  /// The square of the distance from a point to a segment.
  private static func squaredDistance(
    _ point: (x: Double, y: Double), _ start: (x: Double, y: Double), _ end: (x: Double, y: Double)
  ) -> Double {
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let length = dx * dx + dy * dy
    let along = length > 0 ? ((point.x - start.x) * dx + (point.y - start.y) * dy) / length : 0
    let share = max(0, min(1, along))
    let (x, y) = (start.x + share * dx - point.x, start.y + share * dy - point.y)
    return x * x + y * y
  }
}

extension MapView {
  /// Calls `body` with the parts of a line that lie in the frame or less than `margin` pixels from
  /// it. What a picture does not show is not in its file either.
  ///
  /// - Complexity: O(points).
  package func clip(_ line: [PicturePoint], margin: Double, _ body: ([PicturePoint]) -> Void) {
    let low = PicturePoint(Double(frame.x), Double(frame.y)) - margin
    let high =
      PicturePoint(Double(frame.x + frame.width), Double(frame.y + frame.height)) + margin
    var part: [PicturePoint] = []
    for (start, end) in zip(line, line.dropFirst()) {
      guard let (first, last) = Self.clip(start, end, low: low, high: high) else {
        if part.count > 1 { body(part) }
        part.removeAll()
        continue
      }
      if part.last != first {
        if part.count > 1 { body(part) }
        part = [first]
      }
      part.append(last)
    }
    if part.count > 1 { body(part) }
  }

  /// The part of an edge in a box; nil if there is none.
  ///
  /// - Source: Liang and Barsky, A New Concept and Method for Line Clipping, ACM Transactions on
  ///   Graphics 3 (1984), 1–22.
  static func clip(
    _ start: PicturePoint, _ end: PicturePoint, low: PicturePoint, high: PicturePoint
  ) -> (PicturePoint, PicturePoint)? {
    let way = end - start
    var (from, to) = (0.0, 1.0)
    for axis in 0..<2 {
      if way[axis] == 0 {
        if start[axis] < low[axis] || start[axis] > high[axis] { return nil }
        continue
      }
      let one = (low[axis] - start[axis]) / way[axis]
      let other = (high[axis] - start[axis]) / way[axis]
      (from, to) = (max(from, min(one, other)), min(to, max(one, other)))
    }
    guard from <= to else { return nil }
    return (from > 0 ? start + way * from : start, to < 1 ? start + way * to : end)
  }
}

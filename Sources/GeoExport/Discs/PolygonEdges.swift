/// The edges of a polygon with positions of 9 digits after the point, to find out whether they meet
/// only where one follows another.
///
/// Positions are compared as integers of 1e-9 degree, so the answer is exact.
///
/// - Complexity: O(n log n) if edges are short.
/// - Memory: 4 to 8 bytes for each edge.
struct PolygonEdges {
  private struct Point: Equatable {
    let x: Int64
    let y: Int64
  }

  private struct Box {
    let west: Double
    let east: Double
    let south: Double
    let north: Double
  }

  private let coordinates: [Double]
  private let ringEnds: [Int]

  init(_ polygon: ExportGeometry) {
    coordinates = polygon.coordinates
    ringEnds = polygon.ringEnds
  }

  /// Whether no edge crosses or touches another one, except the next at their common end.
  var meetOnlyAtEnds: Bool {
    var height = 1e-9
    var (south, north) = (Double.infinity, -Double.infinity)
    forEachEdge { edge in
      let box = box(of: edge)
      height = max(height, box.north - box.south)
      (south, north) = (min(south, box.south), max(north, box.north))
    }
    guard south <= north else { return true }
    // An edge is in one strip or in two.
    let strips = Int((north - south) / height) + 1
    func strip(_ y: Double) -> Int { min(strips - 1, Int((y - south) / height)) }
    var ends = [Int](repeating: 0, count: strips + 1)
    forEachEdge { edge in
      let box = box(of: edge)
      for strip in strip(box.south)...strip(box.north) { ends[strip + 1] += 1 }
    }
    for strip in 0..<strips { ends[strip + 1] += ends[strip] }
    var places = ends
    var edges = [Int32](repeating: 0, count: ends[strips])
    forEachEdge { edge in
      let box = box(of: edge)
      for strip in strip(box.south)...strip(box.north) {
        edges[places[strip]] = Int32(edge)
        places[strip] += 1
      }
    }
    for strip in 0..<strips {
      guard meetOnlyAtEnds(edges[ends[strip]..<ends[strip + 1]]) else { return false }
    }
    return true
  }

  private func meetOnlyAtEnds(_ edges: ArraySlice<Int32>) -> Bool {
    let sorted = edges.map { (edge: Int($0), box: box(of: Int($0))) }
      .sorted { ($0.box.west, $0.edge) < ($1.box.west, $1.edge) }
    for place in sorted.indices {
      let (edge, box) = sorted[place]
      for (other, next) in sorted[(place + 1)...] {
        if next.west > box.east { break }
        if next.south <= box.north, next.north >= box.south, !areApart(edge, other) {
          return false
        }
      }
    }
    return true
  }

  /// Calls `body` with the number of the first position of each edge.
  private func forEachEdge(_ body: (Int) -> Void) {
    var start = 0
    for end in ringEnds {
      for edge in start..<max(start, end - 1) { body(edge) }
      start = end
    }
  }

  private func box(of edge: Int) -> Box {
    let (x1, y1) = (coordinates[2 * edge], coordinates[2 * edge + 1])
    let (x2, y2) = (coordinates[2 * edge + 2], coordinates[2 * edge + 3])
    return Box(west: min(x1, x2), east: max(x1, x2), south: min(y1, y2), north: max(y1, y2))
  }

  private func point(_ place: Int) -> Point {
    Point(
      x: Int64((coordinates[2 * place] * 1e9).rounded()),
      y: Int64((coordinates[2 * place + 1] * 1e9).rounded()))
  }

  /// Whether two edges have no point in common besides the end of one that the other follows.
  private func areApart(_ one: Int, _ other: Int) -> Bool {
    let (a, b, c, d) = (point(one), point(one + 1), point(other), point(other + 1))
    if b == c, follows(other, one) { return !turnsBack(a, b, d) }
    if d == a, follows(one, other) { return !turnsBack(c, d, b) }
    let (c1, d1) = (Self.side(a, b, c), Self.side(a, b, d))
    let (a1, b1) = (Self.side(c, d, a), Self.side(c, d, b))
    // Edges on one line have overlapping boxes only if they overlap or touch.
    return c1 * d1 > 0 || a1 * b1 > 0
  }

  private func follows(_ next: Int, _ edge: Int) -> Bool {
    if next == edge + 1 { return true }
    // The first edge of a ring follows its last one.
    guard next < edge else { return false }
    var (low, high) = (0, ringEnds.count)
    while low < high {
      let middle = (low + high) / 2
      if ringEnds[middle] > edge { high = middle } else { low = middle + 1 }
    }
    return edge == ringEnds[low] - 2 && next == (low == 0 ? 0 : ringEnds[low - 1])
  }

  private func turnsBack(_ a: Point, _ b: Point, _ c: Point) -> Bool {
    Self.side(a, b, c) == 0
      && Double(a.x - b.x) * Double(c.x - b.x) + Double(a.y - b.y) * Double(c.y - b.y) > 0
  }

  /// On which side of the line from `a` to `b` a point lies: 1 on the left, -1 on the right, and 0
  /// on it.
  private static func side(_ a: Point, _ b: Point, _ point: Point) -> Int {
    let left = (b.x - a.x).multipliedFullWidth(by: point.y - a.y)
    let right = (b.y - a.y).multipliedFullWidth(by: point.x - a.x)
    if left.high != right.high { return left.high > right.high ? 1 : -1 }
    return left.low == right.low ? 0 : left.low > right.low ? 1 : -1
  }
}

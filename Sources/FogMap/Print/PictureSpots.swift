import GridHash

/// Dots where an explored area is too small to be seen from afar, as on a map page.
/// `docs/formats/pictures.md` gives the rule.
struct PictureSpots: Sendable {
  /// The zoom from which on a walk is long enough to be seen.
  static let endZoom = 7.0
  /// The side, in pens, of the squares into which the picture is divided. Explored cells in the
  /// same square, or in squares that touch, are one area. The cells of a tile stay together: their
  /// center says which square they are in.
  static let spacing = 10.0
  /// The largest width and height of an area that gets a dot, in pens.
  static let largestExtent = 8.0
  /// The radius of a dot, and of the ring around it, in pens.
  static let radii = (dot: 4.0, ring: 5.5)

  /// The middle of each area that gets a dot, in pixels, in an order that depends only on the
  /// coverage and the view.
  let centers: [PicturePoint]

  /// Explored cells near each other.
  struct Area {
    /// The sum of the positions of the parts, each as often as it has cells, and those cells.
    var sum: PicturePoint
    var cells: Double
    /// The upper left and the lower right corner, in pixels.
    var low: PicturePoint
    var high: PicturePoint

    var center: PicturePoint { sum / cells }

    mutating func join(_ other: Area) {
      sum += other.sum
      cells += other.cells
      low = pointwiseMin(low, other.low)
      high = pointwiseMax(high, other.high)
    }
  }

  /// Finds the areas of a coverage on a view.
  ///
  /// - Complexity: O(s) for s squares that have explored cells.
  init(_ coverage: Coverage, on view: MapView, pen: Double) {
    guard view.zoom < Self.endZoom else {
      centers = []
      return
    }
    let side = Self.spacing * pen
    var parts: [SIMD2<Int32>: Area] = [:]
    var order: [SIMD2<Int32>] = []
    Self.forEachPart(of: coverage, on: view) { part in
      let place = Self.square(of: part.center, side: side)
      if parts[place]?.join(part) == nil {
        parts[place] = part
        order.append(place)
      }
    }
    var found: [PicturePoint] = []
    for place in order {
      guard let area = Self.take(place, from: &parts) else { continue }
      let extent = area.high - area.low
      if max(extent.x, extent.y) <= Self.largestExtent * pen { found.append(area.center) }
    }
    let reach = Self.radii.ring * pen
    let (left, top) = (Double(view.frame.x) - reach, Double(view.frame.y) - reach)
    let (width, height) = (Double(view.frame.width), Double(view.frame.height))
    centers = found.filter {
      left...left + width + 2 * reach ~= $0.x && top...top + height + 2 * reach ~= $0.y
    }
  }

  /// The square of pixels that a point is in. Points far outside the picture share the last ones.
  static func square(of point: PicturePoint, side: Double) -> SIMD2<Int32> {
    func number(_ value: Double) -> Int32 { Int32(max(-1e9, min(1e9, value)).rounded(.down)) }
    return SIMD2(number(point.x / side), number(point.y / side))
  }

  /// Removes a part and all that it is connected with; nil if it was taken before.
  private static func take(
    _ first: SIMD2<Int32>, from parts: inout [SIMD2<Int32>: Area]
  ) -> Area? {
    guard var area = parts.removeValue(forKey: first) else { return nil }
    var waiting = [first]
    while let place = waiting.popLast() {
      for down in Int32(-1)...1 {
        for right in Int32(-1)...1 {
          let next = place &+ SIMD2(right, down)
          guard let part = parts.removeValue(forKey: next) else { continue }
          area.join(part)
          waiting.append(next)
        }
      }
    }
    return area
  }

  /// Calls `body` with the explored cells of each square that is seen, as one part.
  static func forEachPart(of coverage: Coverage, on view: MapView, _ body: (Area) -> Void) {
    let index = SquareIndex(coverage)
    let step = index.step * .pi / 180
    var words = [UInt64](repeating: 0, count: 64)
    for key in index.keys {
      _ = words.withUnsafeMutableBufferPointer { coverage.copyTile(at: key, into: $0) }
      guard let south = words.firstIndex(where: { $0 != 0 }),
        let north = words.lastIndex(where: { $0 != 0 })
      else { continue }
      let columns = words.reduce(0, |)
      let (row, column) = Int(key).quotientAndRemainder(dividingBy: index.columnCount)
      let cells = CellBox(
        south: Double(row << 6 + south) * step - .pi / 2,
        north: Double(row << 6 + north + 1) * step - .pi / 2,
        west: Double(column << 6 + columns.trailingZeroBitCount) * step - .pi,
        east: Double(column << 6 + 64 - columns.leadingZeroBitCount) * step - .pi)
      guard let corners = cells.corners(on: view) else { continue }
      let count = Double(words.reduce(0) { $0 + $1.nonzeroBitCount })
      body(
        Area(
          sum: count * (corners.low + corners.high) / 2, cells: count, low: corners.low,
          high: corners.high))
    }
  }

  /// A dot around each center, as rings.
  func rings(radius: Double) -> [[PicturePoint]] {
    // An arc of 15° deviates from its chord by less than 1 % of the radius.
    let circle = (0..<24).map { step in
      let angle = Double(step) * .pi / 12
      return radius * PicturePoint(cosine(angle), -sine(angle))
    }
    return centers.map { center in circle.map { center + $0 } }
  }
}

/// The box around the explored cells of a square, in radians.
private struct CellBox {
  let south: Double
  let north: Double
  let west: Double
  let east: Double

  /// The upper left and the lower right corner on a picture; nil if it is not seen.
  func corners(on view: MapView) -> (low: PicturePoint, high: PicturePoint)? {
    let middle = Angles(latitude: (south + north) / 2, longitude: (west + east) / 2)
    switch view.projection {
    case .mercator: if abs(middle.latitude) > WebMercator.latitudeLimit { return nil }
    case .globe: if view.cosineFromCenter(middle) < 0.1 { return nil }
    case .equalEarth: break
    }
    let shift = (middle.longitude - view.center.longitude).remainder(dividingBy: 2 * .pi)
    let half = (east - west) / 2
    var (low, high) = (PicturePoint(repeating: .infinity), PicturePoint(repeating: -.infinity))
    for latitude in [south, min(north, .pi / 2)] {
      for east in [shift - half, shift + half] {
        let corner = view.point(latitude: latitude, east: east)
        (low, high) = (pointwiseMin(low, corner), pointwiseMax(high, corner))
      }
    }
    return (low, high)
  }
}

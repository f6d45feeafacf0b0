/// Projects the shapes of the base map onto a view.
struct ShapeProjector {
  let view: MapView
  let shapes: BaseShapes
  /// Points nearer to the one before than this are left out, in steps of the shapes.
  private let leastSteps: Int32
  /// Edges longer than this are divided, in steps of the shapes.
  private let mostSteps: Double
  private static let radians = Double.pi / 180 / BaseShapes.steps

  init(_ shapes: BaseShapes, on view: MapView) {
    (self.shapes, self.view) = (shapes, view)
    let pixel = 1 / (view.scale * Self.radians)
    leastSteps = Int32(min(2_000, 0.35 * pixel))
    // An arc of angle a deviates from its chord by a² / 8: by at most 0.05 pixels.
    mostSteps = max(20, min(2_000, (8 * 0.05 / view.scale).squareRoot() / Self.radians))
  }

  /// Calls `body` with each shape of a layer that may be seen: rings counterclockwise as seen,
  /// except for holes; or lines, divided where the map ends.
  ///
  /// - Parameter zoom: shapes of a higher rank are left out.
  func forEachShape(
    of layer: BaseShapes.Layer, zoom: Double, _ body: ([PicturePoint]) -> Void
  ) {
    for square in shapes.squares[layer.rawValue] {
      for turn in turns(of: square) {
        for index in square.shapes where Double(shapes.shapes[index].rank) <= zoom {
          if layer.isFilled {
            let ring = ring(shapes.shapes[index].points, turn)
            if ring.count > 2 { body(ring) }
          } else {
            forEachLine(shapes.shapes[index].points, turn, body)
          }
        }
      }
    }
  }

  /// The turns by which a square is moved to be seen; none if it is not seen.
  private func turns(of square: BaseShapes.Square) -> [Double] {
    let candidates: [Double] = view.projection == .globe ? [0] : [-360, 0, 360]
    return candidates.filter { turn in
      let west = square.west + turn - view.center.longitude * 180 / .pi
      if view.projection != .globe, west >= 180 || west + BaseShapes.side <= -180 { return false }
      var (low, high) = (PicturePoint(repeating: .infinity), PicturePoint(repeating: -.infinity))
      var nearest = -1.0
      for row in 0...4 {
        let latitude = (square.south + Double(row) / 4 * BaseShapes.side) * .pi / 180
        let parallel = view.parallel(latitude)
        for column in 0...4 {
          let east = (west + Double(column) / 4 * BaseShapes.side) * .pi / 180
          let found = view.point(parallel, view.meridian(east: east))
          let point = PicturePoint(found.x, found.y)
          (low, high) = (pointwiseMin(low, point), pointwiseMax(high, point))
          let angles = Angles(latitude: latitude, longitude: view.center.longitude + east)
          nearest = max(nearest, view.cosineFromCenter(angles))
        }
      }
      if view.projection == .globe, nearest < -0.05 { return false }
      let margin = (high - low) * 0.1 + 4
      let frame = view.frame
      return low.x - margin.x < Double(frame.x + frame.width) && high.x + margin.x > Double(frame.x)
        && low.y - margin.y < Double(frame.y + frame.height) && high.y + margin.y > Double(frame.y)
    }
  }

  private func point(_ x: Double, _ y: Double, _ turn: Double) -> PicturePoint {
    let latitude = max(-.pi / 2, min(.pi / 2, y * Self.radians - .pi / 2))
    let east = x * Self.radians - .pi + turn * .pi / 180 - view.center.longitude
    let found = view.point(view.parallel(latitude), view.meridian(east: east))
    return PicturePoint(found.x, found.y)
  }

  /// Calls `body` with the steps of a shape's points: those that are needed, and points between
  /// those that are far apart.
  @inline(__always)
  private func forEachStep(
    _ range: Range<Int>, closed isClosed: Bool, _ body: (Double, Double) -> Void
  ) {
    var last: (x: Int32, y: Int32)?
    let end = isClosed ? range.upperBound + 1 : range.upperBound
    for place in range.lowerBound..<end {
      let index = place == range.upperBound ? range.lowerBound : place
      let (x, y) = (shapes.longitudes[index], shapes.latitudes[index])
      guard let before = last else {
        last = (x, y)
        body(Double(x), Double(y))
        continue
      }
      let (east, north) = (x - before.x, y - before.y)
      if place + 1 < end, abs(east) <= leastSteps, abs(north) <= leastSteps { continue }
      let parts = (Double(max(abs(east), abs(north))) / mostSteps).rounded(.up)
      if parts > 1 {
        for part in 1..<Int(parts) {
          let share = Double(part) / parts
          body(Double(before.x) + share * Double(east), Double(before.y) + share * Double(north))
        }
      }
      if place < range.upperBound { body(Double(x), Double(y)) }
      last = (x, y)
    }
  }

  private func ring(_ range: Range<Int>, _ turn: Double) -> [PicturePoint] {
    var points: [PicturePoint] = []
    points.reserveCapacity(range.count)
    forEachStep(range, closed: true) { points.append(point($0, $1, turn)) }
    return points
  }

  /// Lines end at the far side of a globe, and 180° from the center.
  private func forEachLine(
    _ range: Range<Int>, _ turn: Double, _ body: ([PicturePoint]) -> Void
  ) {
    var line: [PicturePoint] = []
    forEachStep(range, closed: false) { x, y in
      let east = x * Self.radians - .pi + turn * .pi / 180 - view.center.longitude
      let isSeen =
        view.projection == .globe
        ? view.cosineFromCenter(
          Angles(
            latitude: y * Self.radians - .pi / 2, longitude: view.center.longitude + east)) > 0
        : abs(east) <= .pi
      if isSeen {
        line.append(point(x, y, turn))
      } else {
        if line.count > 1 { body(line) }
        line.removeAll(keepingCapacity: true)
      }
    }
    if line.count > 1 { body(line) }
  }
}

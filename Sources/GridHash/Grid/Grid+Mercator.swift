/// The cells that a pixel of a Web Mercator map gives (EPSG:3857), in a map that is a square of
/// `count` × `count` pixels: column 0 begins at 180° W, row 0 at 85.05° N.
///
/// A pixel gives the rows whose center it contains, or, if it contains none, the row of its own
/// center; columns alike. So a pixel that is smaller than a cell gives the one cell that contains
/// its center, a larger one the cells whose centers lie in it. Either way it touches each of them,
/// and the cells of several pixels are the union of those of each.
extension Grid {
  /// The columns that a column of pixels gives.
  ///
  /// Exact: pixels and cells are compared in integers. The largest is 2 × 360° in units × `count`,
  /// 6.7e17 for 2²² pixels.
  ///
  /// - Precondition: `count` is at most 2²² and greater than `pixel`, which is not negative.
  package func columns(ofMercatorColumn pixel: Int, of count: Int) -> Range<Int> {
    precondition(count <= 1 << 22 && (0..<count).contains(pixel), "a pixel of the map")
    let first = firstColumn(centeredFrom: pixel, of: count)
    let end = firstColumn(centeredFrom: pixel + 1, of: count)
    if first < end { return first..<end }
    let own = (2 * pixel + 1) * Grid.unitsAround / (2 * count * explorationRadiusMillimeters)
    return own..<own + 1
  }

  /// The first column whose center is not west of the western edge of a column of pixels.
  private func firstColumn(centeredFrom pixel: Int, of count: Int) -> Int {
    // The center of column c lies (2 c + 1) × millimeters / 2 units east of 180° W.
    let doubledEdge = 2 * pixel * Grid.unitsAround
    let step = 2 * explorationRadiusMillimeters * count
    let column = max(0, doubledEdge - step / 2 + step - 1) / step
    guard column >= columnCount - 1 else { return column }
    // The last column may be narrower, so its center is farther west than the formula has it.
    let (west, east) = columnEdges(columnCount - 1)
    return (west + east) * count >= doubledEdge ? columnCount - 1 : columnCount
  }

  /// The rows that a row of pixels gives. A pixel's center is that of the map, a little north of
  /// the middle of its latitudes in the northern hemisphere.
  ///
  /// Computed in Doubles: a center within some nanometers of an edge may fall on either side.
  ///
  /// - Precondition: `count` is positive and greater than `pixel`, which is not negative.
  package func rows(ofMercatorRow pixel: Int, of count: Int) -> Range<Int> {
    precondition((0..<count).contains(pixel), "a pixel of the map")
    let millimeters = Double(explorationRadiusMillimeters)
    func rowsNorth(of distance: Double) -> Double {
      let mercator = Double.pi * (1 - 2 * distance / Double(count))
      let latitude = arcTangent(hyperbolicSine(mercator)) * 180 / .pi
      return (latitude + 90) * Grid.unitsPerDegree / millimeters
    }
    // The center of row r lies r + 1/2 rows north of 90° S.
    let first = Int((rowsNorth(of: Double(pixel) + 1) - 0.5).rounded(.up))
    let end = Int((rowsNorth(of: Double(pixel)) - 0.5).rounded(.up))
    if first < end { return first..<end }
    let own = Int(rowsNorth(of: Double(pixel) + 0.5))
    return own..<own + 1
  }
}

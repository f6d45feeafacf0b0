import GridHash

/// The explored cells of a picture, ready to be drawn in bands of rows.
///
/// In Mercator and Equal Earth the share of a pixel is the explored part of its area on the sphere;
/// on a globe it is the explored part of its area on the picture. Each run of cells is drawn as a
/// quadrilateral whose edges bend by less than 0.02 pixels, so shares are exact but for that; in
/// Mercator the edges are straight, and shares are exact.
///
/// - Memory: the coverage, and under 32 bytes for each square of 64 × 64 cells.
package struct PictureCells: Sendable {
  /// The view.
  package let view: MapView
  /// The rows of pixels of a band.
  package let bandHeight: Int
  /// The most rows above and below a band that can be drawn with it.
  package let margin: Int
  private let index: SquareIndex
  /// The squares of each band, as ranges of the index's keys within one row of squares.
  private var bands: [[Range<Int>]] = []
  /// The step of the grid in radians.
  private let step: Double
  /// The most cells of a run that is drawn as one quadrilateral.
  private let longestRun: Int

  /// Prepares a coverage as it is now.
  ///
  /// - Complexity: O(s log s) for s squares that have explored cells.
  package init(_ coverage: Coverage, on view: MapView, bandHeight: Int, margin: Int = 0) {
    self.view = view
    self.margin = max(0, margin)
    self.bandHeight = max(1, bandHeight)
    index = SquareIndex(coverage)
    step = index.step * .pi / 180
    // An arc of angle a deviates from its chord by a² / 8.
    let longest = (8 * 0.02 / view.scale).squareRoot() / step
    longestRun = view.projection == .globe ? max(1, Int(min(64, longest))) : 64
    let rows = view.frame.y + view.frame.height
    bands = Array(repeating: [], count: (rows + self.bandHeight - 1) / self.bandHeight)
    view.projection == .globe ? sortOnGlobe() : sortRows()
  }

  /// Adds the cells that a band shows.
  ///
  /// - Parameters:
  ///   - margin: the rows above and below the band that are added too, up to ``margin``.
  ///   - sum: the columns of the picture, and the rows of the band with its margin.
  package func add(band: Int, margin: Int = 0, to sum: AreaSum) {
    guard bands.indices ~= band else { return }
    var drawing = BandDrawing(self, top: Double(band * bandHeight - margin), sum)
    for range in bands[band] { drawing.draw(range) }
  }

  // MARK: - Bands

  private mutating func insert(_ range: Range<Int>, from highest: Double, to lowest: Double) {
    let (top, bottom) = (highest - Double(margin), lowest + Double(margin))
    let (upper, lower) = (Double(view.frame.y), Double(view.frame.y + view.frame.height))
    guard bottom >= upper, top <= lower else { return }
    let first = Int(max(upper, top, 0)) / bandHeight
    let last = min(bands.count - 1, Int(min(bottom, lower)) / bandHeight)
    guard first <= last else { return }
    for band in first...last { bands[band].append(range) }
  }

  /// Sorts whole rows of squares.
  private mutating func sortRows() {
    var first = 0
    while first < index.keys.count {
      let row = Int(index.keys[first]) / index.columnCount
      let range = index.range(row: row, columns: 0...(index.columnCount - 1))
      let (south, north) = (latitude(ofEdge: row << 6), latitude(ofEdge: row << 6 + 64))
      insert(range, from: view.parallel(north).y - 1, to: view.parallel(south).y + 1)
      first = range.upperBound
    }
  }

  /// Sorts squares by the rows of pixels of some of their points.
  private mutating func sortOnGlobe() {
    // Between these points a side of a square bends by less.
    let quarter = 16 * step
    let bend = view.scale * quarter * quarter / 8 + 1
    for place in index.keys.indices {
      let (row, column) = Int(index.keys[place]).quotientAndRemainder(
        dividingBy: index.columnCount)
      var (top, bottom) = (Double.infinity, -Double.infinity)
      var nearest = -1.0
      for part in 0...4 {
        let parallel = view.parallel(latitude(ofEdge: row << 6 + 16 * part))
        let latitude = latitude(ofEdge: row << 6 + 16 * part)
        for other in 0...4 {
          let longitude = Double(column << 6 + 16 * other) * step - .pi
          let point = view.point(
            parallel, view.meridian(east: longitude - view.center.longitude))
          (top, bottom) = (min(top, point.y), max(bottom, point.y))
          nearest = max(
            nearest,
            view.cosineFromCenter(Angles(latitude: latitude, longitude: longitude)))
        }
      }
      if nearest < -quarter { continue }
      insert(place..<place + 1, from: top - bend, to: bottom + bend)
    }
  }

  private func latitude(ofEdge row: Int) -> Double {
    min(Double(row) * step, .pi) - .pi / 2
  }

  // MARK: - Drawing

  /// Draws the squares of one band.
  private struct BandDrawing {
    let cells: PictureCells
    let view: MapView
    let top: Double
    let sum: AreaSum
    private var words = [UInt64](repeating: 0, count: 64)
    /// The edges of the rows of cells of ``row``.
    private var parallels: [MapView.Parallel] = []
    private var row = -1
    private var meridians: [MapView.Meridian] = []

    init(_ cells: PictureCells, top: Double, _ sum: AreaSum) {
      (self.cells, view, self.top, self.sum) = (cells, cells.view, top, sum)
    }

    mutating func draw(_ range: Range<Int>) {
      for place in range {
        let key = Int(cells.index.keys[place])
        let (row, column) = key.quotientAndRemainder(dividingBy: cells.index.columnCount)
        if row != self.row { load(row) }
        _ = words.withUnsafeMutableBufferPointer {
          cells.index.coverage.copyTile(at: Int64(key), into: $0)
        }
        let west = Double(column << 6) * cells.step - .pi - view.center.longitude
        if view.projection == .globe {
          drawOnGlobe(west: west, columns: column)
        } else {
          for turn in [-2 * Double.pi, 0, 2 * Double.pi] {
            let (start, end) = (west + turn, west + turn + 64 * cells.step)
            if end > -Double.pi, start < Double.pi { draw(west: start, columns: column) }
          }
        }
      }
    }

    /// Finds the edges of the rows of cells of a row of squares.
    private mutating func load(_ row: Int) {
      self.row = row
      let limit = WebMercator.latitudeLimit
      parallels = (0...64).map { edge in
        let latitude = cells.latitude(ofEdge: row << 6 + edge)
        let parallel = view.parallel(latitude)
        if view.projection != .mercator { return parallel }
        return MapView.Parallel(
          length: parallel.length,
          y: view.rowOfEqualArea(parallel.y, sine: sine(max(-limit, min(limit, latitude)))))
      }
    }

    /// The angle from the western edge of a square to that of one of its columns; the last column
    /// of the grid may be narrower.
    private func width(_ columns: Int, in square: Int) -> Double {
      min(Double(columns), 2 * .pi / cells.step - Double(square << 6)) * cells.step
    }

    private func draw(west: Double, columns: Int) {
      let middle = view.middleColumn
      let reach = max(parallels[0].length, parallels[64].length, parallels[32].length)
      let ends = (west, west + 64 * cells.step)
      if middle + reach * max(ends.0, ends.1, 0) < 0 { return }
      for row in 0..<64 where words[row] != 0 {
        let (south, north) = (parallels[row], parallels[row + 1])
        let (bottom, top) = (south.y - self.top, north.y - self.top)
        if bottom <= 0 || top >= Double(sum.height) { continue }
        words[row].forEachRun { first, end in
          let left = max(-Double.pi, min(Double.pi, west + width(first, in: columns)))
          let right = max(-Double.pi, min(Double.pi, west + width(end, in: columns)))
          sum.addQuadrilateral(
            (middle + south.length * left, bottom), (middle + south.length * right, bottom),
            (middle + north.length * right, top), (middle + north.length * left, top))
        }
      }
    }

    private mutating func drawOnGlobe(west: Double, columns: Int) {
      meridians = (0...64).map { view.meridian(east: west + width($0, in: columns)) }
      let longest = cells.longestRun
      for row in 0..<64 where words[row] != 0 {
        let (south, north) = (parallels[row], parallels[row + 1])
        words[row].forEachRun { first, end in
          var start = first
          while start < end {
            let stop = min(end, start + longest)
            var corners = (
              view.point(south, meridians[start]), view.point(south, meridians[stop]),
              view.point(north, meridians[stop]), view.point(north, meridians[start])
            )
            corners.0.y -= top
            corners.1.y -= top
            corners.2.y -= top
            corners.3.y -= top
            sum.addQuadrilateral(corners.0, corners.1, corners.2, corners.3)
            start = stop
          }
        }
      }
    }
  }
}

extension AreaSum {
  /// Adds a quadrilateral from its corners, counterclockwise as seen.
  @inline(__always)
  func addQuadrilateral(
    _ one: (x: Double, y: Double), _ two: (x: Double, y: Double),
    _ three: (x: Double, y: Double), _ four: (x: Double, y: Double)
  ) {
    let (left, right) = (
      min(min(one.x, two.x), min(three.x, four.x)), max(max(one.x, two.x), max(three.x, four.x))
    )
    let (top, bottom) = (
      min(min(one.y, two.y), min(three.y, four.y)), max(max(one.y, two.y), max(three.y, four.y))
    )
    guard right > 0, left < Double(width), bottom > 0, top < Double(height) else {
      // What lies to the left is covered and uncovered again; elsewhere it is not seen.
      return
    }
    let (column, row) = (Int(max(left, 0)), Int(max(top, 0)))
    if left >= 0, top >= 0, right <= Double(min(column + 1, width)),
      bottom <= Double(min(row + 1, height))
    {
      let doubled =
        (three.x - one.x) * (four.y - two.y) - (four.x - two.x) * (three.y - one.y)
      add(abs(doubled) / 2, column: column, row: row)
      return
    }
    addEdge(one.x, one.y, two.x, two.y)
    addEdge(two.x, two.y, three.x, three.y)
    addEdge(three.x, three.y, four.x, four.y)
    addEdge(four.x, four.y, one.x, one.y)
  }
}

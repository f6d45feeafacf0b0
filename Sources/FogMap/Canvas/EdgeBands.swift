/// The edges of shapes, sorted by the bands of rows that they touch.
///
/// - Memory: 16 bytes for each edge and band.
package struct EdgeBands: Sendable {
  /// The rows of pixels of a band.
  package let bandHeight: Int
  private let width: Float
  private var bands: [[SIMD4<Float>]]

  /// Creates edges of no shape.
  package init(width: Int, height: Int, bandHeight: Int) {
    self.bandHeight = max(1, bandHeight)
    self.width = Float(width)
    bands = Array(repeating: [], count: (max(1, height) + self.bandHeight - 1) / self.bandHeight)
  }

  /// Whether a band shows no edge.
  package func isEmpty(band: Int) -> Bool { bands[band].isEmpty }

  /// Adds a ring, counterclockwise as seen; the first point follows the last one.
  package mutating func add(_ ring: [PicturePoint]) {
    guard var last = ring.last.map({ SIMD2<Float>($0) }) else { return }
    let height = Float(bandHeight)
    for point in ring {
      let next = SIMD2<Float>(point)
      defer { last = next }
      let (top, bottom) = (min(last.y, next.y), max(last.y, next.y))
      guard top < bottom, bottom > 0, top < height * Float(bands.count),
        min(last.x, next.x) < width
      else { continue }
      let first = Int(max(0, top) / height)
      let end = min(bands.count - 1, Int(min(bottom, height * Float(bands.count)) / height))
      guard first <= end else { continue }
      for band in first...end { bands[band].append(SIMD4(lowHalf: last, highHalf: next)) }
    }
  }

  /// Adds the outline of a line.
  package mutating func add(line: [PicturePoint], width: Double) {
    if let ring = Stroker.outline(line, width: width) { add(ring) }
  }

  /// Adds the edges of a band to a sum of its rows.
  package func draw(band: Int, to sum: AreaSum) {
    let top = Double(band * bandHeight)
    for edge in bands[band] {
      sum.addEdge(Double(edge.x), Double(edge.y) - top, Double(edge.z), Double(edge.w) - top)
    }
  }
}

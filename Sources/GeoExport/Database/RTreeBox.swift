/// A box of an R-tree: 4-byte numbers, because SQLite's R-trees have no others.
struct RTreeBox: Hashable {
  /// Minimum x, minimum y, maximum x, maximum y.
  private(set) var edges: SIMD4<Float>

  /// The smallest box around a box of 8-byte numbers: minima are rounded down and maxima up, so
  /// that a search never misses a feature. It is at most as large as the one that SQLite makes,
  /// which may round a unit further.
  init(_ bounds: ExportBounds) {
    edges = [
      Self.down(bounds.minX), Self.down(bounds.minY), Self.up(bounds.maxX), Self.up(bounds.maxY),
    ]
  }

  /// Grows to include a box.
  mutating func include(_ other: RTreeBox) {
    edges.lowHalf = pointwiseMin(edges.lowHalf, other.edges.lowHalf)
    edges.highHalf = pointwiseMax(edges.highHalf, other.edges.highHalf)
  }

  /// Twice the center.
  var doubledCenter: SIMD2<Float> { edges.lowHalf + edges.highHalf }

  private static func down(_ value: Double) -> Float {
    let nearest = Float(value)
    return Double(nearest) > value ? nearest.nextDown : nearest
  }

  private static func up(_ value: Double) -> Float {
    let nearest = Float(value)
    return Double(nearest) < value ? nearest.nextUp : nearest
  }
}

/// The Hilbert curve through a grid of 65,536 by 65,536 cells: cells near each other on the curve
/// are near each other in the plane.
///
/// - Source: D. Hilbert, "Ueber die stetige Abbildung einer Linie auf ein Flächenstück",
///   Mathematische Annalen 38 (1891).
enum HilbertCurve {
  /// The last cell of a row or a column.
  static let lastCell: UInt32 = 0xFFFF

  /// The place of a cell on the curve, which begins in the corner (0, 0).
  ///
  /// Each step chooses a quarter of the square. The curve in the first and the last quarter is
  /// mirrored, so the coordinates are, too.
  static func place(x: UInt32, y: UInt32) -> UInt32 {
    var (x, y) = (x, y)
    var place: UInt32 = 0
    for bit in stride(from: UInt32(15), through: 0, by: -1) {
      let (right, upper) = (x >> bit & 1, y >> bit & 1)
      place = place << 2 | (3 * right) ^ upper
      if upper == 0 {
        if right == 1 { (x, y) = (~x, ~y) }
        swap(&x, &y)
      }
    }
    return place
  }

  /// The place of the center of a box in an extent that contains it.
  static func place(of box: ExportBounds, in extent: ExportBounds) -> UInt32 {
    place(
      x: cell((box.minX + box.maxX) / 2, extent.minX, extent.maxX),
      y: cell((box.minY + box.maxY) / 2, extent.minY, extent.maxY))
  }

  private static func cell(_ value: Double, _ low: Double, _ high: Double) -> UInt32 {
    guard high > low else { return 0 }
    let scaled = (value - low) / (high - low) * Double(lastCell)
    return UInt32(min(max(scaled, 0), Double(lastCell)))
  }
}

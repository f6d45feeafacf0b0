/// The order of features in a file: along the Hilbert curve through a grid of 65,536 by 65,536
/// cells that covers their extent.
enum FeatureCurve {
  /// The last cell of a row or a column.
  static let lastCell: UInt32 = 0xFFFF

  /// The place of a cell on the curve, which begins in the corner (0, 0).
  static func place(x: UInt32, y: UInt32) -> UInt32 {
    UInt32(HilbertCurve.place(x: x, y: y, bits: 16))
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

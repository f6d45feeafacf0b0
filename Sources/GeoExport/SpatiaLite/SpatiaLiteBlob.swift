/// The geometries of SpatiaLite.
///
/// A blob is `00 01`, the number of the coordinate system, the bounds (minimum x, minimum y,
/// maximum x, maximum y), `7C`, the geometry as in well-known binary without its byte order, and
/// `FE`; all numbers are little-endian.
///
/// - Source: "BLOB-Geometry internal format", the SpatiaLite project.
enum SpatiaLiteBlob {
  /// Appends a geometry. Lines have measures.
  static func append(
    _ geometry: ExportGeometry, _ bounds: ExportBounds, _ shape: ExportLayer.Shape,
    to bytes: inout [UInt8]
  ) {
    bytes.append(contentsOf: [0x00, 0x01])
    bytes.append(littleEndian: Int32(SpatiaLiteSchema.system))
    for edge in [bounds.minX, bounds.minY, bounds.maxX, bounds.maxY] {
      bytes.append(littleEndian: edge)
    }
    let mark = bytes.count
    WellKnownBinary.append(geometry, shape, measured: shape == .line, to: &bytes)
    bytes[mark] = 0x7C  // instead of the byte order
    bytes.append(0xFE)
  }
}

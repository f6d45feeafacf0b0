/// The geometries of a GeoPackage: a header, and well-known binary.
///
/// - Source: OGC 12-128r17, clause 2.1.3.1.1, table 4.
enum GeoPackageBinary {
  /// Appends a geometry in little-endian byte order. Lines have measures. The header of a point has
  /// no envelope, which would only repeat the position.
  static func append(
    _ geometry: ExportGeometry, _ bounds: ExportBounds, _ shape: ExportLayer.Shape,
    to bytes: inout [UInt8]
  ) {
    let hasEnvelope = shape != .point
    // "GP", version 1, and flags: bit 0 little-endian, bits 1 to 3 the kind of envelope, 1 without
    // heights and measures.
    bytes.append(contentsOf: [0x47, 0x50, 0, hasEnvelope ? 0b0011 : 0b0001])
    bytes.append(littleEndian: Int32(GeoPackageSchema.system))
    if hasEnvelope {
      for edge in [bounds.minX, bounds.maxX, bounds.minY, bounds.maxY] {
        bytes.append(littleEndian: edge)
      }
    }
    WellKnownBinary.append(geometry, shape, measured: shape == .line, to: &bytes)
  }
}

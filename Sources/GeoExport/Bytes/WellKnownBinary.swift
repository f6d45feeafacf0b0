/// Well-known binary (WKB): a geometry as bytes.
///
/// - Source: OGC 06-103r4, "Simple feature access, part 1", clause 8.2; the codes of measured
///   geometries (2000 + code) are those of its ISO form.
package enum WellKnownBinary {
  /// Appends a geometry in little-endian byte order.
  ///
  /// - Parameter isMeasured: whether the positions of lines have their measure.
  package static func append(
    _ geometry: ExportGeometry, _ shape: ExportLayer.Shape, measured isMeasured: Bool = false,
    to bytes: inout [UInt8]
  ) {
    bytes.append(1)
    switch shape {
    case .point:
      bytes.append(littleEndian: UInt32(1))
      append(geometry, 0..<1, measured: false, to: &bytes)
    case .line:
      bytes.append(littleEndian: UInt32(isMeasured ? 2002 : 2))
      bytes.append(littleEndian: UInt32(geometry.count))
      append(geometry, 0..<geometry.count, measured: isMeasured, to: &bytes)
    case .polygon:
      bytes.append(littleEndian: UInt32(3))
      bytes.append(littleEndian: UInt32(geometry.ringEnds.count))
      var start = 0
      for end in geometry.ringEnds {
        bytes.append(littleEndian: UInt32(end - start))
        append(geometry, start..<end, measured: false, to: &bytes)
        start = end
      }
    }
  }

  private static func append(
    _ geometry: ExportGeometry, _ positions: Range<Int>, measured isMeasured: Bool,
    to bytes: inout [UInt8]
  ) {
    for position in positions {
      bytes.append(littleEndian: geometry.coordinates[2 * position])
      bytes.append(littleEndian: geometry.coordinates[2 * position + 1])
      if isMeasured { bytes.append(littleEndian: geometry.measures[position]) }
    }
  }
}

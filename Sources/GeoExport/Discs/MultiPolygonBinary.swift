import ByteStreams

/// Polygons as well-known binary, the way they go to GEOS and come back.
enum MultiPolygonBinary {
  /// The bytes of a multipolygon.
  static func bytes(of polygons: [ExportGeometry]) -> [UInt8] {
    var bytes: [UInt8] = [1]
    bytes.append(littleEndian: UInt32(6))
    bytes.append(littleEndian: UInt32(polygons.count))
    for polygon in polygons { WellKnownBinary.append(polygon, .polygon, to: &bytes) }
    return bytes
  }

  /// The polygons in a little-endian polygon, multipolygon or collection; nil for other bytes.
  static func polygons(in bytes: [UInt8]) -> [ExportGeometry]? {
    var reader = Reader(bytes: bytes)
    var result: [ExportGeometry] = []
    return reader.read(into: &result) ? result : nil
  }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0

    mutating func read(into result: inout [ExportGeometry]) -> Bool {
      guard place < bytes.count, bytes[place] == 1 else { return false }
      place += 1
      guard let kind = number(), let count = number() else { return false }
      switch kind {
      case 3:
        var polygon = ExportGeometry()
        for _ in 0..<count { guard ring(into: &polygon) else { return false } }
        if polygon.count > 0 { result.append(polygon) }
        return true
      case 6, 7:
        for _ in 0..<count { guard read(into: &result) else { return false } }
        return true
      default: return false
      }
    }

    private mutating func ring(into polygon: inout ExportGeometry) -> Bool {
      guard let count = number(), count <= (bytes.count - place) / 16 else { return false }
      for _ in 0..<count { polygon.append(x: real(), y: real()) }
      polygon.endRing()
      return true
    }

    private mutating func number() -> Int? {
      guard bytes.count - place >= 4 else { return nil }
      defer { place += 4 }
      return (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }

    /// - Precondition: eight bytes are left.
    private mutating func real() -> Double {
      defer { place += 8 }
      var bits: UInt64 = 0
      for index in 0..<8 { bits |= UInt64(bytes[place + index]) << UInt64(8 * index) }
      return Double(bitPattern: bits)
    }
  }
}

import Testing

@testable import GeoExport

@Suite struct FlatGeobufFeatureTests {
  private func bytes(
    _ shape: ExportLayer.Shape, _ values: [ExportValue], _ fill: (inout ExportGeometry) -> Void
  ) throws -> [UInt8] {
    var feature = ExportFeature()
    fill(&feature.geometry)
    feature.values = values
    var bytes: [UInt8] = []
    try FlatGeobufFeature.append(feature, of: ExportSamples.layer(shape), to: &bytes)
    return bytes
  }

  @Test func `a point is two tables, its position and its properties`() throws {
    let bytes = try bytes(.point, [.null, .text("é"), .null, .boolean(true)]) {
      $0.append(x: 1, y: -2)
    }
    #expect(
      bytes == [
        76, 0, 0, 0,  // the bytes that follow
        12, 0, 0, 0,  // the feature is at 16
        8, 0, 12, 0, 4, 0, 8, 0,  // its virtual table
        8, 0, 0, 0,  // the feature
        16, 0, 0, 0,  // its geometry is at 36
        40, 0, 0, 0,  // its properties are at 64
        8, 0, 8, 0, 0, 0, 4, 0,  // the virtual table of the geometry: `xy`
        8, 0, 0, 0,  // the geometry
        4, 0, 0, 0,  // its positions are at 44
        2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0xC0,
        11, 0, 0, 0,  // the properties
        1, 0, 2, 0, 0, 0, 0xC3, 0xA9,
        3, 0, 1,
        0,  // up to a multiple of 8
      ])
  }

  @Test func `a line without values has its positions and measures`() throws {
    let bytes = try bytes(.line, [.null, .null]) {
      $0.append(x: 1, y: 2, measure: 5)
      $0.append(x: 3, y: 4, measure: .nan)
    }
    var reader = FlatBufferReader(bytes)
    let geometry = reader.table(0, of: reader.reference(at: 4)) ?? 0
    #expect(reader.doubles(1, of: geometry) == [1, 2, 3, 4])
    let measures = reader.doubles(3, of: geometry) ?? []
    #expect(measures.count == 2 && measures[0] == 5 && measures[1].isNaN)
    #expect(reader.field(0, of: geometry) == nil, "a line has no rings")
    #expect(reader.vector(1, of: reader.reference(at: 4), width: 1) == [])
    #expect(reader.misaligned == 0)
    #expect(bytes.count % 8 == 0)
  }

  @Test func `a polygon lists the end of each ring`() throws {
    let bytes = try bytes(.polygon, [.integer(-1)]) {
      for corner in 0..<4 { $0.append(x: Double(corner % 3), y: Double(corner % 2)) }
      $0.endRing()
      for corner in 0..<5 { $0.append(x: Double(corner % 4), y: Double(corner % 2)) }
      $0.endRing()
    }
    var reader = FlatBufferReader(bytes)
    let feature = reader.reference(at: 4)
    let geometry = reader.table(0, of: feature) ?? 0
    #expect(reader.doubles(1, of: geometry)?.count == 18)
    let ends = reader.vector(0, of: geometry, width: 4) ?? []
    #expect(ends.map { reader.number($0, width: 4) } == [4, 9])
    let properties = (reader.vector(1, of: feature, width: 1) ?? []).map { bytes[$0] }
    #expect(properties == [0, 0, 255, 255, 255, 255, 255, 255, 255, 255])
    #expect(reader.misaligned == 0)
  }

  @Test func `a time is a text in ISO 8601`() throws {
    let bytes = try bytes(.point, [.time(1_714_557_600_000), .time(5)]) { $0.append(x: 0, y: 0) }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("2024-05-01T10:00:00Z"))
    #expect(text.contains("1970-01-01T00:00:00.005Z"))
  }
}

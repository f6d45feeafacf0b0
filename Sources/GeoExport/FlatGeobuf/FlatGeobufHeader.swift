/// The beginning of a FlatGeobuf file: its magic number, and what its features are.
///
/// - Source: the specification of FlatGeobuf 3.0, `header.fbs`.
enum FlatGeobufHeader {
  /// The magic number: `fgb`, major version 3, `fgb`, patch version 1.
  static let magic: [UInt8] = [0x66, 0x67, 0x62, 3, 0x66, 0x67, 0x62, 1]

  /// The beginning of a file.
  ///
  /// - Parameters:
  ///   - extent: the box around all features; nil if there is none.
  ///   - nodeSize: the number of children of a node of the index; 0 without an index.
  static func bytes(
    _ layer: ExportLayer, count: Int, extent: ExportBounds?, nodeSize: Int
  ) -> [UInt8] {
    var buffer = FlatBuffer()
    let fields = buffer.appendTable(
      at: FlatBuffer.root,
      [
        .reference,  // name
        extent == nil ? nil : .reference,  // envelope
        .byte(geometryType(layer.shape)),
        nil,  // has_z
        layer.shape == .line ? .byte(1) : nil,  // has_m
        nil,  // has_t
        nil,  // has_tm
        .reference,  // columns
        .long(UInt64(count)),  // features_count
        .short(UInt16(nodeSize)),  // index_node_size, 16 if absent
        .reference,  // crs
        .reference,  // title
        .reference,  // description
      ])
    buffer.appendString(at: fields[0], layer.name)
    if let extent {
      buffer.appendVector(
        at: fields[1], [extent.minX, extent.minY, extent.maxX, extent.maxY])
    }
    let columns = buffer.appendReferences(at: fields[7], count: layer.fields.count)
    for (field, place) in zip(layer.fields, columns) { append(field, at: place, to: &buffer) }
    let system = buffer.appendTable(
      at: fields[10],
      [
        .reference,  // org
        .int(4326),  // code
        .reference,  // name
      ])
    buffer.appendString(at: system[0], "EPSG")
    buffer.appendString(at: system[2], "WGS 84")
    buffer.appendString(at: fields[11], layer.title)
    buffer.appendString(at: fields[12], layer.summary)
    buffer.finish()
    return magic + buffer.bytes
  }

  private static func append(_ field: ExportField, at place: Int, to buffer: inout FlatBuffer) {
    let column = buffer.appendTable(
      at: place,
      [
        .reference,  // name
        .byte(columnType(field.kind)),
        nil,  // title
        .reference,  // description
      ])
    buffer.appendString(at: column[0], field.name)
    buffer.appendString(at: column[3], field.summary)
  }

  /// The codes of `GeometryType`, which are those of well-known binary.
  private static func geometryType(_ shape: ExportLayer.Shape) -> UInt8 {
    switch shape {
    case .point: 1
    case .line: 2
    case .polygon: 3
    }
  }

  /// The codes of `ColumnType`.
  private static func columnType(_ kind: ExportField.Kind) -> UInt8 {
    switch kind {
    case .boolean: 2  // Bool
    case .integer: 7  // Long
    case .real: 10  // Double
    case .text: 11  // String
    case .time: 13  // DateTime
    }
  }
}

/// Writes one layer as CSV: a row of names, then a row per feature.
///
/// Points have the columns `longitude` and `latitude` first; other shapes have a last column
/// `geometry` in well-known text.
///
/// - Memory: the stream's buffer, whatever the size of a geometry.
/// - Source: RFC 4180, except that rows end with a line feed; OGC 06-103r4, clause 7 (well-known
///   text). `docs/formats/exports-text.md` states the choices.
package final class CSVWriter: LayerWriter {
  private let stream: ExportStream
  private var shape = ExportLayer.Shape.point
  private var hasLayer = false

  /// Creates a writer.
  package init(_ stream: ExportStream) { self.stream = stream }

  package func begin(_ layer: ExportLayer) throws(ExportFailure) {
    guard !hasLayer else { throw .failed(reason: "a CSV file has one layer") }
    (hasLayer, shape) = (true, layer.shape)
    let fields = layer.fields.map(\.name)
    let names =
      shape == .point ? ["longitude", "latitude"] + fields : fields + ["geometry"]
    for (index, name) in names.enumerated() {
      if index > 0 { stream.buffer.append(Text.comma) }
      stream.buffer.appendCSV(name)
    }
    stream.buffer.append(Text.lineEnd)
  }

  package func add(_ feature: ExportFeature) throws(ExportFailure) {
    if shape == .point {
      feature.geometry.appendPosition(0, separator: Text.comma, to: &stream.buffer)
    }
    for (index, value) in feature.values.enumerated() {
      if index > 0 || shape == .point { stream.buffer.append(Text.comma) }
      if case .text(let text) = value {
        stream.buffer.appendCSV(text)
      } else {
        value.appendPlain(to: &stream.buffer)
      }
    }
    if shape != .point {
      if !feature.values.isEmpty { stream.buffer.append(Text.comma) }
      try append(feature.geometry)
    }
    stream.buffer.append(Text.lineEnd)
    try stream.flushIfFull()
  }

  package func end() {}

  package func finish() throws(ExportFailure) { try stream.flush() }

  /// Appends a line or polygon as well-known text in quotation marks, since it has commas.
  private func append(_ geometry: ExportGeometry) throws(ExportFailure) {
    stream.buffer.append(Text.quote)
    if shape == .line {
      stream.buffer.append(contentsOf: Text.line)
      try appendPositions(0..<geometry.count, of: geometry)
    } else {
      stream.buffer.append(contentsOf: Text.polygon)
      for (index, ring) in geometry.rings.enumerated() {
        if index > 0 { stream.buffer.append(contentsOf: Text.separator) }
        try appendPositions(ring, of: geometry)
      }
      stream.buffer.append(Text.close)
    }
    stream.buffer.append(Text.quote)
  }

  private func appendPositions(
    _ positions: Range<Int>, of geometry: ExportGeometry
  ) throws(ExportFailure) {
    stream.buffer.append(Text.open)
    try stream.appendEach(positions) { position, bytes in
      if position > positions.lowerBound { bytes.append(contentsOf: Text.separator) }
      geometry.appendPosition(position, separator: Text.blank, to: &bytes)
    }
    stream.buffer.append(Text.close)
  }

  private enum Text {
    static let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
    static let (open, close) = (UInt8(ascii: "("), UInt8(ascii: ")"))
    static let (blank, lineEnd) = (UInt8(ascii: " "), UInt8(ascii: "\n"))
    static let separator = Array(", ".utf8)
    static let line = Array("LINESTRING ".utf8)
    static let polygon = Array("POLYGON (".utf8)
  }
}

/// Writes layers as GeoJSON: one collection of the features of all layers, or one feature per line.
///
/// - Memory: the stream's buffer, whatever the size of a geometry.
/// - Source: RFC 7946. `docs/formats/exports-text.md` states the choices.
package final class GeoJSONWriter: LayerWriter {
  /// The forms of a file.
  package enum Form: Hashable, Sendable {
    /// One `FeatureCollection`.
    case collection
    /// One `Feature` per line, without the record separators of RFC 8142.
    case lines
  }

  private let stream: ExportStream
  private let form: Form
  private let hasLayerNames: Bool
  private var shape = ExportLayer.Shape.point
  /// What comes before the first property, and before the value of each.
  private var start: [UInt8] = []
  private var names: [[UInt8]] = []
  private var hasFeatures = false

  /// Creates a writer.
  ///
  /// - Parameter layerCount: the number of layers that will be written. If it is more than 1, the
  ///   first property of each feature is `layer`, the name of its layer.
  package init(_ stream: ExportStream, form: Form, layerCount: Int) {
    (self.stream, self.form, hasLayerNames) = (stream, form, layerCount > 1)
    if form == .collection {
      stream.buffer.append(contentsOf: #"{"type":"FeatureCollection","features":["#.utf8)
    }
  }

  package func begin(_ layer: ExportLayer) {
    shape = layer.shape
    start = Array(#"{"type":"Feature","properties":{"#.utf8)
    if hasLayerNames {
      start += Array(#""layer":"#.utf8)
      start.appendJSON(layer.name)
    }
    names = layer.fields.enumerated().map { index, field in
      var name: [UInt8] = index > 0 || hasLayerNames ? [UInt8(ascii: ",")] : []
      name.appendJSON(field.name)
      return name + [UInt8(ascii: ":")]
    }
  }

  package func add(_ feature: ExportFeature) throws(ExportFailure) {
    switch form {
    case .collection:
      stream.buffer.append(contentsOf: hasFeatures ? Text.nextFeature : Text.lineEnd)
    case .lines: break
    }
    hasFeatures = true
    stream.buffer.append(contentsOf: start)
    for (name, value) in zip(names, feature.values) {
      stream.buffer.append(contentsOf: name)
      Self.append(value, to: &stream.buffer)
    }
    if shape == .line { try appendTimes(of: feature.geometry) }
    stream.buffer.append(contentsOf: Text.geometry)
    try append(feature.geometry)
    stream.buffer.append(contentsOf: Text.featureEnd)
    if form == .lines { stream.buffer.append(contentsOf: Text.lineEnd) }
    try stream.flushIfFull()
  }

  package func end() {}

  package func finish() throws(ExportFailure) {
    if form == .collection { stream.buffer.append(contentsOf: "\n]}\n".utf8) }
    try stream.flush()
  }

  // MARK: - Parts of a feature

  private static func append(_ value: ExportValue, to bytes: inout [UInt8]) {
    switch value {
    case .null: bytes.append(contentsOf: Text.null)
    case .text(let text): bytes.appendJSON(text)
    case .time(let milliseconds):
      bytes.append(Text.quote)
      bytes.appendTime(milliseconds: milliseconds)
      bytes.append(Text.quote)
    case .integer, .real, .boolean: value.appendPlain(to: &bytes)
    }
  }

  /// Appends the property `times` of a line.
  private func appendTimes(of geometry: ExportGeometry) throws(ExportFailure) {
    stream.buffer.append(contentsOf: names.isEmpty && !hasLayerNames ? Text.onlyTimes : Text.times)
    try stream.appendEach(0..<geometry.count) { position, bytes in
      if position > 0 { bytes.append(Text.comma) }
      let time = geometry.milliseconds(at: position)
      Self.append(time.map { .time($0) } ?? .null, to: &bytes)
    }
    stream.buffer.append(Text.close)
  }

  /// Appends the type and the coordinates of a geometry.
  private func append(_ geometry: ExportGeometry) throws(ExportFailure) {
    switch shape {
    case .point:
      stream.buffer.append(contentsOf: Text.point)
      geometry.appendPair(0, to: &stream.buffer)
    case .line:
      stream.buffer.append(contentsOf: Text.line)
      try appendPositions(0..<geometry.count, of: geometry)
    case .polygon:
      stream.buffer.append(contentsOf: Text.polygon)
      for (index, ring) in geometry.rings.enumerated() {
        if index > 0 { stream.buffer.append(Text.comma) }
        try appendPositions(ring, of: geometry)
      }
      stream.buffer.append(Text.close)
    }
  }

  private func appendPositions(
    _ positions: Range<Int>, of geometry: ExportGeometry
  ) throws(ExportFailure) {
    stream.buffer.append(Text.open)
    try stream.appendEach(positions) { position, bytes in
      if position > positions.lowerBound { bytes.append(Text.comma) }
      geometry.appendPair(position, to: &bytes)
    }
    stream.buffer.append(Text.close)
  }

  fileprivate enum Text {
    static let (comma, quote) = (UInt8(ascii: ","), UInt8(ascii: "\""))
    static let (open, close) = (UInt8(ascii: "["), UInt8(ascii: "]"))
    static let lineEnd = Array("\n".utf8)
    static let nextFeature = Array(",\n".utf8)
    static let null = Array("null".utf8)
    static let times = Array(#","times":["#.utf8)
    static let onlyTimes = Array(#""times":["#.utf8)
    static let geometry = Array(#"},"geometry":{"type":"#.utf8)
    static let point = Array(#""Point","coordinates":"#.utf8)
    static let line = Array(#""LineString","coordinates":"#.utf8)
    static let polygon = Array(#""Polygon","coordinates":["#.utf8)
    static let featureEnd = Array("}}".utf8)
  }
}

extension ExportGeometry {
  /// Appends a position as an array of longitude and latitude.
  @inline(__always)
  fileprivate func appendPair(_ position: Int, to bytes: inout [UInt8]) {
    bytes.append(GeoJSONWriter.Text.open)
    appendPosition(position, separator: GeoJSONWriter.Text.comma, to: &bytes)
    bytes.append(GeoJSONWriter.Text.close)
  }
}

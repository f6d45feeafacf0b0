/// Writes layers as KML 2.2: a document in the document per layer, and a placemark per feature.
///
/// A layer is a `Document` and not a `Folder`, because only a document may describe its columns.
/// GDAL finds that description in a KMZ file only if it is in the document of the layer.
///
/// - Memory: the stream's buffer, whatever the size of a geometry.
/// - Source: OGC 07-147r2, "OGC KML" 2.2.0, and Google's extensions for tracks (`gx`).
///   `docs/formats/exports-text.md` states the choices.
package final class KMLWriter: LayerWriter {
  private let stream: ExportStream
  private var layout = KMLLayout()

  /// Creates a writer.
  ///
  /// - Parameter title: the name of the whole document.
  package init(_ stream: ExportStream, title: String) {
    self.stream = stream
    stream.buffer.append(contentsOf: Text.start)
    stream.buffer.append(contentsOf: "<name>".utf8)
    stream.buffer.appendXML(title)
    stream.buffer.append(contentsOf: "</name>\n".utf8)
    for style in KMLStyle.allCases { stream.buffer.append(contentsOf: style.element.utf8) }
  }

  package func begin(_ layer: ExportLayer) {
    layout = KMLLayout(layer)
    stream.buffer.append(contentsOf: "<Document>\n<name>".utf8)
    stream.buffer.appendXML(layer.title)
    stream.buffer.append(contentsOf: "</name>\n<description>".utf8)
    stream.buffer.appendXML(layer.summary)
    stream.buffer.append(contentsOf: "</description>\n".utf8)
    stream.buffer.appendSchema(of: layer)
  }

  package func add(_ feature: ExportFeature) throws(ExportFailure) {
    stream.buffer.append(contentsOf: Text.placemark)
    layout.appendName(of: feature, to: &stream.buffer)
    layout.appendTimes(of: feature, to: &stream.buffer)
    layout.appendData(of: feature, to: &stream.buffer)
    switch layout.shape {
    case .point:
      stream.buffer.append(contentsOf: Text.point)
      feature.geometry.appendPosition(0, separator: Text.comma, to: &stream.buffer)
      stream.buffer.append(contentsOf: Text.pointEnd)
    case .line: try appendLine(feature.geometry)
    case .polygon: try appendPolygon(feature.geometry)
    }
    stream.buffer.append(contentsOf: Text.placemarkEnd)
    try stream.flushIfFull()
  }

  package func end() { stream.buffer.append(contentsOf: "</Document>\n".utf8) }

  package func finish() throws(ExportFailure) {
    stream.buffer.append(contentsOf: "</Document>\n</kml>\n".utf8)
    try stream.flush()
  }

  // MARK: - Geometries

  /// Appends a track, or a line if a position has no time: the schema has no empty time.
  private func appendLine(_ geometry: ExportGeometry) throws(ExportFailure) {
    let all = 0..<geometry.count
    guard all.allSatisfy({ geometry.milliseconds(at: $0) != nil }) else {
      stream.buffer.append(contentsOf: Text.line)
      try appendPositions(all, of: geometry)
      stream.buffer.append(contentsOf: Text.lineEnd)
      return
    }
    stream.buffer.append(contentsOf: Text.track)
    try stream.appendEach(all) { position, bytes in
      bytes.append(contentsOf: Text.when)
      bytes.appendTime(milliseconds: geometry.milliseconds(at: position) ?? 0)
      bytes.append(contentsOf: Text.whenEnd)
    }
    try stream.appendEach(all) { position, bytes in
      bytes.append(contentsOf: Text.coord)
      geometry.appendPosition(position, separator: Text.blank, to: &bytes)
      bytes.append(contentsOf: Text.coordEnd)
    }
    stream.buffer.append(contentsOf: Text.trackEnd)
  }

  private func appendPolygon(_ geometry: ExportGeometry) throws(ExportFailure) {
    stream.buffer.append(contentsOf: Text.polygon)
    for (index, ring) in geometry.rings.enumerated() {
      stream.buffer.append(contentsOf: index == 0 ? Text.outer : Text.inner)
      try appendPositions(ring, of: geometry)
      stream.buffer.append(contentsOf: index == 0 ? Text.outerEnd : Text.innerEnd)
    }
    stream.buffer.append(contentsOf: Text.polygonEnd)
  }

  private func appendPositions(
    _ positions: Range<Int>, of geometry: ExportGeometry
  ) throws(ExportFailure) {
    try stream.appendEach(positions) { position, bytes in
      if position > positions.lowerBound { bytes.append(Text.blank) }
      geometry.appendPosition(position, separator: Text.comma, to: &bytes)
    }
  }

  private enum Text {
    static let (comma, blank) = (UInt8(ascii: ","), UInt8(ascii: " "))
    static let start = Array(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
      <Document>

      """.utf8)
    static let placemark = Array("<Placemark><name>".utf8)
    static let placemarkEnd = Array("</Placemark>\n".utf8)
    static let point = Array("<Point><coordinates>".utf8)
    static let pointEnd = Array("</coordinates></Point>".utf8)
    static let line = Array("<LineString><tessellate>1</tessellate><coordinates>".utf8)
    static let lineEnd = Array("</coordinates></LineString>".utf8)
    static let track = Array("<gx:Track>\n".utf8)
    static let when = Array("<when>".utf8)
    static let whenEnd = Array("</when>\n".utf8)
    static let coord = Array("<gx:coord>".utf8)
    // The form has three numbers; without an altitude mode, the height does not count.
    static let coordEnd = Array(" 0</gx:coord>\n".utf8)
    static let trackEnd = Array("</gx:Track>".utf8)
    static let polygon = Array("<Polygon><tessellate>1</tessellate>".utf8)
    static let outer = Array("<outerBoundaryIs><LinearRing><coordinates>".utf8)
    static let outerEnd = Array("</coordinates></LinearRing></outerBoundaryIs>".utf8)
    static let inner = Array("<innerBoundaryIs><LinearRing><coordinates>".utf8)
    static let innerEnd = Array("</coordinates></LinearRing></innerBoundaryIs>".utf8)
    static let polygonEnd = Array("</Polygon>".utf8)
  }
}

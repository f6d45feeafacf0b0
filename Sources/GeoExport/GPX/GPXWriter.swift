/// Writes fixes as GPX 1.1: a `trk` for each source, a `trkseg` for each segment.
///
/// An import reads the same positions, times, accuracies and segments from it. `roqua:kept` in a
/// track says that the fixes were filtered before, and that the track was a source of its own.
///
/// - Memory: the stream's buffer.
/// - Source: the schema of GPX 1.1. `docs/formats/exports-text.md` states the choices.
package final class GPXWriter: LayerWriter {
  /// The namespace of the elements in `extensions`.
  package static let namespace = "urn:x-roqua:gpx:1"

  private let stream: ExportStream
  private var columns = Columns()
  /// The source and the segment of the track that is open; nil if there is none.
  private var open: (source: ExportValue, segment: ExportValue)?

  /// Creates a writer.
  package init(_ stream: ExportStream) {
    self.stream = stream
    stream.buffer.append(
      contentsOf: """
        <?xml version="1.0" encoding="UTF-8"?>
        <gpx version="1.1" creator="Roqua" xmlns="http://www.topografix.com/GPX/1/1" \
        xmlns:roqua="\(Self.namespace)">

        """.utf8)
  }

  /// Begins a layer of points; its columns `source_id`, `source`, `segment`, `time` and `accuracy`
  /// are written, and others left out.
  package func begin(_ layer: ExportLayer) throws(ExportFailure) {
    guard layer.shape == .point else {
      throw .failed(reason: "GPX holds fixes, and no layer \(layer.name)")
    }
    columns = Columns(layer)
  }

  package func add(_ feature: ExportFeature) throws(ExportFailure) {
    let source = feature[columns.sourceID]
    let segment = feature[columns.segment]
    if open?.source != source {
      endTrack()
      beginTrack(feature[columns.source])
    } else if open?.segment != segment {
      stream.buffer.append(contentsOf: Text.nextSegment)
    }
    open = (source, segment)
    append(feature)
    try stream.flushIfFull()
  }

  package func end() { endTrack() }

  package func finish() throws(ExportFailure) {
    stream.buffer.append(contentsOf: "</gpx>\n".utf8)
    try stream.flush()
  }

  private func beginTrack(_ name: ExportValue) {
    stream.buffer.append(contentsOf: Text.track)
    if case .text(let text) = name {
      stream.buffer.append(contentsOf: Text.name)
      stream.buffer.appendXML(text)
      stream.buffer.append(contentsOf: Text.nameEnd)
    }
    stream.buffer.append(contentsOf: Text.kept)
    stream.buffer.append(contentsOf: Text.segment)
  }

  private func endTrack() {
    if open != nil { stream.buffer.append(contentsOf: Text.trackEnd) }
    open = nil
  }

  private func append(_ feature: ExportFeature) {
    let (x, y) = (feature.geometry.coordinates[0], feature.geometry.coordinates[1])
    stream.buffer.append(contentsOf: Text.latitude)
    stream.buffer.appendDegrees(y)
    stream.buffer.append(contentsOf: Text.longitude)
    // The schema has longitudes below 180.
    stream.buffer.appendDegrees(x < 180 ? x : -180)
    stream.buffer.append(contentsOf: Text.tagEnd)
    if case .time(let milliseconds) = feature[columns.time] {
      stream.buffer.append(contentsOf: Text.time)
      stream.buffer.appendTime(milliseconds: milliseconds)
      stream.buffer.append(contentsOf: Text.timeEnd)
    }
    if case .real(let meters) = feature[columns.accuracy] {
      stream.buffer.append(contentsOf: Text.accuracy)
      stream.buffer.appendNumber(meters)
      stream.buffer.append(contentsOf: Text.accuracyEnd)
    }
    stream.buffer.append(contentsOf: Text.pointEnd)
  }

  /// The columns that are written, by their places; nil for those that a layer does not have.
  private struct Columns {
    var sourceID: Int?
    var source: Int?
    var segment: Int?
    var time: Int?
    var accuracy: Int?

    init() {}

    init(_ layer: ExportLayer) {
      func index(_ name: String) -> Int? { layer.fields.firstIndex { $0.name == name } }
      (sourceID, source, segment) = (index("source_id"), index("source"), index("segment"))
      (time, accuracy) = (index("time"), index("accuracy"))
    }
  }

  private enum Text {
    static let track = Array("<trk>\n".utf8)
    static let name = Array("<name>".utf8)
    static let nameEnd = Array("</name>\n".utf8)
    static let kept = Array("<extensions><roqua:kept/></extensions>\n".utf8)
    static let segment = Array("<trkseg>\n".utf8)
    static let nextSegment = Array("</trkseg>\n<trkseg>\n".utf8)
    static let trackEnd = Array("</trkseg>\n</trk>\n".utf8)
    static let latitude = Array(#"<trkpt lat=""#.utf8)
    static let longitude = Array(#"" lon=""#.utf8)
    static let tagEnd = Array(#"">"#.utf8)
    static let time = Array("<time>".utf8)
    static let timeEnd = Array("</time>".utf8)
    static let accuracy = Array("<extensions><roqua:accuracy>".utf8)
    static let accuracyEnd = Array("</roqua:accuracy></extensions>".utf8)
    static let pointEnd = Array("</trkpt>\n".utf8)
  }
}

extension ExportFeature {
  /// The value of a column; null if the layer does not have it.
  fileprivate subscript(column: Int?) -> ExportValue {
    guard let column, column < values.count else { return .null }
    return values[column]
  }
}

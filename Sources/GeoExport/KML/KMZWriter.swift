import ByteStreams

/// Writes layers as KMZ: a zip archive whose only member is the KML document `doc.kml`.
///
/// - Memory: the buffers of two streams and 330 KiB, whatever the size of the file.
/// - Source: OGC 07-147r2, "OGC KML" 2.2.0.
package final class KMZWriter: LayerWriter {
  private let stream: ExportStream
  private let archive: ZipWriter
  private let document: KMLWriter

  /// Creates a writer.
  ///
  /// - Parameter title: the name of the whole document.
  /// - Throws: ``ExportFailure`` if there is not enough memory.
  package init(_ stream: ExportStream, title: String) throws(ExportFailure) {
    self.stream = stream
    do {
      archive = try ZipWriter(level: 1) { piece in
        stream.buffer.append(contentsOf: piece)
        do {
          try stream.flushIfFull()
          return true
        } catch {
          return false
        }
      }
    } catch {
      throw .failed(reason: "there is not enough memory to compress it")
    }
    archive.begin("doc.kml")
    let archive = archive
    document = KMLWriter(ExportStream { archive.write($0) }, title: title)
  }

  package func begin(_ layer: ExportLayer) { document.begin(layer) }

  package func add(_ feature: ExportFeature) throws(ExportFailure) { try document.add(feature) }

  package func end() { document.end() }

  package func finish() throws(ExportFailure) {
    try document.finish()
    guard archive.end(), archive.finish() else { throw .refused }
    try stream.flush()
  }
}

import GeoExport
import Testing

/// What a writer makes of layers.
enum LayerWriting {
  /// All bytes, and the size of the largest piece.
  static func bytes(
    of layers: [TextSamples.Layer], _ make: (ExportStream) throws(ExportFailure) -> any LayerWriter
  ) throws -> (bytes: [UInt8], largestPiece: Int) {
    var (bytes, largest): ([UInt8], Int) = ([], 0)
    let stream = ExportStream {
      bytes += $0
      largest = max(largest, $0.count)
      return true
    }
    try write(layers, to: try make(stream))
    #expect(stream.buffer.isEmpty && stream.count == bytes.count)
    return (bytes, largest)
  }

  /// The text that a writer makes.
  static func text(
    of layers: [TextSamples.Layer], _ make: (ExportStream) throws(ExportFailure) -> any LayerWriter
  ) throws -> String {
    String(decoding: try bytes(of: layers, make).bytes, as: UTF8.self)
  }

  static func write(
    _ layers: [TextSamples.Layer], to writer: any LayerWriter
  ) throws(ExportFailure) {
    for layer in layers {
      try writer.begin(layer.layer)
      for feature in layer.features { try writer.add(feature) }
      try writer.end()
    }
    try writer.finish()
  }
}

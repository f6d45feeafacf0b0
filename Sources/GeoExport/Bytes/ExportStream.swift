import ByteStreams

/// The bytes of an output, collected in a buffer and given to a sink in large pieces.
///
/// Writers append to ``buffer`` directly and call ``flushIfFull()`` after each feature.
package final class ExportStream {
  /// The size from which the buffer is given to the sink.
  package static let pieceBytes = 1 << 18

  /// The bytes that the sink does not have yet.
  package var buffer: [UInt8] = []
  /// The number of bytes that the sink has.
  private(set) package var flushedBytes = 0
  private let sink: ([UInt8]) -> Bool

  /// Creates a stream.
  ///
  /// - Parameter sink: takes the bytes in order; returns false if it cannot, as
  ///   `OutputFile.write(_:)` does.
  package init(_ sink: @escaping ([UInt8]) -> Bool) {
    self.sink = sink
    buffer.reserveCapacity(Self.pieceBytes + 1 << 12)
  }

  /// The number of bytes written so far.
  package var count: Int { flushedBytes + buffer.count }

  /// Gives the buffer to the sink if it is large.
  @inline(__always)
  package func flushIfFull() throws(ExportFailure) {
    if buffer.count >= Self.pieceBytes { try flush() }
  }

  /// Gives the buffer to the sink.
  package func flush() throws(ExportFailure) {
    guard !buffer.isEmpty else { return }
    guard sink(buffer) else { throw .refused }
    flushedBytes += buffer.count
    buffer.removeAll(keepingCapacity: true)
  }
}

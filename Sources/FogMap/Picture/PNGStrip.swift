import ByteStreams

/// Some rows of a PNG, compressed for themselves.
package struct PNGStrip: Sendable {
  /// A piece of a raw deflate stream.
  let bytes: [UInt8]
  /// The Adler-32 of what was compressed.
  let checksum: UInt32
  /// The number of bytes that were compressed.
  let count: Int
}

/// Compresses strips of a PNG, each for itself, so that threads share the work. Not `Sendable`;
/// each thread has its own.
///
/// - Memory: four rows, 330 KiB and the compressed strip.
package final class PNGStripEncoder {
  private let format: PNGFormat
  private let stream: DeflateStream
  private var filter: PNGRowFilter

  /// Creates an encoder.
  ///
  /// - Parameter level: zlib's level, 1 (fast) to 9 (small).
  /// - Throws: ``StreamError`` if there is not enough memory.
  package init(_ format: PNGFormat, level: Int = 6) throws(StreamError) {
    self.format = format
    stream = try DeflateStream(.raw, level: level)
    filter = PNGRowFilter(format)
  }

  /// Compresses rows that follow each other.
  ///
  /// - Precondition: there are whole rows.
  package func encode(_ rows: UnsafeRawBufferPointer) -> PNGStrip {
    let rowBytes = format.rowBytes
    precondition(rows.count % rowBytes == 0, "rows of another picture")
    var (bytes, checksum) = ([UInt8](), Adler32.empty)
    filter.begin()
    for start in stride(from: 0, to: rows.count, by: rowBytes) {
      let row = UnsafeRawBufferPointer(rebasing: rows[start..<start + rowBytes])
      filter.filtered(row).withUnsafeBytes { filtered in
        checksum = Adler32.continued(checksum, with: filtered)
        stream.write(filtered) { bytes.append(contentsOf: $0) }
      }
    }
    stream.finishPiece { bytes.append(contentsOf: $0) }
    return PNGStrip(
      bytes: bytes, checksum: checksum, count: rows.count / rowBytes * (rowBytes + 1))
  }
}

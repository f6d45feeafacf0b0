import ByteStreams

/// Writes a PNG row by row. Not `Sendable`.
///
/// Rows of gray, gray with opacity, RGB or RGBA get the filter whose result looks smallest: none,
/// sub or up (W3C PNG, 9.2 and 12.7). Indexes into a palette are not filtered, since neighboring
/// indexes need not be neighboring colors.
///
/// ```swift
/// guard let format = PNGFormat(width: 2, height: 1, pixels: .gray) else { return }
/// var png: [UInt8] = []
/// let encoder = try PNGEncoder(format) { png += $0 }
/// encoder.append([0, 255])
/// encoder.finish()
/// ```
///
/// - Memory: six rows and under 512 KiB, whatever the height.
package final class PNGEncoder {
  /// The layout of the rows.
  package let format: PNGFormat
  private let stream: DeflateStream
  private let sink: (UnsafeRawBufferPointer) -> Void
  private var rowsLeft: Int
  private var filter: PNGRowFilter
  /// The data of the next chunk of pixels.
  private var packed: [UInt8] = []

  /// The data of a chunk of pixels, except for the last one.
  private static let chunkBytes = 1 << 16

  /// Starts a PNG.
  ///
  /// - Parameters:
  ///   - level: zlib's level, 1 (fast) to 9 (small).
  ///   - sink: receives the bytes of the file in order, valid during its call.
  /// - Throws: ``StreamError`` if there is not enough memory.
  package init(
    _ format: PNGFormat, level: Int = 6, to sink: @escaping (UnsafeRawBufferPointer) -> Void
  ) throws(StreamError) {
    self.format = format
    self.sink = sink
    stream = try DeflateStream(.zlib, level: level)
    rowsLeft = format.height
    filter = PNGRowFilter(format)
    format.head.withUnsafeBytes { sink($0) }
  }

  /// Appends a row of ``PNGFormat/rowBytes`` bytes.
  ///
  /// - Precondition: it has that length, and the picture has rows left.
  package func append(_ row: [UInt8]) { row.withUnsafeBytes { append($0) } }

  /// Appends a row of ``PNGFormat/rowBytes`` bytes, valid during the call.
  ///
  /// - Precondition: it has that length, and the picture has rows left.
  package func append(_ row: UnsafeRawBufferPointer) {
    precondition(row.count == format.rowBytes, "a row of another picture")
    precondition(rowsLeft > 0, "a row below the picture")
    rowsLeft -= 1
    write(filter.filtered(row))
  }

  /// Ends the file.
  ///
  /// - Precondition: the picture has all its rows.
  package func finish() {
    precondition(rowsLeft == 0, "a picture without its last rows")
    stream.finish { packed += $0 }
    flush()
    var end: [UInt8] = []
    PNGChunk.append("IEND", [], to: &end)
    end.withUnsafeBytes { sink($0) }
  }

  private func write(_ filtered: [UInt8]) {
    filtered.withUnsafeBytes { stream.write($0) { packed += $0 } }
    if packed.count >= Self.chunkBytes { flush() }
  }

  /// Passes the deflated bytes on as a chunk.
  private func flush() {
    var chunk: [UInt8] = []
    chunk.reserveCapacity(packed.count + 12)
    PNGChunk.append("IDAT", packed, to: &chunk)
    packed.removeAll(keepingCapacity: true)
    chunk.withUnsafeBytes { sink($0) }
  }
}

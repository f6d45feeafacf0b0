import ByteStreams

/// Writes a PNG row by row. Not `Sendable`.
///
/// Rows of gray, gray with opacity, or RGBA get the filter whose result looks smallest: none, sub
/// or up (W3C PNG, 9.2 and 12.7). Indexes into a palette are not filtered, since neighboring
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
  /// The row before; zeros before the first one.
  private var previous: [UInt8]
  /// A filter's number, and the row as that filter leaves it.
  private var plain: [UInt8]
  private var sub: [UInt8]
  private var up: [UInt8]
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
    previous = [UInt8](repeating: 0, count: format.rowBytes)
    plain = [0] + previous
    sub = [1] + previous
    up = [2] + previous
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
    plain.withUnsafeMutableBytes {
      UnsafeMutableRawBufferPointer(rebasing: $0[1...]).copyMemory(from: row)
    }
    if case .palette = format.pixels { return write(plain) }
    let (noneCost, subCost, upCost) = filter(row)
    previous.withUnsafeMutableBytes { $0.copyMemory(from: row) }
    write(upCost <= min(noneCost, subCost) ? up : subCost < noneCost ? sub : plain)
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

  /// Fills `sub` and `up`, and returns the sum of the sizes of the bytes of each filter, taken as
  /// signed numbers: the heuristic of W3C PNG, 12.7.
  ///
  /// Sound: `row` and `previous` have `rowBytes` bytes, the filtered rows one more.
  private func filter(_ row: UnsafeRawBufferPointer) -> (none: Int, sub: Int, up: Int) {
    let (count, step) = (row.count, format.bitsPerPixel / 8)
    return previous.withUnsafeBytes { above in
      sub.withUnsafeMutableBytes { sub in
        up.withUnsafeMutableBytes { up in
          for index in 0..<count { up[index &+ 1] = row[index] &- above[index] }
          for index in 0..<step { sub[index &+ 1] = row[index] }
          for index in step..<count { sub[index &+ 1] = row[index] &- row[index &- step] }
          return (
            Self.cost(row), Self.cost(UnsafeRawBufferPointer(rebasing: sub[1...])),
            Self.cost(UnsafeRawBufferPointer(rebasing: up[1...]))
          )
        }
      }
    }
  }

  private static func cost(_ bytes: UnsafeRawBufferPointer) -> Int {
    var total = 0
    var start = 0
    while start < bytes.count {
      // Blocks whose sum fits 32 bits, so that the compiler uses vectors.
      let end = min(start + 1 << 16, bytes.count)
      var sum: UInt32 = 0
      for index in start..<end {
        let byte = bytes[index]
        sum &+= UInt32(min(byte, 0 &- byte))
      }
      total += Int(sum)
      start = end
    }
    return total
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

/// The expanded bytes of a gzip stream, to be read in pieces of any size. Not `Sendable`.
///
/// - Memory: under 256 KiB for the stream, and what one piece of the compressed bytes expands to.
package final class GzipSource {
  /// The compressed bytes that are expanded at once, to at most 1032 times as many.
  private static let pieceBytes = 1 << 9

  /// How the stream ended; nil as long as there may be more bytes.
  package private(set) var ending: StreamEnding?

  private let source: (UnsafeMutableRawBufferPointer) throws(StreamError) -> Int
  private var decompressor = Decompressor()
  private var piece = [UInt8](repeating: 0, count: GzipSource.pieceBytes)
  private var expanded: [UInt8] = []
  private var start = 0

  /// Creates a source at the start of a stream.
  ///
  /// - Parameter source: reads the next compressed bytes, up to the buffer's size, and returns
  ///   their number; 0 only at the end.
  package init(
    source: @escaping (_ buffer: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int
  ) {
    self.source = source
  }

  /// Reads the next expanded bytes, up to the buffer's size. Returns their number; 0 at the end.
  ///
  /// - Throws: the error of a damaged stream, after the bytes before it.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int {
    while start == expanded.count {
      if let ending {
        if let error = ending.error { throw error }
        return 0
      }
      try expand()
    }
    let count = min(buffer.count, expanded.count - start)
    buffer.copyBytes(from: expanded[start..<start + count])
    start += count
    return count
  }

  /// Reads what is left, and returns how the stream ended.
  package func readToEnd() -> StreamEnding {
    do throws(StreamError) {
      while ending == nil { try expand() }
    } catch {
      return StreamEnding(error: error)
    }
    return ending ?? StreamEnding()
  }

  private func expand() throws(StreamError) {
    expanded.removeAll(keepingCapacity: true)
    start = 0
    let count = try read()
    let goesOn = piece.withUnsafeBytes { bytes in
      decompressor.read(UnsafeRawBufferPointer(rebasing: bytes[..<count])) {
        expanded.append(contentsOf: $0)
        return true
      }
    }
    guard count == 0 || !goesOn else { return }
    ending = decompressor.finish {
      expanded.append(contentsOf: $0)
      return true
    }
  }

  private func read() throws(StreamError) -> Int {
    var result: Result<Int, StreamError> = .success(0)
    piece.withUnsafeMutableBytes { buffer in
      do throws(StreamError) {
        result = .success(try source(buffer))
      } catch {
        result = .failure(error)
      }
    }
    return try result.get()
  }
}

/// The expanded bytes of a gzip stream, to be read in pieces of any size. Not `Sendable`.
///
/// - Memory: under 320 KiB for the stream, and what one piece of the compressed bytes expands to.
package final class GzipSource {
  /// The compressed bytes that are expanded at once, to at most 1032 times as many.
  private static let pieceBytes = 1 << 9

  /// How the stream ended; nil as long as there may be more bytes.
  private var ending: StreamEnding?

  private let feed: ByteFeed
  private var decompressor = Decompressor()
  private var expanded: [UInt8] = []
  private var start = 0

  /// Creates a source at the start of a stream.
  ///
  /// - Parameter source: reads the next compressed bytes, up to the buffer's size, and returns
  ///   their number; 0 only at the end.
  package init(
    source: @escaping (_ buffer: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int
  ) {
    feed = ByteFeed { (_, buffer) throws(StreamError) in try source(buffer) }
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
      while true {
        if let ending { return ending }
        try expand()
      }
    } catch {
      return StreamEnding(error: error)
    }
  }

  private func expand() throws(StreamError) {
    expanded.removeAll(keepingCapacity: true)
    start = 0
    let hasMore = try feed.fill()
    // Sound: the piece is valid until the feed is used again.
    let piece = UnsafeRawBufferPointer(rebasing: feed.unread.prefix(Self.pieceBytes))
    let goesOn = decompressor.read(piece) {
      expanded.append(contentsOf: $0)
      return true
    }
    feed.consume(piece.count)
    if hasMore, goesOn { return }
    ending = decompressor.finish {
      expanded.append(contentsOf: $0)
      return true
    }
  }
}

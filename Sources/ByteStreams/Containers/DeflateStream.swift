import CZlib

/// A stream of zlib's `deflate`: takes bytes, returns deflated bytes. Not `Sendable`.
///
/// One stream compresses any number of byte strings, one after the other: ``finish(to:)`` and
/// ``compress(_:)`` leave it at its start. The same bytes in the same pieces give the same result.
///
/// ```swift
/// let stream = try DeflateStream(.gzip)
/// let packed = stream.compress(Array("explored".utf8))
/// ```
///
/// - Memory: about 330 KiB, however much is compressed.
/// - Source: RFC 1951 (deflate), RFC 1950 (zlib) and RFC 1952 (gzip), as implemented by zlib.
package final class DeflateStream {
  /// The wrapping of the deflated bytes. Raw values are zlib's `windowBits`.
  package enum Framing: Int32, Sendable {
    /// Nothing, as in a zip archive.
    case raw = -15
    /// Two bytes before and an Adler-32 checksum after, as in a PNG.
    case zlib = 15
    /// A gzip header without name and time, and a trailer.
    case gzip = 31
  }

  /// The size of the output buffer.
  static let bufferBytes = 1 << 16

  /// On the heap because zlib's state points back to its stream; freed in `deinit`.
  private let stream: UnsafeMutablePointer<z_stream>
  /// Allocated in `init` and freed in `deinit`; sinks only see it during a call.
  private let buffer: UnsafeMutableRawBufferPointer

  /// A stream at its start.
  ///
  /// - Parameter level: zlib's level, 0 (stored) or 1 (fast) to 9 (small); others are clamped.
  /// - Throws: ``StreamError`` if there is not enough memory.
  package init(_ framing: Framing, level: Int = 6) throws(StreamError) {
    // Sound: freed below if zlib has no memory, otherwise by `deinit`.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    guard roqua_deflate_init(stream, Int32(max(0, min(9, level))), framing.rawValue) == Z_OK else {
      stream.deallocate()
      throw StreamError(
        code: .unreadable, message: "There is not enough memory to compress it.")
    }
    self.stream = stream
    // Sound: freed in `deinit`.
    buffer = .allocate(byteCount: Self.bufferBytes, alignment: 16)
  }

  deinit {
    deflateEnd(stream)
    stream.deallocate()
    buffer.deallocate()
  }

  /// Compresses the next bytes. Much of the result may come only from later calls.
  ///
  /// - Parameter sink: receives deflated bytes in non-empty pieces, valid during its call.
  package func write(
    _ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Void
  ) {
    var rest = bytes
    while !rest.isEmpty {
      let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(1 << 30))
      run(piece, Z_NO_FLUSH, to: sink)
      rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
    }
  }

  /// Ends the stream, and prepares for another one of the same kind.
  package func finish(to sink: (UnsafeRawBufferPointer) -> Void) {
    run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FINISH, to: sink)
    deflateReset(stream)
  }

  /// Ends a piece at a whole byte, without ending the stream, and prepares for another stream of
  /// the same kind. Raw pieces that follow each other are one stream, which ``RawDeflate/end``
  /// ends.
  package func finishPiece(to sink: (UnsafeRawBufferPointer) -> Void) {
    run(UnsafeRawBufferPointer(start: nil, count: 0), Z_FULL_FLUSH, to: sink)
    deflateReset(stream)
  }

  /// Compresses bytes as a whole stream.
  ///
  /// - Precondition: nothing was written since the start or the last ``finish(to:)``.
  package func compress(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    bytes.withUnsafeBytes { write($0) { result.append(contentsOf: $0) } }
    finish { result.append(contentsOf: $0) }
    return result
  }

  /// Passes `input` through zlib until it has neither input nor output.
  ///
  /// Sound: zlib gets each buffer with its count, so `given` stays within the output buffer. It
  /// uses neither pointer after the call.
  private func run(
    _ input: UnsafeRawBufferPointer, _ flush: Int32, to sink: (UnsafeRawBufferPointer) -> Void
  ) {
    // zlib only reads through `next_in`, which predates `const`; `input` outlives the call.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(input.count)
    while true {
      stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(buffer.count)
      let code = CZlib.deflate(stream, flush)
      precondition(code != Z_STREAM_ERROR, "zlib's stream is inconsistent")
      let given = buffer.count - Int(stream.pointee.avail_out)
      if given > 0 { sink(UnsafeRawBufferPointer(rebasing: buffer[..<given])) }
      // A full buffer may mean that zlib holds more.
      if code == Z_STREAM_END || stream.pointee.avail_out > 0 { return }
    }
  }
}

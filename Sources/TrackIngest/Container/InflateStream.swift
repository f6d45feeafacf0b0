import CZlib

/// One stream of zlib's `inflate`, with its buffer: deflated bytes in, expanded bytes out. Not `Sendable`.
///
/// - Memory: ``bufferBytes`` and zlib's window of 32 KiB with some tables, whatever is expanded.
/// - Source: RFC 1951 (deflate) and RFC 1952 (gzip), as zlib reads them.
final class InflateStream {
  /// What is around the deflated bytes. Raw values are zlib's `windowBits`.
  enum Wrapping: Int32 {
    /// Nothing, as in a zip archive.
    case none = -15
    /// A gzip header and trailer; zlib checks the sum and the length in the trailer.
    case gzip = 31
  }

  /// How a call ended.
  enum Outcome {
    /// All bytes are taken and more are needed.
    case needsInput
    /// The stream is complete; bytes behind it are not taken.
    case ended
    /// The receiver wants no more.
    case stopped
    /// Damaged, or too large.
    case failed(IngestError)
  }

  /// Bytes that are expanded at once.
  static let bufferBytes = 1 << 17

  /// Bytes that the present stream has taken and given since the start or ``reset()``.
  private(set) var compressedBytes = 0
  private(set) var expandedBytes = 0

  // zlib's state points back to its stream, so the stream must not move.
  private let stream: UnsafeMutablePointer<z_stream>
  private let buffer: UnsafeMutableRawBufferPointer
  private let isReady: Bool

  /// A stream at its start.
  init(_ wrapping: Wrapping) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    buffer = .allocate(byteCount: Self.bufferBytes, alignment: 16)
    isReady = roqua_inflate_init(stream, wrapping.rawValue) == Z_OK
  }

  deinit {
    if isReady { inflateEnd(stream) }
    stream.deallocate()
    buffer.deallocate()
  }

  /// Makes ready for another stream of the same kind.
  func reset() {
    if isReady { inflateReset(stream) }
    (compressedBytes, expandedBytes) = (0, 0)
  }

  /// Goes on to a stream that follows in the same file: its bytes count together with those before.
  func resetWithinFile() { if isReady { inflateReset(stream) } }

  /// Expands `input` and hands out what it gives, in pieces of up to ``bufferBytes``, until the input is used up,
  /// the stream ends or `sink` returns false.
  ///
  /// - Returns: how many bytes were taken, and why it ended. All that can be expanded has been handed out.
  func inflate(
    _ input: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Bool
  ) -> (taken: Int, outcome: Outcome) {
    guard isReady else {
      return (0, .failed(IngestError(code: .unreadable, message: "There is not enough memory to expand it.")))
    }
    var taken = 0
    while true {
      let piece = UnsafeRawBufferPointer(rebasing: input[taken...].prefix(1 << 30))
      // zlib only reads it; its interface is older than `const`.
      stream.pointee.next_in = UnsafeMutablePointer(
        mutating: piece.baseAddress?.assumingMemoryBound(to: UInt8.self))
      stream.pointee.avail_in = UInt32(piece.count)
      stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
      stream.pointee.avail_out = UInt32(buffer.count)
      let code = CZlib.inflate(stream, Z_NO_FLUSH)
      let given = buffer.count - Int(stream.pointee.avail_out)
      taken += piece.count - Int(stream.pointee.avail_in)
      compressedBytes += piece.count - Int(stream.pointee.avail_in)
      expandedBytes += given
      if expandedBytes > ExpansionLimit.bytes(from: compressedBytes) {
        return (taken, .failed(ExpansionLimit.error))
      }
      if given > 0, !sink(UnsafeRawBufferPointer(rebasing: buffer[..<given])) { return (taken, .stopped) }
      switch code {
      case Z_STREAM_END: return (taken, .ended)
      case Z_OK, Z_BUF_ERROR:
        // A full buffer may have left something inside zlib, even where all input is taken.
        if taken == input.count, given < buffer.count { return (taken, .needsInput) }
        if code == Z_BUF_ERROR, given == 0 { return (taken, .failed(damage)) }
      default: return (taken, .failed(damage))
      }
    }
  }

  private var damage: IngestError {
    let reason = stream.pointee.msg.map { String(cString: $0) } ?? ""
    let isChecksum = reason == "incorrect data check" || reason == "incorrect length check"
    return IngestError(
      code: .malformed,
      message: isChecksum
        ? "It is damaged: its contents do not match their checksum."
        : "It is damaged: its compressed bytes make no sense (\(expandedBytes) bytes came out before).")
  }
}

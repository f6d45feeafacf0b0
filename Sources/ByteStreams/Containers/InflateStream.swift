import CZlib

/// A stream of zlib's `inflate` with its buffer: takes deflated bytes, returns expanded bytes. Not
/// `Sendable`.
///
/// - Memory: ``bufferBytes`` and zlib's window of 32 KiB with some tables, however much is
///   expanded.
/// - Source: RFC 1950 (zlib), RFC 1951 (deflate) and RFC 1952 (gzip), as implemented by zlib.
final class InflateStream {
  /// The wrapping of the deflated bytes. Raw values are zlib's `windowBits`.
  enum Wrapping: Int32 {
    /// Nothing, as in a zip archive.
    case none = -15
    /// A gzip header and trailer; zlib checks the checksum and the length in the trailer.
    case gzip = 31
    /// A zlib header and trailer (RFC 1950); zlib checks the checksum in the trailer.
    case zlib = 15
  }

  /// The way in which a call ended.
  enum Outcome {
    /// All bytes are consumed and more are needed.
    case needsInput
    /// The stream is complete; bytes after it are not consumed.
    case ended
    /// The sink stopped.
    case stopped
    /// Damaged, or too large.
    case failed(StreamError)
  }

  /// The size of the output buffer.
  static let bufferBytes = 1 << 17

  /// Bytes in and out since the start or ``reset()``.
  private(set) var compressedBytes = 0
  private(set) var expandedBytes = 0

  /// On the heap because zlib's state points back to its stream; freed in `deinit`.
  private let stream: UnsafeMutablePointer<z_stream>
  /// Allocated in `init` and freed in `deinit`; sinks only see it during ``inflate(_:to:)``.
  let buffer: UnsafeMutableRawBufferPointer
  private let isReady: Bool

  /// A stream at its start.
  init(_ wrapping: Wrapping) {
    // Sound: `deinit` ends zlib's state and then frees both.
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

  /// Prepares for another stream of the same kind.
  func reset() {
    if isReady { inflateReset(stream) }
    (compressedBytes, expandedBytes) = (0, 0)
  }

  /// Continues with a stream that follows in the same file; the byte counts continue.
  func resetWithinFile() { if isReady { inflateReset(stream) } }

  /// Expands `input` in pieces of up to ``bufferBytes`` until the input is used up, the stream ends
  /// or `sink` returns false.
  ///
  /// - Returns: how many bytes were consumed, and why it ended. Everything that can be expanded was
  ///   passed to `sink`.
  func inflate(
    _ input: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Bool
  ) -> (taken: Int, outcome: Outcome) {
    var taken = 0
    while true {
      // Sound: `taken` stays within `input`, and `given` within the buffer.
      let step = inflate(UnsafeRawBufferPointer(rebasing: input[taken...]), into: buffer)
      taken += step.taken
      if case .failed(let error) = step.outcome, error.code == .tooLarge {
        return (taken, step.outcome)
      }
      if step.given > 0, !sink(UnsafeRawBufferPointer(rebasing: buffer[..<step.given])) {
        return (taken, .stopped)
      }
      guard case .stopped = step.outcome else { return (taken, step.outcome) }
    }
  }

  /// Expands `input` into `output` until the input is used up, the output is full (`stopped`) or
  /// the stream ends.
  ///
  /// Sound: zlib gets each buffer with its count, so `taken` stays within `input` and `given`
  /// within `output`. It uses neither pointer after the call.
  ///
  /// - Returns: how many bytes were consumed and expanded, and why it ended.
  func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) -> (taken: Int, given: Int, outcome: Outcome) {
    guard isReady else {
      return (
        0, 0,
        .failed(StreamError(code: .unreadable, message: "There is not enough memory to expand it."))
      )
    }
    let piece = UnsafeRawBufferPointer(rebasing: input.prefix(1 << 30))
    // zlib only reads through `next_in`, which predates `const`; `piece` outlives the call.
    stream.pointee.next_in = UnsafeMutablePointer(
      mutating: piece.baseAddress?.assumingMemoryBound(to: UInt8.self))
    stream.pointee.avail_in = UInt32(piece.count)
    stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.pointee.avail_out = UInt32(output.count)
    let code = CZlib.inflate(stream, Z_NO_FLUSH)
    let taken = piece.count - Int(stream.pointee.avail_in)
    let given = output.count - Int(stream.pointee.avail_out)
    compressedBytes += taken
    expandedBytes += given
    if expandedBytes > ExpansionLimit.bytes(from: compressedBytes) {
      return (taken, given, .failed(ExpansionLimit.error))
    }
    switch code {
    case Z_STREAM_END: return (taken, given, .ended)
    case Z_OK, Z_BUF_ERROR:
      // After a full buffer zlib may hold more output, even if all input is consumed.
      if given == output.count || taken < input.count, given > 0 || taken > 0 {
        return (taken, given, .stopped)
      }
      return taken == input.count ? (taken, given, .needsInput) : (taken, given, .failed(damage))
    default: return (taken, given, .failed(damage))
    }
  }

  private var damage: StreamError {
    let reason = stream.pointee.msg.map { String(cString: $0) } ?? ""
    let isChecksum = reason == "incorrect data check" || reason == "incorrect length check"
    return StreamError(
      code: .malformed,
      message: isChecksum
        ? "It is damaged: its contents do not match their checksum."
        : "It is damaged: its compressed bytes are invalid after \(expandedBytes) expanded bytes.")
  }
}

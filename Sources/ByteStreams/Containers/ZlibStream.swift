/// Expands one zlib stream (RFC 1950), in pieces of any size. Not `Sendable`.
///
/// - Memory: under 256 KiB, however much is expanded. The limit against bombs is that of all
///   streams (`docs/formats/containers.md`).
package final class ZlibStream {
  /// The way in which a stream ended so far.
  package enum State: Hashable, Sendable {
    /// More bytes are needed.
    case open
    /// It is complete, and its checksum is right.
    case ended
    /// The sink stopped.
    case stopped
    /// It is damaged, or too large.
    case failed(StreamError)
  }

  /// The state.
  package private(set) var state = State.open
  /// True if bytes follow the end of the stream.
  package private(set) var hasJunk = false
  private let inflater = InflateStream(.zlib)

  /// Creates a stream at its start.
  package init() {}

  /// Expands the next bytes. Input and output are only valid during the call.
  ///
  /// - Parameter sink: receives expanded bytes in non-empty pieces; returns false to stop.
  package func read(
    _ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Bool
  ) {
    guard !bytes.isEmpty else { return }
    switch state {
    case .open: break
    case .ended:
      hasJunk = true
      return
    case .stopped, .failed: return
    }
    let (taken, outcome) = inflater.inflate(bytes, to: sink)
    switch outcome {
    case .needsInput: break
    case .ended:
      state = .ended
      hasJunk = taken < bytes.count
    case .stopped: state = .stopped
    case .failed(let error): state = .failed(error)
    }
  }
}

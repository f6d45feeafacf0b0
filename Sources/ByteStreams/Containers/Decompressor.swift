/// Expands gzip streams and passes all other data through.
///
/// Bytes may come in pieces of any size, down to one at a time, with the same result. Consecutive
/// gzip members are one stream, as `cat a.gz b.gz` makes it. `docs/formats/containers.md` says what
/// happens to truncated, damaged and oversized streams.
///
/// - Memory: under 256 KiB for gzip, a few bytes otherwise.
package struct Decompressor: ~Copyable {
  private enum State {
    /// The format is not known yet: the first byte, if there was one.
    case start([UInt8])
    /// Not compressed.
    case plain
    case member
    /// After a complete member: the first byte of what follows, if there was one.
    case between([UInt8])
    /// After the last member: other bytes, ignored.
    case junk
    case stopped
    case failed(StreamError)
  }

  /// The first bytes of every gzip member: a signature and the method, deflate (RFC 1952, 2.3.1).
  private static let signature: [UInt8] = [0x1F, 0x8B]

  private var state = State.start([])
  private var inflater: InflateStream?
  private let budget: ExpansionBudget?

  /// Creates a decompressor at the start of a stream.
  ///
  /// - Parameter budget: what the archive that contains the stream may still expand to.
  package init(within budget: ExpansionBudget? = nil) { self.budget = budget }

  /// Expands the next bytes. Input and output are only valid during the call.
  ///
  /// - Parameter sink: receives expanded bytes in non-empty pieces; returns false to stop.
  /// - Returns: false if no more bytes are needed: the sink stopped, or the stream is damaged.
  package mutating func read(
    _ bytes: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      switch state {
      case .start(let head): rest = begin(head, rest, to: sink)
      case .plain:
        if !sink(rest) { state = .stopped }
        rest = UnsafeRawBufferPointer(rebasing: rest[rest.count...])
      case .member: rest = expand(rest, to: sink)
      case .between(let head): rest = look(head, rest, to: sink)
      case .junk: return true
      case .stopped, .failed: return false
      }
    }
    switch state {
    case .stopped, .failed: return false
    default: return true
    }
  }

  /// The ending of a stream that is cut off.
  private static var cutOff: StreamEnding {
    .truncated("The gzip stream is cut off; everything before the cut was read.")
  }

  /// Ends the stream.
  ///
  /// - Returns: the warnings, or the reason why the output must be discarded.
  package mutating func finish(to sink: (UnsafeRawBufferPointer) -> Bool) -> StreamEnding {
    switch state {
    case .start(let head):
      if !head.isEmpty { _ = head.withUnsafeBytes { sink($0) } }
      return StreamEnding()
    case .plain, .stopped: return StreamEnding()
    case .member: return Self.cutOff
    case .between(let head):
      return head.isEmpty
        ? StreamEnding() : Self.cutOff
    case .junk:
      return StreamEnding(warnings: [
        StreamWarning(
          code: .trailingJunk,
          message: "Bytes follow the end of the gzip stream; they were ignored.")
      ])
    case .failed(let error): return StreamEnding(error: error)
    }
  }

  // MARK: - States

  private mutating func begin(
    _ head: [UInt8], _ rest: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Bool
  ) -> UnsafeRawBufferPointer {
    let first = head + rest.prefix(Self.signature.count - head.count)
    guard Self.signature.starts(with: first) || first == Self.signature else {
      state = .plain
      if !head.isEmpty, !head.withUnsafeBytes({ sink($0) }) { state = .stopped }
      return rest
    }
    let following = UnsafeRawBufferPointer(rebasing: rest.dropFirst(first.count - head.count))
    guard first.count == Self.signature.count else {
      state = .start(first)
      return following
    }
    inflater = InflateStream(.gzip)
    state = .member
    _ = first.withUnsafeBytes { expand($0, to: sink) }
    return following
  }

  /// Decides whether another member follows.
  private mutating func look(
    _ head: [UInt8], _ rest: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Bool
  ) -> UnsafeRawBufferPointer {
    let first = head + rest.prefix(Self.signature.count - head.count)
    guard Self.signature.starts(with: first) else {
      state = .junk
      return rest
    }
    let following = UnsafeRawBufferPointer(rebasing: rest.dropFirst(first.count - head.count))
    guard first.count == Self.signature.count else {
      state = .between(first)
      return following
    }
    inflater?.resetWithinFile()
    state = .member
    _ = first.withUnsafeBytes { expand($0, to: sink) }
    return following
  }

  // Sound: `inflate` takes at most the bytes that it gets, so `taken` lies within `rest`.
  private mutating func expand(
    _ rest: UnsafeRawBufferPointer, to sink: (UnsafeRawBufferPointer) -> Bool
  ) -> UnsafeRawBufferPointer {
    guard let inflater else { return rest }
    var isBeyondBudget = false
    let (taken, outcome) = inflater.inflate(rest) { [budget] piece in
      if let budget {
        isBeyondBudget = budget.isSpent
        budget.spend(piece.count)
      }
      return !isBeyondBudget && sink(piece)
    }
    switch outcome {
    case .stopped where isBeyondBudget: state = .failed(ExpansionLimit.archiveError)
    case .needsInput: break
    case .ended: state = .between([])
    case .stopped: state = .stopped
    case .failed(let error): state = .failed(error)
    }
    return UnsafeRawBufferPointer(rebasing: rest[taken...])
  }
}

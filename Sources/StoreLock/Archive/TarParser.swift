/// Takes a tar archive apart that arrives in pieces, in memory of fixed size.
struct TarParser {
  /// What the archive contains.
  enum Event {
    /// A member begins.
    case member(TarHeader)
    /// Bytes of the member, valid during the call.
    case bytes(UnsafeRawBufferPointer)
    /// The member is complete.
    case endOfMember
  }

  private enum State {
    case header
    case contents(left: Int, padding: Int)
    case padding(left: Int)
    /// After the end of the members: zeros only.
    case ended
  }

  private var state = State.header
  private var block: [UInt8] = []
  private var zeros = 0

  /// Reads the next bytes.
  ///
  /// - Throws: ``TarHeader/Problem``, and what the sink throws.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, to sink: (Event) throws -> Void
  ) throws {
    var rest = bytes
    while !rest.isEmpty {
      let used: Int
      switch state {
      case .header: used = try appendHeader(rest, to: sink)
      case .contents(let left, let padding):
        used = min(left, rest.count)
        try sink(.bytes(UnsafeRawBufferPointer(rebasing: rest[..<used])))
        state = .contents(left: left - used, padding: padding)
        try endContents(to: sink)
      case .padding(let left):
        used = min(left, rest.count)
        state = left == used ? .header : .padding(left: left - used)
      case .ended:
        guard rest.allSatisfy({ $0 == 0 }) else { throw TarHeader.Problem.notAHeader }
        used = rest.count
        zeros += used
      }
      rest = UnsafeRawBufferPointer(rebasing: rest[used...])
    }
  }

  /// Checks that the archive is complete.
  ///
  /// - Throws: ``TarHeader/Problem``.
  func finish() throws(TarHeader.Problem) {
    guard case .ended = state, zeros >= TarHeader.end.count else { throw .notAHeader }
  }

  private mutating func appendHeader(
    _ bytes: UnsafeRawBufferPointer, to sink: (Event) throws -> Void
  ) throws -> Int {
    let used = min(TarHeader.blockBytes - block.count, bytes.count)
    block += bytes[..<used]
    guard block.count == TarHeader.blockBytes else { return used }
    defer { block.removeAll(keepingCapacity: true) }
    guard block.contains(where: { $0 != 0 }) else {
      (state, zeros) = (.ended, TarHeader.blockBytes)
      return used
    }
    let header = try TarHeader(block: block)
    try sink(.member(header))
    state = .contents(left: header.size, padding: TarHeader.paddingBytes(after: header.size))
    try endContents(to: sink)
    return used
  }

  /// Goes on after the last byte of a member.
  private mutating func endContents(to sink: (Event) throws -> Void) throws {
    guard case .contents(0, let padding) = state else { return }
    state = padding == 0 ? .header : .padding(left: padding)
    try sink(.endOfMember)
  }
}

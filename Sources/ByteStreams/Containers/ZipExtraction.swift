import CZlib

/// Expands one member of an archive piece by piece, and checks it at its end.
struct ZipExtraction {
  /// The member that is expanded.
  let member: ZipMember
  /// Bytes in and out so far.
  private(set) var compressedBytes = 0
  private(set) var expandedBytes = 0
  /// The checksum of the bytes so far.
  private(set) var crc: UInt32 = 0
  /// The result; nil as long as there may be more bytes.
  private(set) var ending: StreamEnding?

  /// Starts with a member whose bytes come next in the archive.
  init(_ member: ZipMember) {
    self.member = member
    if member.compressedBytes == 0, member.expandedBytes == 0 { ending = checked }
  }

  /// Reads the next expanded bytes, up to the size of `buffer`. Returns their number; 0 once there
  /// is an ending.
  mutating func read(
    into buffer: UnsafeMutableRawBufferPointer, from feed: ByteFeed, with inflater: InflateStream,
    within budget: ExpansionBudget
  ) -> Int {
    do {
      while ending == nil {
        guard !budget.isSpent else {
          ending = StreamEnding(error: ExpansionLimit.archiveError)
          return 0
        }
        let count =
          member.method == ZipMember.Method.stored
          ? try copy(into: buffer, from: feed) : try inflate(into: buffer, from: feed, inflater)
        guard count > 0 else { continue }
        let piece = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        expandedBytes += count
        crc = CRC32.continued(crc, with: piece)
        budget.spend(count)
        if isComplete { ending = checked }
        return count
      }
    } catch {
      ending = StreamEnding(error: error)
    }
    return 0
  }

  /// True if all bytes of the member were read.
  private var isComplete = false

  /// The number of compressed bytes that are left.
  private var left: Int { member.compressedBytes.map { $0 - compressedBytes } ?? .max }

  /// Copies bytes of a stored member; sets an ending if there are none.
  private mutating func copy(
    into buffer: UnsafeMutableRawBufferPointer, from feed: ByteFeed
  ) throws(StreamError) -> Int {
    guard left > 0 else {
      ending = Self.endsEarly
      return 0
    }
    guard try feed.fill() else {
      ending = Self.cutOff
      return 0
    }
    let piece = feed.unread.prefix(min(left, buffer.count))
    // Sound: the piece fits into the buffer, and is valid until the feed is used again.
    buffer.copyBytes(from: piece)
    feed.consume(piece.count)
    compressedBytes += piece.count
    isComplete = left == 0
    return piece.count
  }

  /// Expands bytes of a deflated member; sets an ending if nothing more can be expanded.
  private mutating func inflate(
    into buffer: UnsafeMutableRawBufferPointer, from feed: ByteFeed, _ inflater: InflateStream
  ) throws(StreamError) -> Int {
    let hasInput = left > 0 ? try feed.fill() : false
    // Sound: the piece is valid until the feed is used again, after the call. An empty one gives
    // what zlib still holds.
    let piece = UnsafeRawBufferPointer(rebasing: feed.unread.prefix(hasInput ? left : 0))
    let (taken, given, outcome) = inflater.inflate(piece, into: buffer)
    feed.consume(taken)
    compressedBytes += taken
    switch outcome {
    case .stopped: break
    case .needsInput: if !hasInput, given == 0 { ending = left > 0 ? Self.cutOff : Self.endsEarly }
    case .ended:
      isComplete = true
      if given == 0 { ending = checked }
    case .failed(let error):
      ending = StreamEnding(error: error)
      return error.code == .tooLarge ? 0 : given
    }
    return given
  }

  // MARK: - Endings

  /// The ending of a complete member, after a comparison with the archive's numbers.
  private var checked: StreamEnding {
    guard let crc = member.crc,
      crc != self.crc || (member.expandedBytes ?? expandedBytes) != expandedBytes
    else { return StreamEnding() }
    return Self.mismatch
  }

  /// The ending of a member that its checksum contradicts.
  static let mismatch = StreamEnding.damaged(
    "It is damaged: its contents do not match their checksum.")

  private static let endsEarly = StreamEnding.damaged(
    "It is damaged: its compressed bytes end too early.")

  private static let cutOff = StreamEnding.truncated(
    "The archive is cut off inside this file; everything before the cut was read.")
}

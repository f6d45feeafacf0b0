import Geodesy

/// Decodes FIT files of Garmin and other makers from bytes in pieces of any size, down to one at a
/// time, with the same result.
///
/// A source is one FIT file or several, one after the other. Each has a header, messages and a
/// checksum (``FITDecoder/Stage``); ``FITDefinition`` describes the layout of messages, and
/// ``FITTrackBuilder`` makes fixes from them. Watches lose power and programs write wrong lengths,
/// so the stated length counts only if what follows confirms it. `docs/formats/fit.md` lists the
/// rules.
///
/// - Complexity: O(bytes).
/// - Memory: one message, at most 131 kB, and sixteen definitions, whatever the file contains.
package struct FITDecoder: TrackDecoder {
  /// The part of a file that comes next.
  enum Stage {
    /// A header, or the end of the source.
    case header
    /// A message, or the end of the data.
    case messages
    /// The rest of damaged data, ``left`` bytes.
    case skipped
    /// Bytes that are not FIT, to the end of the source.
    case ignored
  }

  var stage = Stage.header
  var builder: FITTrackBuilder
  /// The definitions of local types in the current file.
  var definitions = [FITDefinition?](repeating: nil, count: FITLimits.localTypes)
  /// The checksum of the current file up to here.
  var checksum = FITChecksum()
  /// The bytes of data that remain by the header; `Int.max` if the header does not state it
  /// rightly.
  var left = 0
  /// The offset in the source of the next byte that is not consumed.
  var offset = 0
  /// True if the current file has messages with compressed times.
  var usesCompressedTimes = false
  /// The number of headers that were read.
  var files = 0
  /// The smallest number of bytes that allows progress, if those available do not.
  var needed = 1

  /// Bytes that are not consumed, from earlier pieces.
  private var carried: [UInt8] = []

  /// Creates a decoder at the start of a source.
  ///
  /// - Parameter now: the current time. A time more than a day later is impossible and ignored.
  package init(now: Timestamp) {
    builder = FITTrackBuilder(
      latestTime: now.millisecondsSince1970 &+ Timestamp.millisecondsPerDay)
  }

  /// Decodes the next bytes of the source. They are only used during the call.
  ///
  /// Sound: any memory may be read as bytes, and every call of `take` gets the count of bytes at
  /// its pointer.
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    guard let base = bytes.baseAddress else { return }
    let start = base.assumingMemoryBound(to: UInt8.self)
    var position = 0
    while true {
      if carried.isEmpty {
        guard position < bytes.count else { return }
        let taken = take(
          start + position, available: bytes.count - position, isEnd: false, into: &sink)
        if taken == 0 {
          carried.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[position...]))
          return
        }
        position += taken
        offset += taken
      } else {
        if carried.count < needed {
          let end = position + min(needed - carried.count, bytes.count - position)
          carried.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
          position = end
          if carried.count < needed { return }
        }
        takeCarried(isEnd: false, into: &sink)
      }
    }
  }

  /// Takes what the carried bytes allow. Returns how many were consumed.
  @discardableResult
  private mutating func takeCarried(isEnd: Bool, into sink: inout some TrackSink) -> Int {
    var bytes: [UInt8] = []
    swap(&bytes, &carried)
    let taken = bytes.withUnsafeBufferPointer { buffer -> Int in
      // An empty buffer may lack an address; then any address will do, since no byte is read.
      guard let start = buffer.baseAddress else {
        return withUnsafePointer(to: UInt8(0)) { take($0, available: 0, isEnd: isEnd, into: &sink) }
      }
      return take(start, available: buffer.count, isEnd: isEnd, into: &sink)
    }
    bytes.removeFirst(taken)
    offset += taken
    if taken > 0 { needed = 1 }
    carried = bytes
    return taken
  }

  /// Takes the next part of the file.
  ///
  /// Sound: `start` has `available` bytes.
  ///
  /// - Parameter isEnd: true if no bytes follow the available ones.
  /// - Returns: the number of bytes consumed; 0 if ``needed`` bytes are required, or at the end.
  private mutating func take(
    _ start: UnsafePointer<UInt8>, available: Int, isEnd: Bool, into sink: inout some TrackSink
  ) -> Int {
    switch stage {
    case .header: return takeHeader(start, available: available, isEnd: isEnd, into: &sink)
    case .messages: return takeMessages(start, available: available, isEnd: isEnd, into: &sink)
    case .skipped: return skip(available)
    case .ignored: return available
    }
  }

  /// Skips the rest of damaged data, as far as it is available.
  mutating func skip(_ available: Int) -> Int {
    let count = min(left, available)
    left -= count
    if left == 0 { stage = .header }
    return count
  }

  /// Ends the source.
  ///
  /// - Returns: nil if the source is FIT; otherwise the reason to refuse it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    var previous = stage
    while takeCarried(isEnd: true, into: &sink) > 0 || stage != previous { previous = stage }
    guard files > 0 else {
      if offset == 0, carried.isEmpty { return IngestError(code: .empty, message: "It is empty.") }
      return IngestError(
        code: offset == 0 ? .malformed : .unknownFormat,
        message: offset == 0 ? "It ends inside its header." : "It has no FIT header.")
    }
    builder.finish(into: &sink)
    return nil
  }

  // MARK: - Headers

  /// Takes a header, or bytes that are not a header.
  mutating func takeHeader(
    _ start: UnsafePointer<UInt8>, available: Int, isEnd: Bool, into sink: inout some TrackSink
  ) -> Int {
    guard available > 0 else { return 0 }
    guard available >= FITLimits.shortestHeader else {
      needed = FITLimits.shortestHeader
      guard isEnd, files > 0 else { return 0 }
      return ignore(available, into: &sink)
    }
    guard Self.isHeader(start) else {
      guard files > 0 else {
        stage = .ignored
        return available
      }
      return ignore(available, into: &sink)
    }
    let size = Self.headerSize(start)
    guard available >= size else {
      needed = size
      if isEnd, files > 0 { return ignore(available, into: &sink) }
      return 0
    }
    beginFile(start, headerSize: size, into: &sink)
    return size
  }

  /// Ignores the rest of the source.
  private mutating func ignore(_ count: Int, into sink: inout some TrackSink) -> Int {
    sink.warn(
      .trailingJunk, line: nil,
      "Other bytes follow the end of the data, from byte \(offset); they were ignored.")
    stage = .ignored
    return count
  }

  /// Begins the file with a header.
  ///
  /// Sound: the header has `headerSize` bytes, at least ``FITLimits/shortestHeader``.
  private mutating func beginFile(
    _ start: UnsafePointer<UInt8>, headerSize: Int, into sink: inout some TrackSink
  ) {
    checksum = FITChecksum()
    if headerSize >= FITLimits.headerWithChecksum {
      let isAbsent = start[12] == 0 && start[13] == 0
      if !isAbsent, checksum.adding(start, count: FITLimits.headerWithChecksum) != 0 {
        sink.warn(
          .malformed, line: nil,
          "The checksum of the header at byte \(offset) is wrong; the file was read nevertheless.")
      }
    }
    checksum.add(start, count: headerSize)
    let length = (4..<8).reversed().reduce(0) { $0 << 8 | Int(start[$1]) }
    left = length
    if length == 0 {
      left = .max
      sink.warn(
        .malformed, line: nil,
        "The header at byte \(offset) states no length; messages were read as far as they go.")
    }
    for type in definitions.indices { definitions[type] = nil }
    usesCompressedTimes = false
    files += 1
    stage = .messages
    builder.beginFile()
  }

  /// Whether a header begins with these bytes, of which ``FITLimits/shortestHeader`` exist.
  static func isHeader(_ start: UnsafePointer<UInt8>) -> Bool {
    start[8] == 0x2E && start[9] == 0x46 && start[10] == 0x49 && start[11] == 0x54
  }

  /// The size of a header by its first byte; a size that is too small is damaged, and today's.
  private static func headerSize(_ start: UnsafePointer<UInt8>) -> Int {
    let size = Int(start[0])
    return size < FITLimits.shortestHeader ? FITLimits.headerWithChecksum : size
  }
}

import Foundation
import Geodesy

/// Reads NMEA 0183 logs, in pieces of any size.
///
/// Bytes become sentences (``NMEAScan``), sentences of the same time of day become epochs
/// (``NMEAEpoch``), and an epoch becomes one fix or one skipped position. Every `$` may begin a
/// sentence, anywhere in a line, so prefixes of loggers, TAG blocks, suffixes, binary data and cut
/// lines need no special rules. `docs/formats/nmea.md` lists the rules and their reasons.
///
/// - Complexity: O(bytes).
/// - Memory: one sentence and at most ``NMEAAssembler/mostUndated`` epochs, whatever the size of
///   the log.
package struct NMEADecoder: TrackDecoder {
  /// The longest time between two fixes of a segment, in either direction, in seconds.
  static let longestGapSeconds = 300

  /// The bytes of a sentence that the last piece left incomplete, starting with its `$`.
  private var carried: [UInt8] = []
  private var lines = NMEALineCounter()
  /// True if anything in the file was NMEA.
  private(set) var isRecognized = false
  /// True if anything looked like NMEA.
  private var hasCandidate = false

  private var assembler: NMEAAssembler

  /// Creates a decoder for one log.
  ///
  /// - Parameter now: the current time. A time more than a day later is impossible and ignored.
  package init(now: Timestamp) {
    assembler = NMEAAssembler(now: now)
    carried.reserveCapacity(Self.carryLimit)
  }

  /// More than the longest sentence with its checksum.
  private static let carryLimit = NMEAScan.longestSentence + 112

  /// Decodes the next bytes of the log. They are only used during the call.
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    // Any memory may be read as bytes; `count` bounds every read, and `lines.end()` forgets the
    // pointer.
    let start = base.assumingMemoryBound(to: UInt8.self)
    lines.begin(start, count: bytes.count)
    defer { lines.end() }
    // Sound: `NMEAScan` writes at most `offsetCapacity` offsets, and a sentence reads only those.
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: NMEAScan.offsetCapacity) { offsets in
      guard let offsets = offsets.baseAddress else { return }
      var position = 0
      if !carried.isEmpty {
        guard let next = resume(start, count: bytes.count, offsets: offsets, into: &sink) else {
          return
        }
        position = next
      }
      while let dollar = Self.nextDollar(start, from: position, to: bytes.count) {
        let length = read(
          start + dollar, available: bytes.count - dollar, offset: dollar, offsets: offsets,
          into: &sink)
        if length == 0 {
          carried.append(
            contentsOf: UnsafeBufferPointer(start: start + dollar, count: bytes.count - dollar))
          return
        }
        position = dollar + length
      }
    }
  }

  /// Continues a sentence that began in an earlier piece.
  ///
  /// Sound: `start` has `count` bytes, of which a part is copied.
  ///
  /// - Returns: how many of the new bytes belong to it; nil if all do and it is still incomplete.
  private mutating func resume(
    _ start: UnsafePointer<UInt8>, count: Int, offsets: UnsafeMutablePointer<UInt16>,
    into sink: inout some TrackSink
  ) -> Int? {
    var sentence = carried
    carried = []
    let before = sentence.count
    sentence.append(
      contentsOf: UnsafeBufferPointer(start: start, count: min(count, Self.carryLimit - before)))
    let length = sentence.withUnsafeBufferPointer { buffer -> Int in
      guard let base = buffer.baseAddress else { return 1 }
      return read(base, available: buffer.count, offset: 0, offsets: offsets, into: &sink)
    }
    if length == 0 {
      carried = sentence
      return nil
    }
    sentence.removeAll(keepingCapacity: true)
    carried = sentence
    // A carried sentence has no second `$`, so its rest contains no other sentence.
    return max(0, length - before)
  }

  /// The offset of the next `$`. `start` has at least `end` bytes.
  @inline(__always)
  private static func nextDollar(_ start: UnsafePointer<UInt8>, from: Int, to end: Int) -> Int? {
    if from + 2 < end, start[from + 2] == UInt8(ascii: "$"), start[from + 1] != UInt8(ascii: "$"),
      start[from] != UInt8(ascii: "$")
    {
      return from + 2
    }
    guard from < end, let found = memchr(start + from, Int32(UInt8(ascii: "$")), end - from) else {
      return nil
    }
    return UnsafeRawPointer(found) - UnsafeRawPointer(start)
  }

  /// Reads the sentence at a `$`, of which `available` bytes may be read.
  ///
  /// - Returns: how many bytes are consumed, at least 1; 0 if the sentence is incomplete.
  @inline(__always)
  private mutating func read(
    _ start: UnsafePointer<UInt8>, available: Int, offset: Int,
    offsets: UnsafeMutablePointer<UInt16>,
    into sink: inout some TrackSink
  ) -> Int {
    switch NMEAAddress.read(start, available: available) {
    case .none: return 1
    case .incomplete: return 0
    case .other:
      return isRecognized ? 1 : recognize(start, available: available, offsets: offsets)
    case .known(let kind, let talker):
      if isRecognized, !assembler.wants(kind) { return 7 }
      let scan = NMEAScan.scan(start, available: available, offsets: offsets)
      if scan.state == .incomplete { return 0 }
      let sentence = NMEASentence(
        start: start, offsets: offsets, fieldCount: scan.fieldCount,
        isChecked: scan.state == .checked)
      hasCandidate = true
      switch scan.state {
      case .checked, .unchecked:
        isRecognized = isRecognized || scan.state == .checked || sentence.fieldCount >= 4
        assembler.take(
          sentence, kind: kind, talker: talker, offset: offset, lines: &lines, into: &sink)
      case .badChecksum:
        if kind.carriesPosition, sentence.wouldGivePosition(kind) {
          assembler.takeBad(
            sentence, kind: kind, talker: talker, line: lines.line(at: offset), into: &sink)
        }
      case .cut:
        if kind.carriesPosition {
          sink.warn(
            .unreadable, line: lines.line(at: offset),
            "A sentence is cut off or overwritten; it was ignored.")
        }
      case .incomplete: break
      }
      return scan.length
    }
  }

  /// Decides if a sentence of another kind shows that this is NMEA.
  @inline(never)
  private mutating func recognize(
    _ start: UnsafePointer<UInt8>, available: Int, offsets: UnsafeMutablePointer<UInt16>
  ) -> Int {
    let scan = NMEAScan.scan(start, available: available, offsets: offsets)
    if scan.state == .incomplete { return 0 }
    if scan.state == .checked { isRecognized = true }
    if scan.state != .cut { hasCandidate = true }
    return 1
  }

  /// True if a fix waits for more sentences of its epoch, or for a date.
  package var awaitsMore: Bool { assembler.awaitsMore }

  /// Sets the current time, for a log that takes days to arrive.
  package mutating func update(now: Timestamp) { assembler.clock.update(now: now) }

  /// Ends the open epoch of a live log whose line has been silent for a while: a receiver sends all
  /// sentences of an epoch together. Sentences of that epoch that come later are ignored.
  ///
  /// - Parameter now: the current time.
  package mutating func completeEpoch(now: Timestamp, into sink: inout some TrackSink) {
    assembler.completeEpoch(now: now, into: &sink)
  }

  /// Discards a sentence of which only a part was received, because the connection was lost, and
  /// ends the open epoch.
  package mutating func breakOff(now: Timestamp, into sink: inout some TrackSink) {
    carried.removeAll(keepingCapacity: true)
    completeEpoch(now: now, into: &sink)
  }

  /// Ends the log. A sentence without its checksum and line end is uncertain and ignored.
  ///
  /// - Returns: nil if the file is NMEA; otherwise the reason to refuse it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    if !carried.isEmpty, isRecognized {
      sink.warn(
        .truncated, line: lines.lastLine,
        "The log ends inside a sentence; the sentence was ignored.")
    }
    assembler.finish(into: &sink)
    if let line = lines.firstBinaryLine, isRecognized {
      sink.warn(.unreadable, line: line, "The log contains binary bytes; they were ignored.")
    }
    if isRecognized, !assembler.hasReported {
      sink.warn(.leftOut, line: nil, "The log has no sentence with a position; nothing was read.")
    }
    if isRecognized { return nil }
    if lines.isBlank { return IngestError(code: .empty, message: "It contains only white space.") }
    return hasCandidate || !carried.isEmpty
      ? IngestError(
        code: .malformed,
        message: "It looks like NMEA, but contains no complete sentence with a matching checksum.")
      : IngestError(code: .unknownFormat, message: "It contains no NMEA sentence.")
  }
}

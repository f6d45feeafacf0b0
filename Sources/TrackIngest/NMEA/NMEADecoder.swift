import Foundation
import Geodesy

/// Reads NMEA 0183 logs, in pieces of any size.
///
/// Bytes become sentences (``NMEAScan``), sentences of the same time of day become epochs (``NMEAEpoch``), and
/// an epoch becomes one fix or one skipped position. Sentences are looked for at every `$`, wherever in a line
/// it stands, so prefixes of loggers, TAG blocks, suffixes, binary data and cut lines need no rules of their
/// own. `docs/formats/nmea.md` says what is taken and why.
///
/// - Complexity: O(bytes); memory of one sentence and one epoch, whatever the size of the log.
public struct NMEADecoder: TrackDecoder {
  /// Two fixes further apart in time than this, forwards or backwards, are in different segments. Seconds.
  public static let longestGapSeconds = 300

  /// The bytes of a sentence that the last piece did not finish, from its `$`.
  private var carried: [UInt8] = []
  /// Counts the lines passed.
  private var lines = NMEALineCounter()
  /// Whether anything in the file was NMEA.
  private(set) var isRecognised = false
  /// Whether anything looked like it.
  private var hasCandidate = false

  /// Makes epochs of sentences, and fixes of epochs.
  private var assembler: NMEAAssembler

  /// A decoder for one log.
  ///
  /// - Parameter now: when the log is read; times more than a day later are impossible.
  public init(now: Timestamp) {
    assembler = NMEAAssembler(now: now)
    carried.reserveCapacity(Self.carryLimit)
  }

  /// More than the longest sentence with its checksum.
  private static let carryLimit = NMEAScan.longestSentence + 112

  /// Takes the next bytes of the log.
  public mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    guard let base = bytes.baseAddress, !bytes.isEmpty else { return }
    let start = base.assumingMemoryBound(to: UInt8.self)
    lines.begin(start, count: bytes.count)
    defer { lines.end() }
    withUnsafeTemporaryAllocation(of: UInt16.self, capacity: NMEAScan.offsetCapacity) { offsets in
      guard let offsets = offsets.baseAddress else { return }
      var position = 0
      if !carried.isEmpty {
        guard let next = resume(start, count: bytes.count, offsets: offsets, into: &sink) else { return }
        position = next
      }
      while let dollar = Self.nextDollar(start, from: position, to: bytes.count) {
        let length = read(
          start + dollar, available: bytes.count - dollar, offset: dollar, offsets: offsets, into: &sink)
        if length == 0 {
          carried.append(contentsOf: UnsafeBufferPointer(start: start + dollar, count: bytes.count - dollar))
          return
        }
        position = dollar + length
      }
    }
  }

  /// Goes on with a sentence begun in an earlier piece.
  ///
  /// - Returns: how many of the new bytes belong to it, or nil where all do and it is still not finished.
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
    // A carried sentence holds no second `$`, so whatever of it was not taken holds no sentence.
    return max(0, length - before)
  }

  /// Where the next `$` is.
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

  /// Reads what begins at a `$`.
  ///
  /// - Returns: how many bytes are done with, at least 1; 0 where the sentence is not finished.
  @inline(__always)
  private mutating func read(
    _ start: UnsafePointer<UInt8>, available: Int, offset: Int, offsets: UnsafeMutablePointer<UInt16>,
    into sink: inout some TrackSink
  ) -> Int {
    switch NMEAAddress.read(start, available: available) {
    case .none: return 1
    case .incomplete: return 0
    case .other:
      return isRecognised ? 1 : recognise(start, available: available, offsets: offsets)
    case .known(let kind, let talker):
      if isRecognised, !assembler.wants(kind) { return 7 }
      let scan = NMEAScan.scan(start, available: available, offsets: offsets)
      if scan.state == .incomplete { return 0 }
      let sentence = NMEASentence(
        start: start, offsets: offsets, fieldCount: scan.fieldCount, isChecked: scan.state == .checked)
      hasCandidate = true
      switch scan.state {
      case .checked, .unchecked:
        isRecognised = isRecognised || scan.state == .checked || sentence.fieldCount >= 4
        assembler.take(
          sentence, kind: kind, talker: talker, offset: offset, lines: &lines, into: &sink)
      case .badChecksum:
        if kind.carriesPosition, sentence.wouldGivePosition(kind) {
          assembler.takeBad(sentence, kind: kind, line: lines.line(at: offset), into: &sink)
        }
      case .cut:
        if kind.carriesPosition {
          sink.warn(.unreadable, line: lines.line(at: offset), "A sentence is cut off or overwritten.")
        }
      case .incomplete: break
      }
      return scan.length
    }
  }

  /// Decides whether a sentence of no interest shows that this is NMEA at all.
  @inline(never)
  private mutating func recognise(
    _ start: UnsafePointer<UInt8>, available: Int, offsets: UnsafeMutablePointer<UInt16>
  ) -> Int {
    let scan = NMEAScan.scan(start, available: available, offsets: offsets)
    if scan.state == .incomplete { return 0 }
    if scan.state == .checked { isRecognised = true }
    if scan.state != .cut { hasCandidate = true }
    return 1
  }

  /// The log has ended. A sentence without its checksum and line end is not certain, and left out.
  public mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    if !carried.isEmpty, isRecognised {
      sink.warn(.truncated, line: lines.lastLine, "The log ends within a sentence, which is left out.")
    }
    assembler.finish(into: &sink)
    if let line = lines.firstBinaryLine, isRecognised {
      sink.warn(.unreadable, line: line, "Bytes that are no text were passed over.")
    }
    if isRecognised, !assembler.hasReported {
      sink.warn(.leftOut, line: nil, "No sentence in it is of a kind that gives a position.")
    }
    if isRecognised { return nil }
    if lines.isBlank { return IngestError(code: .empty, message: "There is nothing in it.") }
    return hasCandidate || !carried.isEmpty
      ? IngestError(
        code: .malformed,
        message: "It looks like NMEA, but no sentence in it is whole, with a checksum that fits.")
      : IngestError(code: .unknownFormat, message: "There is no NMEA sentence in it.")
  }
}

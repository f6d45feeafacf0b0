import ByteStreams
import Foundation
import Geodesy

/// Decodes logs of gpsd's JSON messages, as `gpspipe -w` writes them: a message on each line.
///
/// `docs/formats/gpsd.md` lists the rules. They are those of a live gpsd (``LiveDecoder``), so that
/// a log gives the same fixes as the session of which it is. If NMEA sentences follow before the
/// first fix of gpsd, they are read instead.
///
/// - Complexity: O(bytes).
/// - Memory: one line, at most ``GPSDDecoder/longestLine`` bytes.
package struct GPSDLogDecoder: TrackDecoder {
  private var text = EncodedTextReader()
  private var log: Log

  /// Creates a decoder at the start of a log.
  ///
  /// - Parameter now: the current time. A time more than a day later is impossible and ignored.
  package init(now: Timestamp) { log = Log(now: now) }

  /// Decodes the next bytes of the log, any number of them. They are only used during the call.
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    // Any memory may be read as bytes; the buffer does not outlive the closure.
    bytes.withMemoryRebound(to: UInt8.self) { buffer in
      text.read(buffer) { Self.read($1, of: &log, into: &sink) }
    }
  }

  /// Ends the log. A message without its line end is read if it is complete.
  ///
  /// - Returns: nil if the log has messages of gpsd, even without any position; otherwise the
  ///   reason to refuse it.
  package mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    text.finish { Self.read($1, of: &log, into: &sink) }
    if text.sawInvalid {
      sink.warn(
        .encoding, line: nil,
        "Some characters are invalid in the file's encoding; they were replaced by U+FFFD.")
    }
    return log.finish(into: &sink)
  }

  private static func read(
    _ text: UnsafeBufferPointer<UInt8>, of log: inout Log, into sink: inout some TrackSink
  ) -> Int {
    log.read(UnsafeRawBufferPointer(text), into: &sink)
    return text.count
  }
}

/// What a log's decoder knows between two pieces of its text.
private struct Log {
  private var decoder: GPSDDecoder
  private var fixes = GPSDFixes()
  /// Reads sentences until gpsd has a fix; nil from then on.
  private var sentences: NMEADecoder?
  /// Whether a sentence had a position first.
  private var isNMEA = false
  /// The number of the present line, from 1.
  private var line = 1
  private var isRecognized = false
  private var hasPosition = false
  private var hasTrack = false
  /// The last moment of a fix, in milliseconds since 1970.
  private var lastMoment: Int64?
  /// The reports that have a position and no time: their number, and the line of the first.
  private var undated: (count: Int, line: Int)?

  init(now: Timestamp) {
    decoder = GPSDDecoder(now: now)
    sentences = NMEADecoder(now: now)
  }

  /// Reads the next bytes of the text, line by line, to know where a message is.
  mutating func read(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink) {
    var rest = bytes
    while let base = rest.baseAddress, !rest.isEmpty {
      // Sound: the search ends with the bytes.
      let end = memchr(base, 0x0A, rest.count).map { UnsafeRawPointer($0) - base }
      let part = UnsafeRawBufferPointer(rebasing: rest.prefix(end.map { $0 + 1 } ?? rest.count))
      sentences?.decode(part, into: &sink)
      if sentences?.awaitsMore == true { isNMEA = true }
      if !isNMEA {
        let (message, isBroken) = read(partOfLine: part)
        if isBroken {
          sink.warn(.unreadable, line: line, "A message is broken or too long; it was ignored.")
        }
        if let message { take(message, into: &sink) }
      }
      guard let end else { return }
      line += 1
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(end + 1))
    }
  }

  /// Reads bytes of which at most the last one ends the line.
  private mutating func read(
    partOfLine bytes: UnsafeRawBufferPointer
  ) -> (message: GPSDMessage?, isBroken: Bool) {
    let before = decoder.brokenLines
    var message: GPSDMessage?
    decoder.decode(bytes) { message = $0 }
    return (message, decoder.brokenLines > before)
  }

  mutating func finish(into sink: inout some TrackSink) -> IngestError? {
    if isNMEA { return sentences?.finish(into: &sink) }
    let newline: [UInt8] = [0x0A]
    let (message, isCutOff) = newline.withUnsafeBytes { read(partOfLine: $0) }
    if let message { take(message, into: &sink) }
    guard isRecognized else {
      return isCutOff
        ? IngestError(
          code: .malformed, line: line,
          message: "The file ends before its first message is complete.")
        : IngestError(code: .unknownFormat, message: "It contains no message of gpsd.")
    }
    if isCutOff {
      sink.warn(
        .truncated, line: line, "The log ends inside a message; the message was ignored.")
    }
    if let undated {
      sink.warn(
        .leftOut, line: undated.line,
        "Reports with a position and no time were ignored: gpsd repeats them when it knows the "
          + "time (\(GroupedNumber.text(undated.count)) in all).")
    } else if !hasPosition {
      sink.warn(.leftOut, line: nil, "The log has no report of a position; nothing was read.")
    }
    return nil
  }

  private mutating func take(_ message: GPSDMessage, into sink: inout some TrackSink) {
    if message != .other { isRecognized = true }
    switch message {
    case .deviation(let deviation): fixes.take(deviation)
    case .report(let report): take(report, into: &sink)
    case .version, .devices, .device, .watch, .sky, .error, .other: break
    }
  }

  private mutating func take(_ report: GPSDReport, into sink: inout some TrackSink) {
    hasPosition = true
    switch fixes.take(report) {
    case .fix(let fix):
      sentences = nil
      let moment = fix.time?.millisecondsSince1970
      if !hasTrack {
        hasTrack = true
        sink.beginTrack()
        sink.beginSegment()
      } else if let moment, let lastMoment {
        if abs(moment - lastMoment) > Int64(NMEADecoder.longestGapSeconds) * 1_000 {
          sink.beginSegment()
        }
        if moment < lastMoment {
          sink.warn(
            .timeBackwards, line: line,
            "A time is earlier than the one before it; the order of the file was kept.")
        }
      }
      lastMoment = moment ?? lastMoment
      if fix.time == nil { warnOfTime(report.statedTime, into: &sink) }
      sink.fix(fix, line: line)
    case .noFix: sink.skip(.noFix, line: line)
    case .nothing:
      guard report.hasFix else { return }
      if report.fix == nil {
        sink.skip(.invalidCoordinate, line: line)
      } else if !report.statesTime {
        undated = ((undated?.count ?? 0) + 1, undated?.line ?? line)
      }
    }
  }

  /// Warns of the time of a fix that has none because the stated one is impossible; nil if that
  /// cannot be read.
  private func warnOfTime(_ stated: Int64?, into sink: inout some TrackSink) {
    let flaw =
      switch stated {
      case .none: "impossible"
      case .some(let time): time < 0 ? "before 1970" : "in the future"
      }
    sink.warn(.impossibleTime, line: line, "A time is \(flaw); it was ignored.")
  }
}

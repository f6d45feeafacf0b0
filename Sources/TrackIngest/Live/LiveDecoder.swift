import Foundation
import Geodesy

/// What a receiver says, in the order in which it says it.
package enum ReceiverEvent: Hashable, Sendable {
  /// A position.
  case fix(Fix)
  /// The next fix starts a segment.
  case gap
  /// The receiver has no fix, or its position cannot be read.
  case noFix(SkipReason)
  /// The program that sends the reports, and its release.
  case program(String)
  /// The devices that gpsd has; empty if it has none.
  case devices([String])
  /// The number of satellites used and seen; nil if unknown.
  case satellites(used: Int?, seen: Int?)
  /// The sender reports an error.
  case error(String)
}

/// Reads the stream of a receiver, NMEA sentences or the messages of gpsd, and emits each fix as
/// soon as it is complete.
///
/// A message of gpsd is complete with its line. An epoch of NMEA is complete when a sentence of
/// another time follows, or when the line has been silent for ``quietSeconds``: report that with
/// ``silence(now:)``. The decoder has no clock.
package struct LiveDecoder {
  /// The silence of a line in seconds after which an epoch of NMEA is complete. Receivers send the
  /// sentences of an epoch without pauses; ten epochs per second leave pauses of less than 0.1 s,
  /// and there the next epoch completes the one before.
  package static let quietSeconds = 0.25

  /// What is read of a stream.
  package enum Language: Hashable, Sendable {
    /// NMEA, unless the first fix is one of gpsd.
    case any
    /// The messages of gpsd, and no NMEA sentences between them.
    case gpsd
    /// NMEA; of gpsd's messages, all but positions.
    case nmea
  }

  private var language: Language
  private var nmea: NMEADecoder
  private var gpsd: GPSDDecoder
  private var fixes: GPSDFixes
  private var sink = Sink()
  /// The last moment of gpsd's fixes, in milliseconds since 1970.
  private var lastMoment: Int64?

  /// Creates a decoder.
  ///
  /// - Parameters:
  ///   - language: what to read.
  ///   - device: the path of gpsd's device to use; nil for the first that has a fix.
  ///   - now: the current time.
  package init(_ language: Language, device: String? = nil, now: Timestamp) {
    self.language = language
    nmea = NMEADecoder(now: now)
    gpsd = GPSDDecoder(now: now)
    fixes = GPSDFixes(device: device)
  }

  /// True if a fix waits for the end of its epoch: call ``silence(now:)`` after a silence.
  package var awaitsMore: Bool { language != .gpsd && nmea.awaitsMore }

  /// Decodes the next bytes. They are only used during the call.
  ///
  /// - Parameter now: the current time. A time more than a day later is impossible and ignored.
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, now: Timestamp) -> [ReceiverEvent] {
    if language != .gpsd { nmea.update(now: now) }
    gpsd.now = now
    var rest = bytes
    // Line by line until it is decided, so that the pieces in which bytes arrive decide nothing.
    while language == .any, let base = rest.baseAddress, !rest.isEmpty {
      // Sound: the search ends with the bytes.
      let found = memchr(base, 0x0A, rest.count).map { UnsafeRawPointer($0) - base + 1 }
      let length = found ?? rest.count
      decode(UnsafeRawBufferPointer(rebasing: rest.prefix(length)))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(length))
    }
    if !rest.isEmpty { decode(rest) }
    return takeEvents()
  }

  /// Decodes bytes; if the language is undecided, at most the last one ends a line.
  private mutating func decode(_ bytes: UnsafeRawBufferPointer) {
    if language != .gpsd {
      nmea.decode(bytes, into: &sink)
      // What has a position first is read, as an import does.
      if language == .any, nmea.awaitsMore { language = .nmea }
    }
    readMessages(bytes)
  }

  /// The line has been silent for ``quietSeconds``: the open epoch is complete.
  package mutating func silence(now: Timestamp) -> [ReceiverEvent] {
    nmea.completeEpoch(now: now, into: &sink)
    return takeEvents()
  }

  /// The connection was lost, or the stream has ended: nothing follows what was received.
  package mutating func breakOff(now: Timestamp) -> [ReceiverEvent] {
    gpsd.breakOff()
    nmea.breakOff(now: now, into: &sink)
    return takeEvents()
  }

  /// Ends a stream that is a whole log, such as a file: fixes that wait for a date get one from the
  /// log, and never from a clock.
  package mutating func finish() -> [ReceiverEvent] {
    _ = nmea.finish(into: &sink)
    // The last message may be complete without its line end.
    [UInt8(ascii: "\n")].withUnsafeBytes { readMessages($0) }
    return takeEvents()
  }

  private mutating func readMessages(_ bytes: UnsafeRawBufferPointer) {
    var messages: [GPSDMessage] = []
    gpsd.decode(bytes) { messages.append($0) }
    for message in messages { take(message) }
  }

  private mutating func takeEvents() -> [ReceiverEvent] {
    var events: [ReceiverEvent] = []
    swap(&events, &sink.events)
    return events
  }

  private mutating func take(_ message: GPSDMessage) {
    switch message {
    case .version(let release, _):
      sink.events.append(.program(release.map { "gpsd \($0)" } ?? "gpsd"))
    case .devices(let paths): sink.events.append(.devices(paths))
    case .sky(let used, let seen) where used != nil || seen != nil:
      sink.events.append(.satellites(used: used, seen: seen))
    case .error(let text): sink.events.append(.error(text))
    case .deviation(let deviation): fixes.take(deviation)
    case .report(let report) where language != .nmea: take(fixes.take(report))
    case .device, .watch, .sky, .report, .other: break
    }
  }

  private mutating func take(_ outcome: GPSDFixes.Outcome) {
    switch outcome {
    case .fix(let fix):
      let moment = fix.time?.millisecondsSince1970
      if let moment, let lastMoment,
        abs(moment - lastMoment) > Int64(NMEADecoder.longestGapSeconds) * 1_000
      {
        sink.events.append(.gap)
      }
      lastMoment = moment ?? lastMoment
      if language == .any { language = .gpsd }
      sink.events.append(.fix(fix))
    case .noFix: sink.events.append(.noFix(.noFix))
    case .nothing: break
    }
  }

  /// Collects the events of NMEA.
  private struct Sink: TrackSink {
    var events: [ReceiverEvent] = []
    private var hasSegment = false

    mutating func beginTrack() {}
    mutating func beginSegment() {
      if hasSegment { events.append(.gap) }
      hasSegment = true
    }
    mutating func beginRoute() {}
    mutating func fix(_ fix: Fix, line: Int) { events.append(.fix(fix)) }
    mutating func skip(_ reason: SkipReason, line: Int) { events.append(.noFix(reason)) }
    mutating func waypoint(_ fix: Fix, line: Int) {}
    mutating func routePoint(_ fix: Fix, line: Int) {}
    mutating func warn(
      _ code: IngestWarning.Code, line: Int?, _ message: @autoclosure () -> String
    ) {}
  }
}

import Foundation
import Geodesy

/// Reads the messages of gpsd's JSON protocol from a stream, in pieces of any size.
///
/// A line is a message. A line that does not begin with `{` is ignored, so that NMEA sentences may
/// stand between messages; so is a line that is broken or too long. An error never reaches into the
/// next line.
///
/// - Complexity: O(bytes).
/// - Memory: one line, at most ``longestLine`` bytes.
package struct GPSDDecoder {
  /// The longest message that is read, in bytes. gpsd's own buffer has 10,240.
  package static let longestLine = 1 << 16

  private enum State {
    /// At the start of a line, perhaps after blanks.
    case start
    /// In a line that may be a message.
    case message
    /// In a line that is ignored.
    case ignored
  }

  private var state = State.start
  private var line: [UInt8] = []
  /// Times more than a day after this are impossible and ignored.
  package var now: Timestamp
  /// The number of lines that began as messages and were broken or too long.
  package private(set) var brokenLines = 0

  /// Creates a decoder at the start of a stream.
  ///
  /// - Parameter now: the current time.
  package init(now: Timestamp) { self.now = now }

  /// Decodes the next bytes of the stream, and calls `emit` with each complete message, in order.
  /// The bytes are only used during the call.
  package mutating func decode(_ bytes: UnsafeRawBufferPointer, emit: (GPSDMessage) -> Void) {
    var rest = bytes[...]
    while let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress, !rest.isEmpty {
      // Sound: the search ends with the bytes.
      let found = memchr(base, Int32(UInt8(ascii: "\n")), rest.count)
      let length = found.map { UnsafeRawPointer($0) - base } ?? rest.count
      take(rest.prefix(length))
      guard found != nil else { return }
      endLine(emit: emit)
      rest = rest.dropFirst(length + 1)
    }
  }

  /// Discards a line of which only a part was received.
  package mutating func breakOff() {
    line.removeAll(keepingCapacity: true)
    state = .start
  }

  private mutating func take(_ part: Slice<UnsafeRawBufferPointer>) {
    var part = part
    if state == .start {
      part = part.drop { $0 <= 0x20 }
      guard let first = part.first else { return }
      state = first == UInt8(ascii: "{") ? .message : .ignored
    }
    guard state == .message else { return }
    guard line.count + part.count <= Self.longestLine else {
      brokenLines += 1
      line.removeAll(keepingCapacity: true)
      state = .ignored
      return
    }
    line.append(contentsOf: part)
  }

  private mutating func endLine(emit: (GPSDMessage) -> Void) {
    if state == .message {
      var builder = GPSDBuilder(
        latestTime: now.millisecondsSince1970 &+ Timestamp.millisecondsPerDay)
      var scanner = JSONScanner()
      var sink = NoSink()
      line.withUnsafeBufferPointer { scanner.scan($0, into: &builder, &sink) }
      scanner.finish(into: &builder, &sink)
      if let message = builder.message { emit(message) } else { brokenLines += 1 }
    }
    breakOff()
  }

  /// Ignores the warnings of the scanner.
  private struct NoSink: TrackSink {
    mutating func beginTrack() {}
    mutating func beginSegment() {}
    mutating func beginRoute() {}
    mutating func fix(_ fix: Fix, line: Int) {}
    mutating func skip(_ reason: SkipReason, line: Int) {}
    mutating func waypoint(_ fix: Fix, line: Int) {}
    mutating func routePoint(_ fix: Fix, line: Int) {}
    mutating func warn(
      _ code: IngestWarning.Code, line: Int?, _ message: @autoclosure () -> String
    ) {}
  }
}

import Geodesy
import TrackIngest

/// The events that a decoder reported, in order.
enum NMEAEvent: Equatable {
  case track
  case segment
  case fix(Fix, line: Int)
  case skip(SkipReason, line: Int)
  case warning(IngestWarning.Code, line: Int?)
}

/// A sink that records everything.
struct NMEARecorder: TrackSink {
  var events: [NMEAEvent] = []
  var messages: [String] = []
  var error: IngestError?

  mutating func beginTrack() { events.append(.track) }
  mutating func beginSegment() { events.append(.segment) }
  mutating func beginRoute() {}
  mutating func fix(_ fix: Fix, line: Int) { events.append(.fix(fix, line: line)) }
  mutating func skip(_ reason: SkipReason, line: Int) { events.append(.skip(reason, line: line)) }
  mutating func waypoint(_ fix: Fix, line: Int) {}
  mutating func routePoint(_ fix: Fix, line: Int) {}
  mutating func warn(_ code: IngestWarning.Code, line: Int?, _ message: @autoclosure () -> String) {
    events.append(.warning(code, line: line))
    messages.append(message())
  }

  /// The fixes, without other events.
  var fixes: [Fix] { events.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } } }
  /// The lines of the fixes.
  var lines: [Int] { events.compactMap { if case .fix(_, let line) = $0 { line } else { nil } } }
  /// The reasons of skipped positions.
  var skips: [SkipReason] {
    events.compactMap { if case .skip(let reason, _) = $0 { reason } else { nil } }
  }
  /// The codes of the warnings.
  var warnings: [IngestWarning.Code] {
    events.compactMap { if case .warning(let code, _) = $0 { code } else { nil } }
  }
  /// The number of segments.
  var segments: Int { events.count { $0 == .segment } }
  /// The times of the fixes as text; `-` if there is none.
  var times: [String] { fixes.map { $0.time?.iso8601 ?? "-" } }
}

/// 2026-01-01T00:00:00Z, the current time when the logs of these tests are read.
let readingTime = Timestamp(millisecondsSince1970: 1_767_225_600_000)

/// Decodes a log given in pieces.
func decodeNMEA(pieces: [[UInt8]], now: Timestamp = readingTime) -> NMEARecorder {
  var recorder = NMEARecorder()
  var decoder = NMEADecoder(now: now)
  for piece in pieces { piece.withUnsafeBytes { decoder.decode($0, into: &recorder) } }
  recorder.error = decoder.finish(into: &recorder)
  return recorder
}

/// Decodes a log in one piece.
func decodeNMEA(_ text: String, now: Timestamp = readingTime) -> NMEARecorder {
  decodeNMEA(pieces: [Array(text.utf8)], now: now)
}

/// Returns a sentence with its checksum, without a line end.
func sentence(_ body: String) -> String {
  let sum = body.utf8.reduce(UInt8(0), ^)
  let digits = String(sum, radix: 16, uppercase: true)
  return "$\(body)*\(sum < 16 ? "0" : "")\(digits)"
}

/// Returns sentences with checksums and line ends.
func log(_ bodies: String...) -> String { bodies.map { sentence($0) + "\r\n" }.joined() }

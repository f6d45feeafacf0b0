import Geodesy
import Testing

@testable import TrackIngest

/// A sink that records all events in order.
struct GPXRecorder: TrackSink {
  enum Event: Hashable {
    case track, segment, route
    case fix(Fix, line: Int)
    case skip(SkipReason, line: Int)
    case waypoint(Fix, line: Int)
    case routePoint(Fix, line: Int)
    case warning(IngestWarning)
  }

  var events: [Event] = []
  var error: IngestError?

  mutating func beginTrack() { events.append(.track) }
  mutating func beginSegment() { events.append(.segment) }
  mutating func beginRoute() { events.append(.route) }
  mutating func fix(_ fix: Fix, line: Int) { events.append(.fix(fix, line: line)) }
  mutating func skip(_ reason: SkipReason, line: Int) { events.append(.skip(reason, line: line)) }
  mutating func waypoint(_ fix: Fix, line: Int) { events.append(.waypoint(fix, line: line)) }
  mutating func routePoint(_ fix: Fix, line: Int) { events.append(.routePoint(fix, line: line)) }
  mutating func warn(_ code: IngestWarning.Code, line: Int?, _ message: @autoclosure () -> String) {
    events.append(.warning(IngestWarning(code: code, line: line, message: message())))
  }

  var fixes: [Fix] {
    events.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
  }
  var fixLines: [Int] {
    events.compactMap { if case .fix(_, let line) = $0 { line } else { nil } }
  }
  var skips: Int { events.count { if case .skip = $0 { true } else { false } } }
  var tracks: Int { events.count { $0 == .track } }
  var segments: Int { events.count { $0 == .segment } }
  var routes: Int { events.count { $0 == .route } }
  var waypoints: Int { events.count { if case .waypoint = $0 { true } else { false } } }
  var routePoints: Int { events.count { if case .routePoint = $0 { true } else { false } } }
  var warnings: [IngestWarning] {
    events.compactMap { if case .warning(let warning) = $0 { warning } else { nil } }
  }
  var codes: Set<IngestWarning.Code> { Set(warnings.map(\.code)) }
  var latitudesE7: [Int32] { fixes.map(\.coordinate.latitudeE7) }
  var times: [Int64?] { fixes.map { $0.time?.millisecondsSince1970 } }

  /// 2026-01-01T00:00:00Z, the current time in these tests.
  static let now = Timestamp(millisecondsSince1970: 1_767_225_600_000)

  /// Decodes bytes in pieces whose lengths cycle through `sizes`.
  init(_ bytes: [UInt8], pieces sizes: [Int] = [.max], fastPath: Bool = true) {
    var decoder = GPXDecoder(now: Self.now)
    decoder.usesFastPath = fastPath
    self.init(bytes, with: decoder, pieces: sizes)
  }

  /// Decodes bytes with a decoder of any format.
  init(_ bytes: [UInt8], with begun: some TrackDecoder, pieces sizes: [Int] = [.max]) {
    var decoder = begun
    bytes.withUnsafeBytes { buffer in
      var start = 0
      var turn = 0
      while start < buffer.count {
        let length = min(sizes[turn % sizes.count], buffer.count - start)
        // A copy with an exact end, so that a sanitizer or wrong values reveal a read past the
        // piece.
        let piece = Array(buffer[start..<start + length])
        piece.withUnsafeBytes { decoder.decode($0, into: &self) }
        start += length
        turn += 1
      }
    }
    error = decoder.finish(into: &self)
  }

  init(_ text: String) { self.init(Array(text.utf8)) }

  /// Decodes a document with this body in a segment.
  init(segment body: String) { self.init(Self.document(segment: body)) }

  static func document(segment body: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
    \(body)
    </trkseg></trk></gpx>
    """
  }
}

/// Reads the same bytes in pieces of several sizes and on both paths, and expects one result.
@discardableResult
func expectSameInAnyPieces(
  _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
) -> GPXRecorder {
  let whole = GPXRecorder(bytes)
  let cuts: [[Int]] = [[1], [2], [3, 1, 7], [64], [65, 1], [1000], [4096, 13]]
  for cut in cuts {
    let pieces = GPXRecorder(bytes, pieces: cut)
    let difference = zip(whole.events, pieces.events).first { $0 != $1 }
    #expect(difference == nil, "pieces of \(cut)", sourceLocation: sourceLocation)
    #expect(
      whole.events.count == pieces.events.count, "pieces of \(cut)", sourceLocation: sourceLocation)
    #expect(whole.error == pieces.error, "pieces of \(cut)", sourceLocation: sourceLocation)
  }
  let exact = GPXRecorder(bytes, fastPath: false)
  #expect(
    zip(whole.events, exact.events).first { $0 != $1 } == nil, "paths differ",
    sourceLocation: sourceLocation)
  #expect(whole.events.count == exact.events.count, "paths differ", sourceLocation: sourceLocation)
  return whole
}

import Geodesy
import Testing

@testable import TrackIngest

/// A sink that records all events of a decoder in order.
struct TrackRecorder: TrackSink {
  enum Event: Hashable {
    case track, segment, route
    case fix(Fix, line: Int)
    case skip(SkipReason, line: Int)
    case waypoint(Fix, line: Int)
    case routePoint(Fix, line: Int)
    case block(PixelBlock)
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
  mutating func explore(_ block: PixelBlock) { events.append(.block(block)) }
  mutating func warn(_ code: IngestWarning.Code, line: Int?, _ message: @autoclosure () -> String) {
    events.append(.warning(IngestWarning(code: code, line: line, message: message())))
  }

  var fixes: [Fix] {
    events.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
  }
  var blocks: [PixelBlock] {
    events.compactMap { if case .block(let block) = $0 { block } else { nil } }
  }
  /// Fixes and waypoints.
  var positions: [Fix] {
    events.compactMap {
      switch $0 {
      case .fix(let fix, _), .waypoint(let fix, _): fix
      default: nil
      }
    }
  }
  var lines: [Int] {
    events.compactMap { if case .fix(_, let line) = $0 { line } else { nil } }
  }
  var skips: [SkipReason] {
    events.compactMap { if case .skip(let reason, _) = $0 { reason } else { nil } }
  }
  var warnings: [IngestWarning] {
    events.compactMap { if case .warning(let warning) = $0 { warning } else { nil } }
  }
  var codes: [IngestWarning.Code] { warnings.map(\.code) }
  var tracks: Int { events.count { $0 == .track } }
  var segments: Int { events.count { $0 == .segment } }
  var routes: Int { events.count { $0 == .route } }
  var routePoints: Int { events.count { if case .routePoint = $0 { true } else { false } } }
  /// The times of the fixes as text; `-` if there is none.
  var times: [String] { fixes.map { $0.time?.iso8601 ?? "-" } }

  /// Decodes bytes in pieces whose lengths cycle through `sizes`.
  init(_ bytes: [UInt8], with decoder: some TrackDecoder, pieces sizes: [Int] = [.max]) {
    var decoder = decoder
    var start = 0
    var turn = 0
    while start < bytes.count {
      let length = min(sizes[turn % sizes.count], bytes.count - start)
      // A copy with an exact end, so that a sanitizer reveals a read past the piece.
      let piece = Array(bytes[start..<start + length])
      piece.withUnsafeBytes { decoder.decode($0, into: &self) }
      start += length
      turn += 1
    }
    error = decoder.finish(into: &self)
  }
}

/// Decodes the same bytes in pieces of several sizes, and expects one result.
@discardableResult
func expectSame(
  _ bytes: [UInt8], inAnyPiecesWith decoder: some TrackDecoder,
  sourceLocation: SourceLocation = #_sourceLocation
) -> TrackRecorder {
  let whole = TrackRecorder(bytes, with: decoder)
  for cut in [[1], [2], [3, 1, 7], [13], [64, 1], [1000], [4096, 13]] {
    let pieces = TrackRecorder(bytes, with: decoder, pieces: cut)
    let difference = zip(whole.events, pieces.events).first { $0 != $1 }
    #expect(difference == nil, "pieces of \(cut)", sourceLocation: sourceLocation)
    #expect(
      whole.events.count == pieces.events.count, "pieces of \(cut)", sourceLocation: sourceLocation)
    #expect(whole.error == pieces.error, "pieces of \(cut)", sourceLocation: sourceLocation)
  }
  return whole
}

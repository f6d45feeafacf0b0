import Geodesy
import Testing

@testable import TrackIngest

/// The formats that are JSON.
enum JSONFormat: CaseIterable, Sendable {
  case googleTimeline, geojson, owntracks, polarsteps
}

/// A sink that decodes bytes in one of the JSON formats and records all events in order.
struct JSONRecorder: TrackSink {
  enum Event: Hashable {
    case track, segment, route
    case fix(Fix, line: Int)
    case skip(SkipReason, line: Int)
    case waypoint(Fix, line: Int)
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
  mutating func routePoint(_ fix: Fix, line: Int) { Issue.record("JSON has no routes") }
  mutating func warn(_ code: IngestWarning.Code, line: Int?, _ message: @autoclosure () -> String) {
    events.append(.warning(IngestWarning(code: code, line: line, message: message())))
  }

  var fixes: [Fix] {
    events.compactMap { if case .fix(let fix, _) = $0 { fix } else { nil } }
  }
  var lines: [Int] {
    events.compactMap { if case .fix(_, let line) = $0 { line } else { nil } }
  }
  var skips: Int { events.count { if case .skip = $0 { true } else { false } } }
  var waypoints: Int { events.count { if case .waypoint = $0 { true } else { false } } }
  var warnings: [IngestWarning] {
    events.compactMap { if case .warning(let warning) = $0 { warning } else { nil } }
  }
  var codes: Set<IngestWarning.Code> { Set(warnings.map(\.code)) }
  var latitudesE7: [Int32] { fixes.map(\.coordinate.latitudeE7) }
  var longitudesE7: [Int32] { fixes.map(\.coordinate.longitudeE7) }
  var times: [String?] { fixes.map { $0.time?.iso8601 } }
  /// The number of fixes of each segment.
  var segments: [Int] {
    events.reduce(into: []) { counts, event in
      if event == .segment { counts.append(0) }
      if case .fix = event, !counts.isEmpty { counts[counts.count - 1] += 1 }
    }
  }

  /// 2026-01-01T00:00:00Z, the current time in these tests.
  static let now = Timestamp(millisecondsSince1970: 1_767_225_600_000)

  /// Decodes bytes in pieces whose lengths cycle through `sizes`.
  init(_ format: JSONFormat, _ bytes: [UInt8], pieces sizes: [Int] = [.max]) {
    switch format {
    case .googleTimeline: decode(GoogleTimelineDecoder(now: Self.now), bytes, sizes)
    case .geojson: decode(GeoJSONTrackDecoder(now: Self.now), bytes, sizes)
    case .owntracks: decode(OwnTracksDecoder(now: Self.now), bytes, sizes)
    case .polarsteps: decode(PolarstepsDecoder(now: Self.now), bytes, sizes)
    }
  }

  /// Decodes with any decoder.
  init(_ decoder: some TrackDecoder, _ text: String) {
    decode(decoder, Array(text.utf8), [1_000])
  }

  init(_ format: JSONFormat, _ text: String) { self.init(format, Array(text.utf8)) }

  private mutating func decode(
    _ decoder: some TrackDecoder, _ bytes: [UInt8], _ sizes: [Int]
  ) {
    var decoder = decoder
    var start = 0
    var turn = 0
    while start < bytes.count {
      let length = min(sizes[turn % sizes.count], bytes.count - start)
      // A copy with an exact end, so that a sanitizer or wrong values reveal a read past the piece.
      let piece = Array(bytes[start..<start + length])
      piece.withUnsafeBytes { decoder.decode($0, into: &self) }
      start += length
      turn += 1
    }
    error = decoder.finish(into: &self)
  }
}

/// Reads the same bytes in pieces of several sizes, and expects one result.
@discardableResult
func expectSameInAnyPieces(
  _ format: JSONFormat, _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
) -> JSONRecorder {
  let whole = JSONRecorder(format, bytes)
  let cuts: [[Int]] = [[1], [2], [3, 1, 7], [64], [65, 1], [1_000]]
  for cut in cuts {
    let pieces = JSONRecorder(format, bytes, pieces: cut)
    let difference = zip(whole.events, pieces.events).first { $0 != $1 }
    #expect(difference == nil, "pieces of \(cut)", sourceLocation: sourceLocation)
    #expect(
      whole.events.count == pieces.events.count, "pieces of \(cut)", sourceLocation: sourceLocation)
    #expect(whole.error == pieces.error, "pieces of \(cut)", sourceLocation: sourceLocation)
  }
  return whole
}

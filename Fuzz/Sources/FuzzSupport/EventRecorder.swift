@testable import Geodesy

@testable import TrackIngest

/// A sink that records the events of a decoder, in order, and checks each event separately.
public struct EventRecorder: TrackSink {
  /// One report.
  public enum Event: Hashable {
    case track, segment, route
    case fix(Fix, line: Int)
    case skip(SkipReason, line: Int)
    case waypoint(Fix, line: Int)
    case routePoint(Fix, line: Int)
    case block(PixelBlock)
    case warning(IngestWarning)
  }

  /// 2026-01-01T00:00:00Z, the current time in the fuzzers.
  public static let now = Timestamp(millisecondsSince1970: 1_767_225_600_000)

  /// The recorded events.
  public private(set) var events: [Event] = []
  private let longestLine: Int

  /// Creates a recorder for a source with this many bytes.
  public init(byteCount: Int) { longestLine = byteCount + 1 }

  /// Records a track.
  public mutating func beginTrack() { events.append(.track) }
  /// Records a segment.
  public mutating func beginSegment() { events.append(.segment) }
  /// Records a route.
  public mutating func beginRoute() { events.append(.route) }
  /// Records and checks a fix.
  public mutating func fix(_ fix: Fix, line: Int) {
    events.append(.fix(checked(fix, line), line: line))
  }
  /// Records a skipped position.
  public mutating func skip(_ reason: SkipReason, line: Int) {
    check(line: line)
    events.append(.skip(reason, line: line))
  }
  /// Records and checks a waypoint.
  public mutating func waypoint(_ fix: Fix, line: Int) {
    events.append(.waypoint(checked(fix, line), line: line))
  }
  /// Records and checks a route point.
  public mutating func routePoint(_ fix: Fix, line: Int) {
    events.append(.routePoint(checked(fix, line), line: line))
  }
  /// Records and checks a block of explored pixels.
  public mutating func explore(_ block: PixelBlock) {
    let blocks = 0..<PixelBlock.pixelsAcrossWorld / PixelBlock.width
    require(blocks.contains(block.column) && blocks.contains(block.row), "a block off the map")
    require(block.count > 0, "a block without pixels")
    events.append(.block(block))
  }
  /// Records and checks a warning.
  public mutating func warn(
    _ code: IngestWarning.Code, line: Int?, _ message: @autoclosure () -> String
  ) {
    let warning = IngestWarning(code: code, line: line, message: message())
    if let line { check(line: line) }
    Self.check(message: warning.message)
    events.append(.warning(warning))
  }

  private func checked(_ fix: Fix, _ line: Int) -> Fix {
    check(line: line)
    checkFix(fix)
    return fix
  }

  /// Lines are counted from 1; a file has at most one more line than it has bytes.
  private func check(line: Int) { require((1...longestLine).contains(line), "line \(line)") }

  /// Messages are for terminals: they contain no control characters from a file.
  public static func check(message: String) {
    require(!message.isEmpty, "a message without words")
    require(
      message.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) },
      "a control character in \(message.debugDescription)")
  }
}

/// A fix has a position on Earth, and a time between 1970 and a day after now.
public func checkFix(_ fix: Fix) {
  require(
    abs(Int64(fix.coordinate.latitudeE7)) <= 900_000_000, "latitude \(fix.coordinate.latitudeE7)")
  require(
    (-1_800_000_000..<1_800_000_000).contains(Int64(fix.coordinate.longitudeE7)),
    "longitude \(fix.coordinate.longitudeE7)")
  if let time = fix.time?.millisecondsSince1970 {
    let latest = EventRecorder.now.millisecondsSince1970 + 86_400_000
    require((0...latest).contains(time), "time \(time)")
  }
  // Comparing reports needs numbers that equal themselves, so not NaN.
  require(fix.elevationMeters?.isNaN != true, "elevation is not a number")
  require(fix.speedMetersPerSecond?.isNaN != true, "speed is not a number")
  require(fix.horizontalAccuracyMeters?.isNaN != true, "accuracy is not a number")
}

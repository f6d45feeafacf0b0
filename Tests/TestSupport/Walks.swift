import Geodesy
import SeededRandom

/// A generated position of a track.
public struct WalkPoint: Sendable {
  /// The position.
  public var coordinate: Coordinate
  /// The time.
  public var time: Timestamp?
  /// The accuracy in meters.
  public var accuracyMeters: Double?
  /// The height above sea level in meters.
  public var elevationMeters: Double?
  /// The speed in meters per second.
  public var speedMetersPerSecond: Double?

  /// Creates a point.
  public init(
    coordinate: Coordinate, time: Timestamp?, accuracyMeters: Double? = nil,
    elevationMeters: Double? = nil, speedMetersPerSecond: Double? = nil
  ) {
    self.coordinate = coordinate
    self.time = time
    self.accuracyMeters = accuracyMeters
    self.elevationMeters = elevationMeters
    self.speedMetersPerSecond = speedMetersPerSecond
  }
}

/// Generated tracks along a meridian.
public enum Walks {
  private static let start = Timestamp(millisecondsSince1970: 1_700_000_000_000)

  /// A point so many meters north of 47° N and so many seconds after the start.
  public static func point(
    meters: Double, seconds: Double, accuracy: Double? = 8, speed: Double? = nil
  ) -> WalkPoint {
    WalkPoint(
      coordinate: Coordinate(47 + meters / 111_195, 8.5),
      time: Timestamp(
        millisecondsSince1970: start.millisecondsSince1970 + Int64(seconds * 1_000)),
      accuracyMeters: accuracy, speedMetersPerSecond: speed)
  }

  /// A day with walks, drives, flights, rests, gaps, glitches, fixes without time or accuracy, and
  /// times that run backward.
  public static func day(_ random: inout SplitMix64, count: Int) -> [WalkPoint] {
    var (meters, seconds, speed) = (0.0, 0.0, 1.0)
    var fixes: [WalkPoint] = []
    while fixes.count < count {
      switch Int.random(in: 0..<24, using: &random) {
      case 0: speed = Double.random(in: 0...2, using: &random)
      case 1: speed = Double.random(in: 10...45, using: &random)
      case 2: speed = Double.random(in: 55...109, using: &random)
      case 3, 4: speed = Double.random(in: 115...260, using: &random)
      case 5: seconds += Double.random(in: 300...8_000, using: &random)
      case 6: seconds -= Double.random(in: 0...100, using: &random)
      default: break
      }
      for _ in 0..<Int.random(in: 1...12, using: &random) where fixes.count < count {
        let step = Double.random(in: 1...40, using: &random)
        seconds += step
        meters += speed * step
        // The Earth's radius times a quarter turn is enough room for all of them.
        if meters > 4_000_000 { meters -= 4_000_000 }
        var fix = Self.point(
          meters: meters, seconds: seconds,
          accuracy: Double.random(in: 1...60, using: &random), speed: speed)
        switch Int.random(in: 0..<30, using: &random) {
        case 0: fix.time = nil
        case 1: fix.accuracyMeters = nil
        case 2: fix.coordinate = Coordinate(-30, 20)
        case 3: fix.coordinate = Coordinate(0, 0)
        default: break
        }
        fixes.append(fix)
      }
    }
    return fixes
  }

  /// A GPX file with these segments, with times, heights and accuracies.
  public static func gpx(_ segments: [[WalkPoint]]) -> String {
    var text = "<gpx version=\"1.1\"><trk>\n"
    for segment in segments {
      text += "<trkseg>\n"
      for point in segment {
        text += "<trkpt lat=\"\(TrackText.degrees(point.coordinate.latitudeE7))\""
        text += " lon=\"\(TrackText.degrees(point.coordinate.longitudeE7))\">"
        if let height = point.elevationMeters { text += "<ele>\(height)</ele>" }
        if let time = point.time { text += "<time>\(time.iso8601)</time>" }
        if let accuracy = point.accuracyMeters {
          text += "<extensions><accuracy>\(accuracy)</accuracy></extensions>"
        }
        text += "</trkpt>\n"
      }
      text += "</trkseg>\n"
    }
    return text + "</trk></gpx>\n"
  }
}

import Geodesy

/// Creates the text of track files.
public enum TrackText {
  /// Returns a GPX file with one segment. A point whose time is nil has no `time` element.
  public static func gpx(_ points: [(coordinate: Coordinate, time: Timestamp?)]) -> String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text +=
      "<gpx version=\"1.1\" creator=\"test\" "
      + "xmlns=\"http://www.topografix.com/GPX/1/1\">\n<trk><trkseg>\n"
    for point in points {
      text += "<trkpt lat=\"\(degrees(point.coordinate.latitudeE7))\""
      text += " lon=\"\(degrees(point.coordinate.longitudeE7))\">"
      if let time = point.time { text += "<time>\(time.iso8601)</time>" }
      text += "</trkpt>\n"
    }
    return text + "</trkseg></trk>\n</gpx>\n"
  }

  /// Returns a GPX file with a straight track to the north-east: `count` points, `stepDegrees`
  /// apart in both directions and ten seconds apart, from 1 May 2024, 10:00 UTC. A step of 0.001°
  /// is over 110 m, so that all points are kept.
  public static func gpx(
    from start: Coordinate, count: Int, stepDegrees: Double = 0.001, isDated: Bool = true
  ) -> String {
    gpx(
      (0..<count).map { index in
        let step = Double(index) * stepDegrees
        return (
          Coordinate(start.latitudeDegrees + step, start.longitudeDegrees + step),
          isDated
            ? Timestamp(millisecondsSince1970: 1_714_557_600_000 + Int64(index) * 10_000) : nil
        )
      })
  }

  /// A number of 1e-7 degree units as an exact decimal.
  static func degrees(_ valueE7: Int32) -> String {
    let digits = String(abs(Int64(valueE7)))
    let padded = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    return (valueE7 < 0 ? "-" : "") + padded.dropLast(7) + "." + padded.suffix(7)
  }
}

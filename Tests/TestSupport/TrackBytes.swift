/// Creates small tracks in formats other than GPX, each of which has `count` fixes a kilometer
/// apart, ten seconds after each other, on one parallel from 0° E.
public enum TrackBytes {
  /// 1 May 2024, 10:00 UTC, in seconds since 1970.
  private static let start = 1_714_557_600

  /// An activity of a watch.
  public static func fit(_ count: Int, latitude: Double = 10) -> [UInt8] {
    // A definition of `record`, with timestamp, latitude and longitude.
    var data: [UInt8] = [0x40, 0, 0] + number(20, 2) + [3, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85]
    for index in 0..<count {
      data += [0] + number(start - 631_065_600 + index * 10, 4)
      data += number(semicircles(latitude), 4) + number(semicircles(Double(index) * 0.01), 4)
    }
    var file: [UInt8] = [12, 0x20, 0x54, 0x08] + number(data.count, 4) + Array(".FIT".utf8) + data
    var sum = 0
    for byte in file {
      sum ^= Int(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
    }
    file += number(sum, 2)
    return file
  }

  /// An activity in Garmin's XML.
  public static func tcx(_ count: Int, latitude: Double = 10) -> [UInt8] {
    let points = (0..<count).map { index in
      "<Trackpoint><Time>2024-05-01T10:\(two(index / 6)):\(two(index % 6 * 10))Z</Time><Position>"
        + "<LatitudeDegrees>\(latitude)</LatitudeDegrees><LongitudeDegrees>"
        + "\(Double(index) * 0.01)</LongitudeDegrees></Position></Trackpoint>"
    }
    return Array(
      ("<?xml version=\"1.0\"?><TrainingCenterDatabase><Activities><Activity><Lap><Track>"
        + points.joined() + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>").utf8)
  }

  /// A line of Google Earth.
  public static func kml(_ count: Int, latitude: Double = 10) -> [UInt8] {
    let points = (0..<count).map { "\(Double($0) * 0.01),\(latitude),0" }
    return Array(
      ("<?xml version=\"1.0\"?><kml><Placemark><LineString><coordinates>"
        + points.joined(separator: " ") + "</coordinates></LineString></Placemark></kml>").utf8)
  }

  /// Google's `Records.json`.
  public static func records(_ count: Int, latitude: Double = 10) -> [UInt8] {
    let points = (0..<count).map { index in
      "{\"latitudeE7\":\(Int(latitude * 1e7)),\"longitudeE7\":\(index * 100_000),\"accuracy\":12,"
        + "\"timestamp\":\"2024-05-01T10:\(two(index / 6)):\(two(index % 6 * 10))Z\"}"
    }
    return Array("{\"locations\":[\(points.joined(separator: ","))]}".utf8)
  }

  /// The `locations.json` of a trip of Polarsteps.
  public static func polarsteps(_ count: Int, latitude: Double = 10) -> [UInt8] {
    let points = (0..<count).map { index in
      "{\"lat\":\(latitude),\"lon\":\(Double(index) * 0.01),\"time\":\(start + index * 10).25}"
    }
    return Array("{\"locations\":[\(points.joined(separator: ","))]}".utf8)
  }

  private static func semicircles(_ degrees: Double) -> Int {
    Int(degrees / 180 * 2_147_483_648)
  }

  private static func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  /// An integer, low byte first.
  private static func number(_ value: Int, _ bytes: Int) -> [UInt8] {
    (0..<bytes).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }
}

import Foundation
import Geodesy

extension TrackText {
  /// Returns an NMEA log of a straight track to the north-east: `count` epochs of GGA and RMC, ten
  /// seconds apart, from 1 May 2024, 10:00 UTC.
  ///
  /// - Precondition: all positions are north and east, and the log ends before midnight.
  public static func nmea(
    from start: Coordinate, count: Int, stepDegrees: Double = 0.001, secondsApart: Int = 10
  ) -> String {
    (0..<count).map {
      nmeaEpoch($0, from: start, stepDegrees: stepDegrees, secondsApart: secondsApart)
    }.joined()
  }

  /// Returns one epoch of such a log.
  public static func nmeaEpoch(
    _ index: Int, from start: Coordinate, stepDegrees: Double = 0.001, secondsApart: Int = 10
  ) -> String {
    let second = 36_000 + index * secondsApart
    let time = digits(second / 3_600) + digits(second / 60 % 60) + digits(second % 60)
    let latitude = angle(start.latitudeDegrees + Double(index) * stepDegrees, width: 2)
    let longitude = angle(start.longitudeDegrees + Double(index) * stepDegrees, width: 3)
    let position = "\(latitude),N,\(longitude),E"
    return sentence("GPGGA,\(time),\(position),1,08,1.0,120.0,M,46.9,M,,")
      + sentence("GPRMC,\(time),A,\(position),9.7,45.0,010524,,,A")
  }

  /// A sentence with its checksum and line end.
  public static func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0), ^)
    let hexadecimal = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(sum < 16 ? "0" : "")\(hexadecimal)\r\n"
  }

  private static func digits(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }

  /// `4834.80000`: degrees and minutes.
  private static func angle(_ degrees: Double, width: Int) -> String {
    let units = Int((degrees * 6_000_000).rounded())
    let whole = String(units / 6_000_000)
    let minutes = String(units % 6_000_000)
    let padded = String(repeating: "0", count: 7 - minutes.count) + minutes
    return String(repeating: "0", count: width - whole.count) + whole + padded.prefix(2) + "."
      + padded.suffix(5)
  }
}

import ByteStreams
import GeoStore
import Geodesy

/// The log of a receiver carried along simulated tracks: a point each second, about 7 m apart.
package struct SimulatedLog: Sendable {
  /// The bytes of the file.
  package private(set) var bytes: [UInt8] = []
  /// The positions that were written, in order.
  package private(set) var points: [Coordinate] = []

  /// Points per step of the tracks.
  private static let pointsPerStep = 8

  /// A GPX 1.1 document of at least `size` bytes: one line per point, with seven decimals,
  /// elevation, time and HDOP.
  package static func gpx(bytes size: Int, seed: UInt64) -> SimulatedLog {
    var log = SimulatedLog()
    log.bytes.reserveCapacity(size + 200_000)
    log.append(
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <gpx version="1.1" creator="roqua bench" xmlns="http://www.topografix.com/GPX/1/1">\
      <trk><name>made</name>

      """)
    log.forEachTrack(seed: seed, until: size) { log, track in
      log.append("<trkseg>\n")
      for (coordinate, time) in track {
        log.append("<trkpt lat=\"")
        log.append(e7: coordinate.latitudeE7)
        log.append("\" lon=\"")
        log.append(e7: coordinate.longitudeE7)
        log.append("\"><ele>35.5</ele><time>")
        log.append(time.iso8601)
        log.append("</time><sat>9</sat><hdop>0.9</hdop></trkpt>\n")
      }
      log.append("</trkseg>\n")
    }
    log.append("</trk></gpx>\n")
    return log
  }

  /// An NMEA log of at least `size` bytes: GGA and RMC each second, with checksums and five
  /// decimals of a minute.
  package static func nmea(bytes size: Int, seed: UInt64) -> SimulatedLog {
    var log = SimulatedLog()
    log.bytes.reserveCapacity(size + 200_000)
    log.forEachTrack(seed: seed, until: size) { log, track in
      for (coordinate, time) in track {
        let text = time.iso8601  // 2015-01-01T00:00:00Z
        func digits(_ range: Range<Int>) -> Substring {
          text[
            text.index(
              text.startIndex, offsetBy: range.lowerBound)..<text.index(
                text.startIndex, offsetBy: range.upperBound)]
        }
        let clock = "\(digits(11..<13))\(digits(14..<16))\(digits(17..<19)).00"
        let day = "\(digits(8..<10))\(digits(5..<7))\(digits(2..<4))"
        let position =
          Self.angle(coordinate.latitudeE7, degreeDigits: 2, "N", "S") + ","
          + Self.angle(coordinate.longitudeE7, degreeDigits: 3, "E", "W")
        log.append(sentence: "GPGGA,\(clock),\(position),1,09,0.9,35.5,M,47.0,M,,")
        log.append(sentence: "GPRMC,\(clock),A,\(position),19.4,084.4,\(day),,,A")
      }
    }
    return log
  }

  private mutating func forEachTrack(
    seed: UInt64, until size: Int,
    _ body: (inout SimulatedLog, [(coordinate: Coordinate, time: Timestamp)]) -> Void
  ) {
    var tracks = SimulatedTracks(seed: seed)
    while bytes.count < size {
      var track: [(coordinate: Coordinate, time: Timestamp)] = []
      let fixes = tracks.next()
      for (from, to) in zip(fixes, fixes.dropFirst()) {
        guard let start = fixes.first?.time else { continue }
        for step in 0..<Self.pointsPerStep {
          // Some tracks cross ±180°: the longitude changes by the shorter way.
          let share = Double(step) / Double(Self.pointsPerStep)
          let east = (to.coordinate.longitudeDegrees - from.coordinate.longitudeDegrees)
            .remainder(dividingBy: 360)
          let north = to.coordinate.latitudeDegrees - from.coordinate.latitudeDegrees
          guard
            let coordinate = try? Coordinate(
              latitudeDegrees: from.coordinate.latitudeDegrees + north * share,
              longitudeDegrees: from.coordinate.longitudeDegrees + east * share)
          else { continue }
          let time = Timestamp(
            millisecondsSince1970: start.millisecondsSince1970 + Int64(track.count) * 1_000)
          track.append((coordinate, time))
        }
      }
      points += track.map(\.coordinate)
      body(&self, track)
    }
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func append(e7 value: Int32) {
    let magnitude = value.magnitude
    let fraction = String(magnitude % 10_000_000)
    append((value < 0 ? "-" : "") + String(magnitude / 10_000_000) + ".")
    append(String(repeating: "0", count: 7 - fraction.count) + fraction)
  }

  private mutating func append(sentence: String) {
    let sum = sentence.utf8.reduce(0) { $0 ^ $1 }
    append("$\(sentence)*\(Hexadecimal.text([sum], uppercase: true))\r\n")
  }

  /// `4807.03812,N`: degrees, then minutes with five decimals, rounded.
  private static func angle(_ e7: Int32, degreeDigits: Int, _ positive: String, _ negative: String)
    -> String
  {
    // A unit of 1e-7 degree is 0.6 units of 1e-5 minute.
    let units = (Int(e7.magnitude) * 6 + 5) / 10
    let (degrees, rest) = units.quotientAndRemainder(dividingBy: 6_000_000)
    func padded(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return padded(degrees, degreeDigits) + padded(rest / 100_000, 2) + "."
      + padded(rest % 100_000, 5) + ","
      + (e7 < 0 ? negative : positive)
  }
}

import Geodesy
import Testing

@testable import TrackIngest

/// The values that each kind of sentence provides.
@Suite struct NMEASentenceTests {
  @Test func `GGA and RMC of one epoch are one fix`() throws {
    let read = decodeNMEA(
      log(
        "GPGGA,100000.25,4806.01234,N,01130.50000,W,1,08,0.9,545.4,M,46.9,M,,",
        "GPRMC,100000.25,A,4806.01234,N,01130.50000,W,010.0,045.0,010524,,,A"))
    let fix = try #require(read.fixes.first)
    #expect(read.fixes.count == 1)
    #expect(fix.coordinate == Coordinate(latitudeE7: 481_002_057, longitudeE7: -115_083_333))
    #expect(fix.time?.iso8601 == "2024-05-01T10:00:00.250Z")
    #expect(fix.horizontalAccuracyMeters == 4.5)
    #expect(fix.elevationMeters == 545.4)
    #expect(fix.speedMetersPerSecond == 10.0 * 1852 / 3600)
    #expect(read.events.prefix(2) == [.track, .segment])
    #expect(read.error == nil)
    #expect(read.warnings.isEmpty)
  }

  @Test(arguments: ["GP", "GN", "GL", "GA", "BD", "GB", "QZ", "II", "AP", "SD", "IN"])
  func `every talker is read`(talker: String) {
    let read = decodeNMEA(log("\(talker)GLL,4806.0,N,01130.0,E,100000,A"))
    #expect(read.fixes.count == 1)
  }

  @Test func `proprietary sentences are not positions`() {
    let read = decodeNMEA(
      log(
        "PSGGA,100000,4806.0,N,01130.0,E,1,08,0.9,5,M,,M,,", "PUBX,00,100000,4806.0,N,01130.0,E",
        "GPGLL,4806.0,N,01130.0,E,100001,A"))
    #expect(read.fixes.count == 1)
  }

  @Test func `southern and western halves are negative, and 180 degrees is -180`() {
    let read = decodeNMEA(
      log("GPGLL,3351.6,S,18000.0,E,100000,A", "GPGLL,9000.0,S,00000.00001,W,100001,A"))
    #expect(
      read.fixes.map(\.coordinate) == [
        Coordinate(latitudeE7: -338_600_000, longitudeE7: -1_800_000_000),
        Coordinate(latitudeE7: -900_000_000, longitudeE7: -2),
      ])
  }

  @Test func `GNS has a fix if any constellation has one`() {
    let read = decodeNMEA(
      log(
        "GNGNS,100000,4806.0,N,01130.0,E,NAN,09,1.2,50.0,46.9,,",
        "GNGNS,100001,4806.0,N,01130.0,E,NNN,09,1.2,5,4,,",
        "GNGNS,100002,4806.0,N,01130.0,E,S,09,1.2,5,4,,"))
    #expect(read.fixes.map(\.horizontalAccuracyMeters) == [6])
    #expect(read.fixes.map(\.elevationMeters) == [50])
    #expect(read.skips == [.noFix, .noFix])
  }

  @Test func `accuracy comes from GST, PGRME, GBS, the position's HDOP or GSA, in this order`() {
    let position = "GPGGA,100000,4806.0,N,01130.0,E,1,08,2.0,5,M,,M,,"
    let withoutHDOP = "GPGGA,100000,4806.0,N,01130.0,E,1,08,,5,M,,M,,"
    let gst = "GPGST,100000,,,,,3.0,4.0,9.0"
    let gbs = "GPGBS,100000,6.0,8.0,9.0,,,,"
    let rme = "PGRME,7.5,M,9.0,M,12.0,M"
    let gsa = "GPGSA,A,3,01,02,03,04,,,,,,,,,2.5,1.4,2.0"
    func accuracy(_ bodies: String...) -> Double? {
      decodeNMEA(bodies.map { sentence($0) + "\n" }.joined()).fixes.first?.horizontalAccuracyMeters
    }
    #expect(accuracy(position, gsa, gbs, rme, gst) == 5)
    #expect(accuracy(gst, position) == 5)
    #expect(accuracy(position, gsa, gbs, rme) == 7.5)
    #expect(accuracy(rme, gsa, gbs, position) == 7.5)
    #expect(accuracy(position, gsa, gbs) == 10)
    #expect(accuracy(gsa, position) == 10)
    #expect(accuracy(withoutHDOP, gsa) == 7)
    #expect(accuracy(gsa, withoutHDOP) == 7)
    #expect(accuracy(withoutHDOP) == nil)
    #expect(accuracy("GPGST,100000,,,,,,,", position) == 10)
  }

  @Test func `an HDOP of zero is unknown, and GSA without a fix is ignored`() {
    let read = decodeNMEA(
      log(
        "GPGGA,100000,4806.0,N,01130.0,E,1,08,0.0,5,M,,M,,", "GPGSA,A,1,,,,,,,,,,,,,99,1.5,99",
        "GPGGA,100001,4806.0,N,01130.0,E,1,08,99.99,5,M,,M,,"))
    #expect(read.fixes.map(\.horizontalAccuracyMeters) == [nil, 99.99 * 5])
  }

  @Test func `speed comes from RMC, else from VTG in knots or kilometers per hour`() {
    func speed(_ vtg: String) -> Double? {
      decodeNMEA(log("GPGLL,4806.0,N,01130.0,E,100000,A", vtg)).fixes.first?.speedMetersPerSecond
    }
    #expect(speed("GPVTG,45.0,T,,M,36.0,N,66.6,K,A") == 36.0 * 1852 / 3600)
    #expect(speed("GPVTG,45.0,T,,M,,N,36.0,K") == 10)
    #expect(speed("GPVTG,,T,,M,0.0,N,0.0,K,N") == nil)
    let both = decodeNMEA(
      log("GPVTG,45.0,T,,M,36.0,N,66.6,K,A", "GPRMC,100000,A,4806.0,N,01130.0,E,18.0,,010524,,"))
    #expect(both.fixes.map(\.speedMetersPerSecond) == [18.0 * 1852 / 3600])
  }

  @Test(arguments: [
    ("GPRMC,100000,V,4806.0,N,01130.0,E,1,2,010524,,", SkipReason.noFix),
    ("GPRMC,100000,A,4806.0,N,01130.0,E,1,2,010524,,,N", .noFix),
    ("GPRMC,100000,A,4806.0,N,01130.0,E,1,2,010524,,,S", .noFix),
    ("GPRMC,100000,,4806.0,N,01130.0,E,1,2,010524,,", .noFix),
    ("GPGGA,100000,4806.0,N,01130.0,E,0,08,0.9,5,M,,M,,", .noFix),
    ("GPGGA,100000,4806.0,N,01130.0,E,,08,0.9,5,M,,M,,", .noFix),
    ("GPGGA,100000,4806.0,N,01130.0,E,8,08,0.9,5,M,,M,,", .noFix),
    ("GPGLL,4806.0,N,01130.0,E,100000,V", .noFix),
    ("GPGLL,4806.0,N,01130.0,E,100000,A,N", .noFix),
    ("GPGLL,4806.0,N,01130.0,E,100000,A,S", .noFix),
    ("GPGLL,,,,,,V,N", .noFix),
    ("GPRMC,100000,A,,,,,1,2,010524,,", .invalidCoordinate),
    ("GPGLL,9000.1,N,01130.0,E,100000,A", .invalidCoordinate),
    ("GPGLL,4860.0,N,01130.0,E,100000,A", .invalidCoordinate),
    ("GPGLL,4806.0,N,18000.1,E,100000,A", .invalidCoordinate),
    ("GPGLL,-4806.0,N,01130.0,E,100000,A", .invalidCoordinate),
    ("GPGLL,4806.0,X,01130.0,E,100000,A", .invalidCoordinate),
    ("GPGLL,4806.0,E,01130.0,N,100000,A", .invalidCoordinate),
    ("GPGLL,4806.0,,01130.0,E,100000,A", .invalidCoordinate),
    ("GPGLL,4806.0,N,01160.0,E,100000,A", .invalidCoordinate),
    ("GPGLL,4806.0,N,001130.0,E,100000,A", .invalidCoordinate),
    ("GPGLL,48x6.0,N,01130.0,E,100000,A", .invalidCoordinate),
    ("GPGLL,4806.0.1,N,01130.0,E,100000,A", .invalidCoordinate),
    ("GPGLL,4.806e3,N,01130.0,E,100000,A", .invalidCoordinate),
  ])
  func `positions without a fix are skipped with a reason`(body: String, reason: SkipReason) {
    let read = decodeNMEA(log(body))
    #expect(read.skips == [reason])
    #expect(read.fixes.isEmpty)
    #expect(read.error == nil)
    #expect(read.warnings == (reason == .invalidCoordinate ? [.unreadable] : []))
  }

  @Test(arguments: ["1", "2", "3", "4", "5", "6", "7", "9"])
  func `every quality except no fix and simulator is a fix`(quality: String) {
    #expect(
      decodeNMEA(log("GPGGA,100000,4806.0,N,01130.0,E,\(quality),08,0.9,5,M,,M,,")).fixes.count == 1
    )
  }

  @Test func `sentences of old receivers without status, mode or hundredths are read`() {
    let read = decodeNMEA(
      log(
        "GPGLL,4806.000,N,01130.000,E", "GPRMC,100000,A,4806,N,01130,E,000.0,360.0,010524,011.3,E"))
    #expect(read.fixes.count == 1)
    #expect(read.times == ["2024-05-01T10:00:00Z"])
  }

  @Test func `missing zeros of degrees are repaired if the checksum matches`() {
    let body = "GPRMC,100000,A,806.000,N,1130.000,E,0,0,010524,,"
    let read = decodeNMEA(log(body))
    #expect(read.fixes.map(\.coordinate) == [Coordinate(8.1, 11.5)])
    #expect(read.warnings == [.repaired])
    #expect(decodeNMEA("$\(body)\n").skips == [.invalidCoordinate])
  }

  @Test(arguments: [
    "48.1173,N,01131.0,E", "4807.038,N,11.5166,E", "48.1173,N,11.5166,E", "06.0,N,01131.0,E",
    "6.0,N,01131.0,E", "4807.038,N,.5,E",
  ])
  func `a position without a digit of degrees is invalid, also if the checksum matches`(
    position: String
  ) {
    let read = decodeNMEA(log("GPRMC,100000,A,\(position),0,0,010524,,"))
    #expect(read.fixes.isEmpty)
    #expect(read.skips == [.invalidCoordinate])
    #expect(read.warnings.contains(.unreadable))
  }

  @Test func `padded fields are read`() {
    let read = decodeNMEA(log("GPRMC, 100000 ,A, 4806.000 ,N, 01130.000 ,E,0,0,010524,,"))
    #expect(read.fixes.map(\.coordinate) == [Coordinate(48.1, 11.5)])
    #expect(read.times == ["2024-05-01T10:00:00Z"])
  }
}

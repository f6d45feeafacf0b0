import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

@Suite struct TrackReaderTests {
  private static let now = Timestamp(millisecondsSince1970: 1_800_000_000_000)

  /// Reads a text in pieces, and returns the report and all accepted fixes.
  private func read(
    _ text: String, pieces: Int? = nil, including extras: Set<ExtraPoints> = [],
    filter: FilterSettings = FilterSettings()
  ) -> (report: TrackReport, accepted: [AcceptedFix]) {
    var reader = TrackReader(filter: filter, including: extras, now: Self.now)
    let bytes = Array(text.utf8)
    var accepted: [AcceptedFix] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieces ?? bytes.count))
      piece.withUnsafeBytes { reader.read($0) }
      accepted += reader.takeAccepted()
      rest = rest.dropFirst(piece.count)
    }
    let report = reader.finish()
    return (report, accepted + reader.takeAccepted())
  }

  private static let gpx = """
    <?xml version="1.0"?>
    <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">
    <wpt lat="1" lon="1"/><wpt lat="1" lon="1"/>
    <rte><rtept lat="2" lon="2"/><rtept lat="2.01" lon="2"/><rtept lat="2.01" lon="200"/></rte>
    <trk><trkseg>
    <trkpt lat="48.1000" lon="11.5"><time>2024-05-01T10:00:00Z</time></trkpt>
    <trkpt lat="48.1001" lon="11.5"><time>2024-05-01T10:00:05Z</time></trkpt>
    <trkpt lat="48.1010" lon="11.5"><time>2024-05-01T10:00:10Z</time><hdop>20</hdop></trkpt>
    <trkpt lat="48.1020" lon="11.5"><time>2024-05-01T10:00:15Z</time><hdop>2</hdop></trkpt>
    <trkpt lat="0" lon="0"/>
    <trkpt lat="91" lon="0"/>
    </trkseg><trkseg></trkseg><trkseg>
    <trkpt lat="48.1020" lon="11.5"><time>2024-05-01T09:00:00Z</time></trkpt>
    </trkseg></trk>
    </gpx>
    """

  @Test(arguments: [
    """
    <gpx><trk><trkseg><trkpt lat="48" lon="11"><time>2024-05-01T10:00:01Z</time></trkpt>
    <trkpt lat="48" lon="11.1"><time>2024-05-01T10:00:00Z</time></trkpt></trkseg></trk></gpx>
    """,
    """
    $GPRMC,100001,A,4800.0,N,01100.0,E,,,010524,,\n\
    $GPRMC,100000,A,4800.0,N,01106.0,E,,,010524,,\n
    """,
  ])
  func `a decreasing time gives one warning`(text: String) {
    let report = read(text).report
    #expect(report.points == 2)
    #expect(report.warnings.map(\.code) == [.timeBackwards])
    #expect(report.warnings.first?.line == 2)
  }

  @Test func `each position of a file is counted exactly once`() {
    let (report, accepted) = read(Self.gpx)
    #expect(report.error == nil)
    #expect(report.format == .gpx)
    #expect(report.tracks == 1)
    #expect(report.segments == 3)
    #expect(report.waypoints == 2)
    #expect(report.routePoints == 2)
    #expect(report.points == 6)
    #expect(report.kept == 3)
    #expect(report.dropped[.tooClose] == 1)
    #expect(report.dropped[.inaccurate] == 1)
    #expect(report.dropped[.nullIsland] == 1)
    #expect(report.points == report.kept + report.dropped.total)
    #expect(report.skipped[.invalidCoordinate] >= 1)
    #expect(report.unknownAccuracy == 4)
    #expect(report.undated == 1)
    #expect(report.firstTime?.iso8601 == "2024-05-01T09:00:00Z")
    #expect(report.lastTime?.iso8601 == "2024-05-01T10:00:15Z")
    #expect(accepted.map(\.fix.coordinate.latitudeE7) == [481_000_000, 481_020_000, 481_020_000])
    #expect(accepted.map(\.startsSegment) == [true, false, true])
  }

  @Test func `routes and waypoints are points on request`() {
    let routes = read(Self.gpx, including: [.routes])
    #expect(routes.report.points == 8)
    #expect(routes.accepted.filter { $0.fix.coordinate.latitudeE7 < 100_000_000 }.count == 2)
    let waypoints = read(Self.gpx, including: [.waypoints])
    // Two waypoints at one place are both kept, because a waypoint has no last fix to be too close
    // to.
    #expect(waypoints.report.points == 8)
    #expect(waypoints.report.kept == 5)
    #expect(waypoints.accepted.prefix(2).map(\.startsSegment) == [true, true])
  }

  @Test(arguments: [1, 2, 3, 7, 64, 1_000])
  func `pieces of any size give the same report and fixes`(pieces: Int) {
    let nmea =
      "$GPRMC,100000.00,A,4807.038,N,01131.000,E,022.4,084.4,010524,,,A*5E\r\n"
      + "$GPGGA,100001.00,4807.138,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*58\r\n"
    for text in [
      Self.gpx, nmea, "{\"type\": \"FeatureCollection\"}", "", "  \n ", "something else",
    ] {
      let (whole, cut) = (read(text), read(text, pieces: pieces))
      #expect(whole.report == cut.report)
      #expect(whole.accepted == cut.accepted)
    }
  }

  @Test func `a file that is not a track is refused with its kind`() {
    #expect(read("").report.error?.code == .empty)
    #expect(read(" \n\t ").report.error?.code == .empty)
    #expect(read("{\"a\": 1}").report.error?.code == .unknownFormat)
    #expect(read("{\"a\": 1}").report.error?.message.contains("JSON") == true)
    #expect(
      read("{\\rtf1\\ansi}").report.error?.message
        == "It is an RTF document, not a track in a supported format.")
    #expect(
      read("PK\u{3}\u{4}").report.error?.message
        == "It is a zip archive; unpack it first.")
    #expect(read("<html><body>Log in</body></html>").report.error != nil)
  }

  @Test func `each message is reported once, with its first line and its count`() {
    var list = WarningList()
    for line in 1...10 { list.add(.timeBackwards, line: line) { "odd" } }
    list.add(.truncated, line: 99) { "cut" }
    for line in 6...8 { list.add(.repaired, line: line) { "A sentence." } }
    for line in 1...5 { list.add(.unreadable, line: line) { "no. \(line)" } }
    #expect(list.warnings.map(\.line) == [1, 99, 6, 1, 2, 3])
    #expect(
      list.warnings.map(\.message) == [
        "odd (and 9 more like it)", "cut", "A sentence (and 2 more like it).",
        "no. 1", "no. 2", "no. 3 (and 2 more like it)",
      ])
  }

  @Test func `counts in warnings have commas`() {
    var list = WarningList()
    for line in 1...1_203 { list.add(.timeBackwards, line: line) { "A sentence." } }
    #expect(list.warnings.map(\.message) == ["A sentence (and 1,202 more like it)."])
    let points = String(repeating: "<rtept lat=\"2\" lon=\"2\"/>", count: 1_202)
    #expect(
      read("<gpx><rte>\(points)</rte><wpt lat=\"1\" lon=\"1\"/></gpx>").report.warnings
        .map(\.message) == [
          "The file contains no track points; it has 1,202 route points and 1 waypoint."
        ])
  }
}

import Geodesy
import Testing

@testable import TrackIngest

/// Tracks that Roqua exported (`roqua:kept`).
@Suite struct GPXKeptTrackTests {
  private static let mark = "<extensions><roqua:kept/></extensions>"
  private static let roqua = "xmlns:roqua='urn:x-roqua:gpx:1'"

  /// A point some seconds after a moment, at a latitude on the meridian of 5°.
  private static func point(_ seconds: Int, _ latitude: Double) -> String {
    let time = Timestamp(millisecondsSince1970: 1_714_500_000_000 + Int64(seconds) * 1_000)
    return "<trkpt lat='\(latitude)' lon='5'><time>\(time.iso8601)</time></trkpt>"
  }

  private static func report(
    _ tracks: [(mark: String, points: [String])], declaring namespace: String = roqua
  ) -> TrackReport {
    var reader = TrackReader(filter: FilterSettings(), now: GPXRecorder.now)
    let text =
      "<gpx version='1.1' xmlns='http://www.topografix.com/GPX/1/1' \(namespace)>"
      + tracks.map { "<trk>\($0.mark)<trkseg>\($0.points.joined())</trkseg></trk>" }.joined()
      + "</gpx>"
    Array(text.utf8).withUnsafeBytes { reader.read($0) }
    return reader.finish()
  }

  /// A fix between two that are too far from it.
  private static let jump = [point(0, 50), point(1, 51), point(2, 50), point(60, 50.01)]

  @Test func `a fix of a marked track is no glitch, and that of another is`() {
    let marked = Self.report([(Self.mark, Self.jump)])
    #expect(marked.kept == 4 && marked.dropped[.implausible] == 0)
    let both = Self.report([(Self.mark, Self.jump), ("", Self.jump)])
    #expect(both.dropped[.implausible] == 1, "the mark is that of its track only")
    #expect(Self.report([("", Self.jump), (Self.mark, Self.jump)]).dropped[.implausible] == 1)
  }

  @Test(arguments: [
    ("<extensions><roqua:kept/></extensions>", "xmlns:roqua='urn:another'"),
    ("<extensions><roqua:kept/></extensions>", ""), ("<roqua:kept/>", roqua),
    ("<extensions><a><roqua:kept/></a></extensions>", roqua),
    ("<extensions><kept/></extensions>", roqua),
  ])
  func `only the element of Roqua's namespace in a track's extensions counts`(
    mark: String, namespace: String
  ) {
    let report = Self.report([(mark, Self.jump)], declaring: namespace)
    #expect(report.dropped[.implausible] == 1)
  }

  /// Two rides at 70 m/s, the second of which begins 337 km from the end of the first.
  private static func rides(_ mark: String) -> TrackReport {
    report(
      [(0, 44.0), (3_600, 47.4)].map { start, latitude in
        (mark, (0..<60).map { point(start + 10 * $0, latitude + 700 * Double($0) / 111_195) })
      })
  }

  @Test func `a flight does not go on in the next marked track`() {
    #expect(Self.rides("").flights == 1, "in one source the way between them is a flight")
    let marked = Self.rides(Self.mark)
    #expect(marked.flights == 0 && marked.flightPoints == 0 && marked.kept == 120)
  }

  @Test func `a flight in a marked track is one`() {
    let points = (0..<60).map { Self.point(10 * $0, 44 + 2_200 * Double($0) / 111_195) }
    let report = Self.report([(Self.mark, points), (Self.mark, points.reversed())])
    #expect(report.flights == 1)
  }

  @Test func `the rest of the filter applies`() {
    let report = Self.report([(Self.mark, [Self.point(0, 50), Self.point(9, 50.000_1)])])
    #expect(report.kept == 1 && report.dropped[.tooClose] == 1)
  }
}

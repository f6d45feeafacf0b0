import Geodesy
import TestSupport
import Testing

@testable import Roqua

/// Stays in countries, from track files to query results.
@Suite struct PlaceVisitTests {
  private let fixture: Fixture
  init() throws { fixture = try Fixture() }

  /// Strasbourg is in France, Kehl in Germany; the Rhine between them is the border.
  private static let (france, germany) = (Coordinate(48.580, 7.740), Coordinate(48.575, 7.825))
  private static let start: Int64 = 1_714_557_600

  private typealias Point = (coordinate: Coordinate, time: Timestamp?)

  private static func point(_ coordinate: Coordinate, _ seconds: Int64) -> Point {
    (coordinate, Timestamp(millisecondsSince1970: (start + seconds) * 1_000))
  }

  /// A straight drive at 15 m/s with a fix every ten seconds.
  private static func drive(_ from: Coordinate, _ to: Coordinate, at seconds: Int64) -> [Point] {
    let steps = Int(from.distanceMeters(to: to) / 150) + 1
    return (0...steps).map { step in
      let share = Double(step) / Double(steps)
      return point(
        Coordinate(
          from.latitudeDegrees + share * (to.latitudeDegrees - from.latitudeDegrees),
          from.longitudeDegrees + share * (to.longitudeDegrees - from.longitudeDegrees)),
        seconds + Int64(step) * 10)
    }
  }

  /// Fixes every ten minutes, within a few meters.
  private static func rest(_ at: Coordinate, from seconds: Int64, to end: Int64) -> [Point] {
    stride(from: seconds, through: end, by: 600).map { time in
      point(
        Coordinate(at.latitudeDegrees + Double(time / 600 % 3) * 1e-5, at.longitudeDegrees), time)
    }
  }

  private func take(_ files: [[Point]]) throws {
    for points in files {
      let path = try fixture.folder.write(
        TrackText.gpx(points), to: "\(points[0].time?.iso8601 ?? "").gpx")
      _ = try fixture.explorer.importTracks([path])
    }
  }

  private func visits() throws -> [String: PlaceVisit] {
    Dictionary(
      uniqueKeysWithValues: try fixture.explorer.placeVisits(by: .country).map {
        ($0.place.countryCode ?? "", $0)
      })
  }

  @Test(arguments: [23, 26, 200])
  func `a night in a hotel is a stay of any length`(hours: Int64) throws {
    let end = 1_000 + hours * 3_600
    try take([
      Self.drive(Self.france, Self.germany, at: 0) + Self.rest(Self.germany, from: 1_000, to: end)
        + Self.drive(Self.germany, Self.france, at: end + 600)
    ])
    let visits = try visits()
    #expect(visits["DE"]?.isVisited == true)
    #expect((visits["DE"]?.staySeconds ?? 0) >= Double(hours * 3_600))
    #expect(visits["FR"]?.isVisited == false)
  }

  @Test func `a visit in a timeline of Google is a stay, also of days`() throws {
    let path = try fixture.folder.write(
      """
      {"semanticSegments": [
        {"startTime": "2023-06-01T08:00:00Z", "endTime": "2023-06-04T09:00:00Z",
         "visit": {"topCandidate": {"placeLocation": {"latLng": "48.580°, 7.740°"}}}},
        {"startTime": "2023-06-04T10:00:00Z", "endTime": "2023-06-04T10:50:00Z",
         "visit": {"topCandidate": {"placeLocation": {"latLng": "48.575°, 7.825°"}}}}]}
      """, to: "Timeline.json")
    #expect(try fixture.explorer.importTracks([path]).kept == 4)
    let visits = try visits()
    let (france, germany) = (try #require(visits["FR"]), try #require(visits["DE"]))
    #expect(abs(france.staySeconds - 73 * 3_600) < 0.001 && france.isVisited)
    #expect(abs(germany.staySeconds - 50 * 60) < 0.001 && !germany.isVisited)
    #expect(france.visits == 2 && germany.visits == 2)
  }

  @Test func `time in one spot counts as a stay, also after a drive`()
    throws
  {
    try take([Self.rest(Self.germany, from: 0, to: 10_800)])
    #expect(try visits()["DE"]?.staySeconds == 10_800)
    try take([
      Self.drive(Self.germany, Self.france, at: 100_000)
        + Self.rest(Self.france, from: 101_000, to: 110_000)
    ])
    let france = try #require(try visits()["FR"])
    #expect(france.staySeconds >= 9_000 && france.staySeconds < 9_000 + 1_000)
  }

  @Test func `time after the last kept fix is not a stay if later fixes were dropped`()
    throws
  {
    // The last point is 20 km away and too inaccurate to be kept.
    let accurate = TrackText.gpx(Self.rest(Self.germany, from: 0, to: 600))
    let last = """
      <trkpt lat="48.7" lon="8.0"><time>2024-05-01T13:00:00Z</time><extensions>\
      <accuracy>900</accuracy></extensions></trkpt>
      </trkseg>
      """
    let text = accurate.replacing("</trkseg>", with: last)
    let path = try fixture.folder.write(text, to: "inaccurate.gpx")
    _ = try fixture.explorer.importTracks([path])
    #expect(try visits()["DE"]?.staySeconds == 0)
  }

  @Test
  func `two devices in two countries at once give a stay in both, in any import order`() throws {
    func ride(_ start: Coordinate, at seconds: Int64) -> [Point] {
      (0..<30).map { step in
        // Back and forth over 110 m, so that every fix is kept.
        Self.point(
          Coordinate(start.latitudeDegrees + Double(step % 2) * 0.001, start.longitudeDegrees),
          seconds + Int64(step) * 600)
      }
    }
    let files = [ride(Self.france, at: 0), ride(Self.germany, at: 300), ride(Self.france, at: 300)]
    var found: [[String: PlaceVisit]] = []
    for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
      let other = try PlaceVisitTests()
      try other.take(order.map { files[$0] })
      found.append(try other.visits())
    }
    for visits in found {
      #expect(visits["FR"]?.staySeconds == 17_700)
      #expect(visits["DE"]?.staySeconds == 17_400)
      #expect(visits["FR"]?.isVisited == true && visits["DE"]?.isVisited == true)
    }
  }
}

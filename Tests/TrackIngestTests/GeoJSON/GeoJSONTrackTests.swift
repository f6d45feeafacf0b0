import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

@Suite struct GeoJSONTrackTests {
  private func read(_ text: String) -> JSONRecorder { JSONRecorder(.geojson, text) }

  @Test func `lines and points with a time are fixes, other points are waypoints`() {
    let found = read(JSONSamples.collection)
    #expect(found.latitudesE7.map { $0 / 1_000_000 } == [481, 482, 483, 485, 486, 487])
    #expect(found.longitudesE7.map { $0 / 1_000_000 } == [115, 116, 117, 119, 120, 121])
    #expect(
      found.times == [
        "2024-05-01T10:00:00Z", "2024-05-01T10:01:00Z", "2024-05-01T11:00:00Z",
        "2024-05-01T12:00:00Z", nil, "2024-05-01T12:02:00Z",
      ])
    #expect(found.segments == [2, 1, 2, 1])
    #expect(found.waypoints == 1)
    #expect(found.fixes.first?.elevationMeters == 500)
    #expect(found.fixes[2].horizontalAccuracyMeters == 7)
    #expect(found.warnings.isEmpty)
  }

  @Test(arguments: [
    "\"google_maps_url\":\"http://example.org\",\"date\":\"2020-01-01T00:00:00Z\"",
    "\"Published\":\"2020-01-01T00:00:00Z\",\"time\":1577836800,\"Google Maps URL\":\"x\"",
    "\"date\":\"2020-01-01T00:00:00Z\",\"location\":{\"name\":\"A café\"}",
  ])
  func `a place that Google lists as saved or reviewed is a waypoint`(properties: String) {
    let geometry = "\"geometry\":{\"type\":\"Point\",\"coordinates\":[6.1,46.2]}"
    let plain = "{\"type\":\"Feature\",\(geometry),\"properties\":{\"time\":1577836800}}"
    for members in [
      "\(geometry),\"properties\":{\(properties)}", "\"properties\":{\(properties)},\(geometry)",
    ] {
      let found = read(
        "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\(members)},\(plain)]}"
      )
      #expect(found.waypoints == 1)
      #expect(found.times == ["2020-01-01T00:00:00Z"])
    }
  }

  @Test func `a location that is a text does not make a saved place`() {
    let found = read(
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[6.1,46.2]},"
        + "\"properties\":{\"time\":1577836800,\"location\":\"outside\"}}")
    #expect(found.fixes.count == 1 && found.waypoints == 0)
  }

  /// The members of a feature in each order.
  private static let orders: [[Int]] = [
    [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
  ]

  @Test(arguments: orders)
  func `members may be in any order`(order: [Int]) {
    let geometry = [
      "\"type\":\"LineString\"", "\"coordinates\":[[1,2],[3,4]]", "\"bbox\":[1,2,3,4]",
    ]
    let members = [
      "\"type\":\"Feature\"", "\"geometry\":{\(order.map { geometry[$0] }.joined(separator: ","))}",
      "\"properties\":{\"times\":[1714557600,1714557660000]}",
    ]
    let found = read("{\(order.map { members[$0] }.joined(separator: ","))}")
    #expect(found.latitudesE7 == [20_000_000, 40_000_000])
    #expect(found.times == ["2024-05-01T10:00:00Z", "2024-05-01T10:01:00Z"])
  }

  @Test(arguments: [
    "time", "timestamp", "datetime", "date", "when", "tst", "tracked_at", "Recorded-At",
    "start_time",
  ])
  func `the time of a point may have any common name`(name: String) {
    let found = read(
      """
      {"type":"Feature","properties":{"\(name)":"2024-05-01T10:00:00Z"},
       "geometry":{"type":"Point","coordinates":[1,2]}}
      """)
    #expect(found.times == ["2024-05-01T10:00:00Z"])
  }

  @Test func `a time for each point, and one time for all points`() {
    func points(_ properties: String) -> JSONRecorder {
      read(
        """
        {"type":"Feature","geometry":{"type":"MultiPoint","coordinates":[[1,2],[3,4]]},
         "properties":{\(properties)}}
        """)
    }
    let each = points("\"time\":[1714557600000,1714557660000],\"horizontal_accuracy\":[5,9]")
    #expect(each.times == ["2024-05-01T10:00:00Z", "2024-05-01T10:01:00Z"])
    #expect(each.fixes.map(\.horizontalAccuracyMeters) == [5, 9])
    #expect(
      points("\"time\":1714557600").times == Array(repeating: "2024-05-01T10:00:00Z", count: 2))
    #expect(points("\"time\":null").waypoints == 2)
  }

  @Test func `times whose number is not that of the positions are ignored with a warning`() {
    let found = read(
      """
      {"type":"Feature","properties":{"coordTimes":["2024-05-01T10:00:00Z"]},
       "geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}
      """)
    #expect(found.times == [nil, nil])
    #expect(found.codes == [.impossibleTime])
  }

  @Test func `seconds since the start of a track are not times`() {
    let found = read(
      """
      {"type":"Feature","properties":{"times":[0,6.5]},
       "geometry":{"type":"LineString","coordinates":[[1,2],[3,4]]}}
      """)
    #expect(found.times == [nil, nil])
    #expect(found.codes == [.impossibleTime])
  }

  @Test func `bare geometries, collections, lines and text sequences are read`() {
    let line = "{\"type\":\"LineString\",\"coordinates\":[[1,2],[3,4]]}"
    #expect(read(line).segments == [2])
    #expect(
      read("{\"type\":\"MultiLineString\",\"coordinates\":[[[1,2],[3,4]],[[5,6]]]}").segments == [
        2, 1,
      ])
    #expect(
      read("{\"type\":\"GeometryCollection\",\"geometries\":[\(line),\(line)]}").segments == [2, 2])
    #expect(read("[\(line),\(line)]").segments == [2, 2])
    #expect(read("\(line)\n\(line)\n").segments == [2, 2])
    #expect(read("\u{1E}\(line)\n\u{1E}\(line)\n").segments == [2, 2])
    for text in [line, "[\(line)]", "\(line)\n\(line)"] { #expect(read(text).warnings.isEmpty) }
  }

  @Test func `positions that are not valid are skipped`() {
    let found = read(
      """
      {"type":"LineString","coordinates":
       [[11.5,139.7],[null,null],[11.5],["a",1],[181,1],[11.5 48.1],[11.5,48.1]]}
      """)
    #expect(found.latitudesE7 == [481_000_000])
    #expect(found.skips == 6)
    #expect(found.codes == [.malformed, .unreadable])
  }

  @Test func `areas are not tracks`() {
    for type in ["Polygon", "MultiPolygon"] {
      for text in [
        "{\"type\":\"\(type)\",\"coordinates\":[[[1,2],[3,4]]]}",
        "{\"coordinates\":[[[1,2],[3,4]]],\"type\":\"\(type)\"}",
      ] {
        let found = read(text)
        #expect(found.fixes.isEmpty && found.skips == 0 && found.waypoints == 0)
        #expect(found.error == nil)
        #expect(found.codes == [.leftOut])
      }
    }
  }

  @Test func `the last feature of a truncated file gives its lines without times, and no points`() {
    let line = read(
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[1,2],[3,4],[5")
    #expect(line.latitudesE7 == [20_000_000, 40_000_000])
    #expect(line.codes == [.truncated])
    let point = read(
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]},")
    #expect(point.fixes.isEmpty && point.waypoints == 0)
  }

  @Test func `a feature with more positions than may wait is read without times`() {
    let count = 105
    let positions = Array(repeating: "[1,2]", count: count).joined(separator: ",")
    let times = Array(repeating: "1714557600", count: count).joined(separator: ",")
    let properties = "\"properties\":{\"times\":[\(times)]}"
    let geometry = "\"geometry\":{\"type\":\"LineString\",\"coordinates\":[\(positions)]}"
    for text in ["{\(geometry),\(properties)}", "{\(properties),\(geometry)}"] {
      let found = JSONRecorder(
        GeoJSONTrackDecoder(now: JSONRecorder.now, waitingPositions: 100),
        "{\"type\":\"FeatureCollection\",\"features\":[\(text)]}")
      #expect(found.fixes.count == count)
      #expect(found.fixes.allSatisfy { $0.time == nil })
      #expect(found.segments == [count])
      #expect(found.codes.contains(.leftOut))
    }
    // A line without times loses none; positions before their type are lost.
    for (text, codes) in [
      ("{\(geometry)}", []), ("{\(geometry),\"properties\":{\"time\":1714557600}}", []),
      ("{\"coordinates\":[\(positions)],\"type\":\"LineString\"}", [.leftOut]),
    ] as [(String, Set<IngestWarning.Code>)] {
      let found = JSONRecorder(
        GeoJSONTrackDecoder(now: JSONRecorder.now, waitingPositions: 100), text)
      #expect(found.codes == codes, "\(text.suffix(60))")
    }
  }

  @Test func `collections inside each other are read up to the limit of depth`() {
    let line = "{\"type\":\"LineString\",\"coordinates\":[[1,2],[3,4]]}"
    for depth in [1, 10, 20_000] {
      let text =
        String(repeating: "{\"type\":\"GeometryCollection\",\"geometries\":[", count: depth) + line
        + String(repeating: "]}", count: depth)
      let found = read(text)
      #expect(found.fixes.count == (depth == 20_000 ? 0 : 2))
      #expect(found.error == nil)
    }
  }
}

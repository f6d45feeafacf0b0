import Testing

@testable import TrackIngest

@Suite struct JSONDetectionTests {
  private func kind(_ bytes: some Sequence<UInt8>) -> ContentKind {
    Array(bytes).withUnsafeBytes { ContentKind(prefix: $0) }
  }

  private static let samples: [(SourceFormat, String)] = [
    (
      .geojson,
      """
      {"type":"FeatureCollection","features":[{"type":"Feature","geometry":\
      {"type":"LineString","coordinates":[[1,2
      """
    ),
    (.geojson, " {\"coordinates\":[1,2],\"type\":\"Point\"}"),
    (
      .geojson,
      """
      {"type":"Feature","properties":{"type":"Polygon"},"geometry":\
      {"coordinates":[[1,2],[3,4]],"type":"MultiPoint"}}
      """
    ),
    (.geojson, "\u{1E}{\"coordinates\":[1,2],\"type\":\"Point\"}"),
    (.googleTimeline, "{\"locations\": [{\"latitudeE7\": 481234567, \"longitudeE7\": 1"),
    (.googleTimeline, "{\n \"timelineObjects\": ["), (.googleTimeline, "{\"semanticSegments\":[]}"),
    (.googleTimeline, "{\"timelineEdits\":[]}"),
    (
      .googleTimeline,
      "[{\"endTime\":\"2024\",\"startTime\":\"2024\",\"activity\":{\"distanceMeters\":\"0\"}}]"
    ),
    (.googleTimeline, "[{\"startTime\":\"2024\",\"timelinePath\":[]}]"),
    (.owntracks, "{\"_type\":\"location\",\"lat\":1,\"lon\":2,\"tst\":3}\n{\"_type\":\"location\""),
    (.owntracks, "{\"count\":1,\"data\":[{\"lat\":1,\"_type\":\"location\"}]}"),
    (.owntracks, "{\"_type\":\"encrypted\",\"data\":\"x\"}"),
    (.owntracks, "2024-05-01T10:00:00Z\t*                 \t{\"_type\":\"location\",\"lat\":1}"),
    (.owntracks, "2024-05-01T10:00:00Z  *  {\"_type\": \"lwt\",\"tst\":1}"),
    (.polarsteps, "{\"locations\":[{\"lat\":1.5,\"lon\":2.5,\"time\":1714557600.0}]}"),
    (.gpsd, "{\"class\":\"TPV\",\"lat\":1,\"lon\":2}"),
    (
      .gpsd,
      """
      {"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}
      {"class":"SKY","uSat":0}
      """
    ),
  ]

  @Test func `each format is detected by its content`() {
    for (expected, text) in Self.samples {
      #expect(kind(text.utf8) == .track(expected), "\(text)")
      #expect(kind(Array("\u{FEFF}".utf8) + text.utf8) == .track(expected), "\(text)")
    }
  }

  @Test func `a file truncated anywhere never traps and is not detected as another format`() {
    for (expected, text) in Self.samples {
      let bytes = Array(text.utf8)
      for length in 0...bytes.count {
        let found = kind(bytes.prefix(length))
        if case .track(let format) = found, format != .gpx {
          #expect(format == expected, "\(text) at \(length)")
        }
      }
    }
  }

  @Test(arguments: [
    "{\"a\":1}", "[1,2,3]", "[]", "{\"type\":\"FeatureCollection\",\"features\":[]}",
    "{\"type\":\"Polygon\",\"coordinates\":[[[7,48],[8,48],[8,49],[7,48]]]}",
    "{\"locations\":[]}", "{\"class\":\"x\"}", "{\"_type\":\"x\"}", "[{\"startTime\":1}]",
    "[{\"startTime\":1,\"activity\":\"a\"}]",
  ])
  func `JSON of other kinds is not a track`(text: String) {
    if case .track(let format) = kind(text.utf8) { Issue.record("\(text): \(format)") }
  }

  @Test func `the settings of a Takeout say where the history is`() {
    let text = """
      {"createdTime": "2013-08-10T18:07:41Z", "modifiedTime": "2023-07-06T20:07:56Z",
       "deviceSettings": [{"deviceTag": 1}]}
      """
    var reader = TrackReader(now: JSONRecorder.now)
    Array(text.utf8).withUnsafeBytes { reader.read($0) }
    let error = reader.finish().error
    #expect(error?.code == .unknownFormat)
    #expect(error?.message.contains("on the phone") == true)
  }
}

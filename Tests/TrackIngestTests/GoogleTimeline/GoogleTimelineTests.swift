import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

@Suite struct GoogleTimelineTests {
  private func read(_ text: String) -> JSONRecorder { JSONRecorder(.googleTimeline, text) }

  // MARK: - Shapes

  @Test func `records give each location with a position`() {
    let found = read(JSONSamples.records)
    #expect(found.latitudesE7 == [481_000_000, -48_000_000, 481_002_000])
    #expect(found.longitudesE7 == [115_000_000, 115_001_000, 115_002_000])
    #expect(
      found.times == ["2024-05-01T10:00:00Z", "2024-05-01T10:01:00Z", "2024-05-01T11:00:00Z"])
    #expect(found.lines == [2, 6, 9])
    #expect(found.fixes.first?.horizontalAccuracyMeters == 12)
    #expect(found.fixes.first?.elevationMeters == 520)
    #expect(found.fixes.first?.speedMetersPerSecond == 3)
    #expect(found.skips == 1)
    #expect(found.segments == [2, 1], "no line over a gap of an hour")
    #expect(found.codes == [.repaired, .unreadable])
    #expect(found.error == nil)
  }

  @Test func `semantic history gives raw paths, and visits where no path leads`() {
    let found = read(JSONSamples.semantic)
    #expect(
      found.latitudesE7 == [481_000_000, 481_001_000, 481_001_000, 482_000_000, 482_000_000])
    #expect(
      found.times == [
        "2024-05-01T10:00:00Z", "2024-05-01T10:01:00Z", "2024-05-01T12:00:00Z",
        "2024-05-02T10:00:00Z", "2024-05-02T12:00:00Z",
      ])
    #expect(found.segments == [2, 1, 1, 1])
    #expect(found.warnings.isEmpty)
  }

  @Test func `the timeline of Android gives paths, raw positions and visits without a path`() {
    let found = read(JSONSamples.android)
    #expect(
      found.latitudesE7 == [
        481_000_000, 481_001_000, 482_000_000, 500_000_000, 510_000_000, 510_000_000,
      ])
    #expect(
      found.longitudesE7 == [
        115_000_000, -115_001_000, 116_000_000, 120_000_000, 130_000_000, 130_000_000,
      ])
    #expect(
      found.times.suffix(3) == [
        "2024-05-01T09:00:00Z", "2024-05-03T08:00:00Z", "2024-05-03T09:00:00Z",
      ])
    #expect(found.fixes[2].horizontalAccuracyMeters == 35)
    #expect(found.fixes[2].elevationMeters == 12.5)
    #expect(found.fixes[2].speedMetersPerSecond == 2.5)
    #expect(found.segments == [2, 1, 1, 1, 1])
    #expect(found.warnings.isEmpty)
  }

  @Test func `the timeline of iOS gives times as minutes after the start of a span`() {
    let found = read(JSONSamples.ios)
    #expect(
      found.times == [
        "2024-05-01T08:12:00Z", "2024-05-01T08:12:00Z", "2024-05-01T07:59:00Z", nil,
        "2024-05-01T14:30:00Z", "2024-05-01T14:45:00Z", "2024-05-02T10:00:00Z",
        "2024-05-02T11:00:00Z",
      ])
    #expect(found.latitudesE7.map { $0 / 1_000_000 } == [481, 482, 483, 484, 485, 486, 487, 487])
    #expect(found.codes == [.impossibleTime, .timeBackwards])
  }

  @Test func `timeline edits give raw signals and no aggregates`() {
    let found = read(JSONSamples.edits)
    #expect(found.latitudesE7 == [481_000_000])
    #expect(found.fixes.first?.horizontalAccuracyMeters == 5.5)
    #expect(found.fixes.first?.elevationMeters == 101.5)
  }

  // MARK: - Positions

  @Test(arguments: [
    "48.8566°, 2.3522°", "geo:48.8566,2.3522", "GEO:48.8566,2.3522,35;crs=wgs84;u=10",
    "48.8566,2.3522", " 48.8566° ,\u{A0}2.3522 ° ", "4.88566e1,+2.3522", "geo:48.8566,2.3522?z=3",
  ])
  func `a pair of degrees is read in every form`(pair: String) {
    let found = read("[{\"startTime\":\"2024-05-01\",\"timelinePath\":[{\"point\":\"\(pair)\"}]}]")
    #expect(found.latitudesE7 == [488_566_000])
    #expect(found.longitudesE7 == [23_522_000])
  }

  @Test(arguments: [
    "48.8566Â°, 2.3522Â°", "48.8566\u{FFFD}, 2.3522\u{FFFD}", "48.8566?, 2.3522?",
    "48.8566 ?,2.3522 ?", "48.8566??, 2.3522??",
    "48.8566\u{FFFD}\u{FFFD}, 2.3522\u{FFFD}\u{FFFD}",
  ])
  func `degree signs that another program damaged are ignored`(pair: String) {
    let found = read(
      "[{\"startTime\":\"2024-05-01T10:00Z\",\"timelinePath\":[{\"point\":\"\(pair)\"}]}]")
    #expect(found.latitudesE7 == [488_566_000])
    #expect(found.longitudesE7 == [23_522_000])
    #expect(!found.codes.contains(.encoding))
  }

  @Test func `degree signs in Latin 1 are ignored with one warning`() {
    let parts = ["48.8566", ",2.3522", "\"},{\"point\":\"48.8567", " , 2.3523"]
    var bytes = Array("[{\"startTime\":\"2024-05-01\",\"timelinePath\":[{\"point\":\"".utf8)
    for part in parts { bytes += Array(part.utf8) + [0xB0] }
    bytes += Array("\"}]}]".utf8)
    let found = TrackRecorder(bytes, with: GoogleTimelineDecoder(now: JSONRecorder.now))
    #expect(found.fixes.map(\.coordinate.latitudeE7) == [488_566_000, 488_567_000])
    #expect(found.fixes.map(\.coordinate.longitudeE7) == [23_522_000, 23_523_000])
    #expect(found.codes.count { $0 == .encoding } == 1)
  }

  @Test(arguments: [
    "", "48.8566", "48.8566;2.3522", "48.8566???, 2.3522", "48.8566é,2.3522", "48.8566?5,2.3522",
    "48,8566°, 2,3522°", "91,0", "0,181", "a,b", "48.8566,2.3522x",
    "geo:", "1,2 3",
  ])
  func `other texts are not positions`(pair: String) {
    let found = read("[{\"startTime\":\"2024-05-01\",\"timelinePath\":[{\"point\":\"\(pair)\"}]}]")
    #expect(found.fixes.isEmpty)
    #expect(found.skips == 1)
  }

  @Test func `numbers may be texts, fractions and exponents, but not NaN or out of range`() {
    let values = [
      "481000000", "\"481000000\"", "4.81e8", "481000000.4", "NaN", "null", "1e999", "[]",
    ]
    let text = values.map { "{\"latitudeE7\":\($0),\"longitudeE7\":1}" }.joined(separator: ",")
    let found = read("{\"locations\":[\(text)]}")
    #expect(found.latitudesE7 == [481_000_000, 481_000_000, 481_000_000, 481_000_000])
    #expect(found.skips == 4)
  }

  @Test func `a coordinate given twice is not certain`() {
    let found = read("{\"locations\":[{\"latitudeE7\":1,\"latitudeE7\":1,\"longitudeE7\":1}]}")
    #expect(found.fixes.isEmpty)
    #expect(found.skips == 1)
  }

  @Test func `what follows an error in a location is ignored`() {
    let found = read(
      """
      {"locations":[\
      {"latitudeE7":1,"longitudeE7":1,"timestamp":"2024-05-01T10:00:00Z" "accuracy":1},
      {"latitudeE7":1 "longitudeE7":1},{"latitudeE7":2,"longitudeE7":2}]}
      """)
    #expect(found.latitudesE7 == [1, 2])
    #expect(found.times == ["2024-05-01T10:00:00Z", nil])
    #expect(found.fixes.first?.horizontalAccuracyMeters == nil)
    #expect(found.codes == [.malformed, .unreadable])
  }

  // MARK: - Times

  @Test(arguments: [
    ("\"2024-05-01T12:00:00.500+02:00\"", "2024-05-01T10:00:00.500Z"),
    ("\"2024-05-01 12:00:00 +0200\"", "2024-05-01T10:00:00Z"),
    ("1714557600", "2024-05-01T10:00:00Z"), ("\"1714557600500\"", "2024-05-01T10:00:00.500Z"),
    ("1714557600.5", "2024-05-01T10:00:00.500Z"), ("\"20240501\"", "2024-05-01T00:00:00Z"),
  ])
  func `times are read in every form`(value: String, expected: String) {
    let found = read(
      "{\"locations\":[{\"latitudeE7\":1,\"longitudeE7\":1,\"timestamp\":\(value)}]}")
    #expect(found.times == [expected])
    #expect(found.warnings.isEmpty)
  }

  @Test(arguments: ["\"yesterday\"", "\"2030-01-01T00:00:00Z\"", "-5", "12", "1e300", "true"])
  func `an impossible time is ignored with a warning`(value: String) {
    let found = read(
      "{\"locations\":[{\"latitudeE7\":1,\"longitudeE7\":1,\"timestamp\":\(value)}]}")
    #expect(found.times == [nil])
    #expect(found.codes == [.impossibleTime])
  }

  @Test func `an offset without the start of its span gives no time`() {
    let path = "\"timelinePath\":[{\"point\":\"1,1\",\"durationMinutesOffsetFromStartTime\":\"5\"}]"
    let found = read("[{\(path),\"endTime\":\"2024-05-01T10:00:00Z\"}]")
    #expect(found.times == [nil])
    #expect(found.codes == [.impossibleTime])
  }

  // MARK: - Nothing to read

  @Test(arguments: [
    "{\"timelineObjects\":[]}", "{\"locations\":[]}", "{\"semanticSegments\":[{\"visit\":null}]}",
    "{\"timelineObjects\":[{\"activitySegment\":{\"startLocation\":{\"latitudeE7\":1}}}]}",
    "{\"timelineEdits\":[{\"placeAggregates\":{}}]}",
  ])
  func `a history without positions is read, and says so`(text: String) {
    let found = read(text)
    #expect(found.error == nil)
    #expect(found.fixes.isEmpty)
    #expect(found.codes == [.leftOut])
  }

  @Test func `other JSON is refused`() {
    #expect(read("{\"a\":[]}").error?.code == .unknownFormat)
    #expect(read("[]").error?.code == .unknownFormat)
    #expect(read("{\"locations\":[{\"latitudeE7\":1,").error?.code == .malformed)
  }
}

import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

@Suite struct TCXDecoderTests {
  static func document(_ activities: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2">
    \(activities)
    </TrainingCenterDatabase>
    """
  }

  static func activity(_ points: String) -> String {
    document(
      "<Activities><Activity Sport=\"Running\"><Id>1</Id><Lap><Track>\n\(points)\n"
        + "</Track></Lap></Activity></Activities>")
  }

  static func position(_ latitude: String, _ longitude: String) -> String {
    "<Position><LatitudeDegrees>\(latitude)</LatitudeDegrees>"
      + "<LongitudeDegrees>\(longitude)</LongitudeDegrees></Position>"
  }

  static func point(_ second: Int, latitude: String = "48.1", longitude: String = "11.5") -> String
  {
    "<Trackpoint><Time>2024-05-01T10:00:\(second < 10 ? "0" : "")\(second)Z</Time>"
      + position(latitude, longitude) + "</Trackpoint>"
  }

  /// Activities with all that is read, and a course.
  static let sample = document(
    """
    <Activities><Activity Sport="Running"><Id>2024-05-01T10:00:00Z</Id><Lap><Track>
      <Trackpoint>
        <Time>2024-05-01T10:00:00.500Z</Time>
        <Position>
          <LatitudeDegrees>48.12345678901</LatitudeDegrees>
          <LongitudeDegrees>-11.5000001</LongitudeDegrees>
        </Position>
        <AltitudeMeters>520.25</AltitudeMeters>
        <DistanceMeters>0.0</DistanceMeters>
        <HeartRateBpm xsi:type="HeartRateInBeatsPerMinute_t"><Value>99</Value></HeartRateBpm>
        <Extensions><ns3:TPX><ns3:Speed>2.5</ns3:Speed></ns3:TPX>
          <a:HorizontalAccuracy>8</a:HorizontalAccuracy></Extensions>
      </Trackpoint>
      <Trackpoint><Time>2024-05-01T10:00:01Z</Time><HeartRateBpm/></Trackpoint>
    </Track><Track>
      \(point(2))
    </Track></Lap></Activity>
    <MultiSportSession><FirstSport><Activity><Lap><Track>\(point(3))</Track></Lap></Activity>
    </FirstSport><NextSport><Activity><Lap><Track>\(point(4))</Track></Lap></Activity></NextSport>
    </MultiSportSession></Activities>
    <Courses><Course><Name>Plan</Name><Lap><BeginPosition/></Lap><Track>
      \(point(5))\(point(6))</Track><CoursePoint><Name>Turn</Name><Time>2024-05-01T10:00:06Z</Time>
      \(position("48", "11"))</CoursePoint></Course></Courses>
    """)

  @Test func `a track point has a position, a time, an altitude, a speed and an accuracy`() {
    let found = XMLRecording.expectSameTCX(Array(Self.sample.utf8))
    #expect(found.error == nil && found.warnings.isEmpty)
    #expect(found.fixes.count == 4)
    #expect((found.tracks, found.segments, found.routes) == (3, 4, 1))
    #expect((found.waypoints, found.routePoints, found.skips) == (1, 2, 0))
    let first = found.fixes[0]
    #expect(first.coordinate.latitudeE7 == 481_234_568)
    #expect(first.coordinate.longitudeE7 == -115_000_001)
    #expect(first.time?.millisecondsSince1970 == 1_714_557_600_500)
    #expect(first.elevationMeters == 520.25)
    #expect(first.speedMetersPerSecond == 2.5)
    #expect(first.horizontalAccuracyMeters == 8)
    #expect(found.fixLines == [4, 18, 20, 21])
  }

  @Test func `a track point without a position is no position`() {
    let found = XMLRecording.tcx(
      Self.activity("<Trackpoint><Time>2024-05-01T10:00:00Z</Time></Trackpoint>"))
    #expect(found.fixes.isEmpty && found.skips == 0 && found.error == nil)
    #expect(found.codes == [.leftOut])
  }

  @Test(arguments: [
    ("95", "11"), ("48", "181"), ("", "11"), ("48", ""), ("north", "11"), ("NaN", "11"),
  ])
  func `a position that is not on the Earth is skipped`(latitude: String, longitude: String) {
    let bytes = Self.activity(
      Self.point(1) + Self.point(2, latitude: latitude, longitude: longitude))
    let found = XMLRecording.expectSameTCX(Array(bytes.utf8))
    #expect(found.fixes.count == 1)
    #expect(found.skips == 1)
    #expect(found.codes == [.unreadable])
  }

  @Test func `a coordinate given twice or alone is not reliable`() {
    let twice =
      "<Trackpoint><Position><LatitudeDegrees>1</LatitudeDegrees><LatitudeDegrees>2"
      + "</LatitudeDegrees><LongitudeDegrees>3</LongitudeDegrees></Position></Trackpoint>"
    let alone =
      "<Trackpoint><Position><LatitudeDegrees>1</LatitudeDegrees></Position></Trackpoint>"
    for point in [twice, alone] {
      let found = XMLRecording.expectSameTCX(Array(Self.activity(point).utf8))
      #expect(found.fixes.isEmpty && found.skips == 1, "\(point)")
    }
  }

  @Test func `0 0 indoors and blanks before the declaration are read`() {
    let found = XMLRecording.tcx(
      "\n      \n" + Self.activity(Self.point(1, latitude: "0.0", longitude: "0.0")))
    #expect(found.latitudesE7 == [0])
    #expect(found.codes == [.malformed])
  }

  @Test func `a decimal comma is repaired`() {
    let found = XMLRecording.expectSameTCX(
      Array(Self.activity(Self.point(1, latitude: "48,25")).utf8))
    #expect(found.latitudesE7 == [482_500_000])
    #expect(found.codes == [.repaired])
  }

  @Test func `impossible times are ignored, and times that go back keep their order`() {
    let odd = ["1969-12-31T23:59:59Z", "2040-01-01T00:00:00Z", "2024-13-01T00:00:00Z", "noon"]
      .map { "<Trackpoint><Time>\($0)</Time>\(Self.position("1", "2"))</Trackpoint>" }.joined()
    let found = XMLRecording.expectSameTCX(
      Array(Self.activity(Self.point(9) + odd + Self.point(3)).utf8))
    #expect(found.fixes.count == 6)
    #expect(found.times.filter { $0 != nil }.count == 2)
    #expect(found.codes == [.impossibleTime, .timeBackwards])
  }

  @Test func `track points outside a track or an activity are read with a warning`() {
    for body in [Self.point(1) + Self.point(2), "<Track>\(Self.point(1))\(Self.point(2))</Track>"] {
      let found = XMLRecording.expectSameTCX(Array(Self.document(body).utf8))
      #expect(found.fixes.count == 2, "\(body)")
      #expect((found.tracks, found.segments) == (1, 1))
      #expect(found.codes == [.malformed])
    }
  }

  @Test func `a point whose end tag is missing does not take the next one's values`() {
    let open = "<Trackpoint>" + Self.position("1", "2")
    let found = XMLRecording.expectSameTCX(
      Array(Self.activity(open + Self.point(5, latitude: "3")).utf8))
    #expect(found.latitudesE7 == [10_000_000, 30_000_000])
    #expect(found.times[0] == nil && found.times[1] != nil)
    #expect(found.codes == [.malformed])
  }

  @Test func `entities are not expanded, and no half of a number is read`() {
    let text = Self.activity(
      Self.point(1) + Self.point(2, latitude: "4&b;8") + Self.point(3, latitude: "4<b/>8"))
    let found = XMLRecording.expectSameTCX(Array(text.utf8))
    #expect(found.latitudesE7 == [481_000_000])
  }

  @Test func `a point after the root is ignored`() {
    let found = XMLRecording.expectSameTCX(
      Array((Self.activity(Self.point(1)) + "<Track>\(Self.point(2))</Track>" + Self.point(3)).utf8)
    )
    #expect(found.fixes.count == 1)
    #expect(found.codes == [.trailingJunk])
  }

  @Test func `another root is refused, and so is a file without a complete point`() {
    #expect(XMLRecording.tcx("<a/>").error?.code == .unknownFormat)
    #expect(XMLRecording.tcx(" \n ").error?.code == .empty)
    #expect(
      XMLRecording.tcx("<TrainingCenterDatabase><Activities>").error?.code == .malformed)
  }

  @Test func `a file truncated at any byte gives exactly the complete points before the cut`() {
    let bytes = Array(Self.sample.utf8)
    let all = XMLRecording.tcx(bytes).fixes
    var counts: Set<Int> = []
    for length in 0...bytes.count {
      let found = XMLRecording.tcx(Array(bytes.prefix(length)))
      #expect(found.fixes == Array(all.prefix(found.fixes.count)), "cut at \(length)")
      counts.insert(found.fixes.count)
      if found.error == nil, length < bytes.count {
        #expect(found.codes.contains(.truncated), "cut at \(length)")
      }
    }
    #expect(counts == Set(0...4))
  }

  @Test(arguments: Seeds.sample(60))
  func `a damaged document gives the same result in pieces and on both paths`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes = Array(Self.sample.utf8)
    XMLRecording.damage(&bytes, using: &random)
    XMLRecording.expectSameTCX(bytes)
  }

  static let parts = [
    "<TrainingCenterDatabase>", "<Activity>", "<Track>", "</Track>", "<Trackpoint>",
    "</Trackpoint>", "<Position>", "</Position>", "<Time>", "</Time>", "<Speed>1</Speed>",
    "2024-05-01T00:00:00Z", Self.point(1), Self.point(2), Self.point(3), Self.position("1", "2"),
    "<Extensions><a:TPX b='c'><Speed>1</Speed></a:TPX></Extensions>", "<a b=\"c\" d>", "</a>",
    "<", ">", "<!--", "-->", "<![CDATA[", "]]>", "&", ";", "\"", " ", "\r\n", "\u{0}", "é",
    "<Course>", "</Course>", "<Value>1</Value>", "<AltitudeMeters>1e1</AltitudeMeters>",
  ]

  @Test(arguments: Seeds.sample(40))
  func `random markup gives the same result in pieces and on both paths`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    XMLRecording.expectSameTCX(XMLRecording.text(of: Self.parts, using: &random))
  }

  @Test func `both paths agree on long runs of plain points`() {
    var random = SplitMix64(seed: 7)
    var points = ""
    for index in 0..<2000 {
      let latitude = Double.random(in: -90...90, using: &random)
      let longitude = Double.random(in: -180...180, using: &random)
      points +=
        "<Trackpoint>\n <Time>2024-05-01T10:\(10 + index / 60 % 50):\(10 + index % 50).000Z</Time>"
        + "\n" + Self.position("\(latitude)", "\(longitude)")
        + "<AltitudeMeters>\(Double.random(in: -400...9000, using: &random))</AltitudeMeters>"
        + "<Extensions>\n<TPX xmlns=\"http://a/v2\"><Speed>\(index % 9).25</Speed></TPX>"
        + "</Extensions></Trackpoint>\n"
    }
    let found = XMLRecording.expectSameTCX(Array(Self.activity(points).utf8))
    #expect(found.fixes.count == 2000)
    #expect(found.fixes.allSatisfy { $0.time != nil && $0.speedMetersPerSecond != nil })
  }

  @Test func `endless tokens and nesting use no memory`() {
    for (head, filler, tail) in [
      ("<TrainingCenterDatabase><a>", "x", "</a>"), ("<TrainingCenterDatabase><a ", "b='1' ", "/>"),
      ("<TrainingCenterDatabase><!--", "-x", "-->"),
      ("<TrainingCenterDatabase><Activity><Track><Trackpoint><Time>", "1", "</Time></Trackpoint>"),
      ("<TrainingCenterDatabase>", "<a>", ""),
    ] {
      var decoder = TCXDecoder(now: GPXRecorder.now)
      var sink = GPXRecorder([])
      let block = Array(String(repeating: filler, count: 1000).utf8)
      Array(head.utf8).withUnsafeBytes { decoder.decode($0, into: &sink) }
      for _ in 0..<1000 { block.withUnsafeBytes { decoder.decode($0, into: &sink) } }
      #expect(decoder.decoder.elements.depth <= XMLLimits.depth)
      #expect(decoder.decoder.elements.value.limit == XMLLimits.valueBytes)
      Array((tail + Self.activity(Self.point(1))).utf8).withUnsafeBytes {
        decoder.decode($0, into: &sink)
      }
      #expect(decoder.finish(into: &sink) == nil || filler == "<a>")
      #expect(sink.fixes.count == 1, "\(head)")
    }
  }
}

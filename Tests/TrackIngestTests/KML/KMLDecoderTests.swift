import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

@Suite struct KMLDecoderTests {
  static func document(_ placemarks: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
    <Document><name>Tour</name>\(placemarks)</Document></kml>
    """
  }

  static func track(_ body: String) -> String {
    document("<Placemark><gx:Track>\(body)</gx:Track></Placemark>")
  }

  static func line(_ coordinates: String) -> String {
    document(
      "<Placemark><LineString><coordinates>\(coordinates)</coordinates></LineString></Placemark>")
  }

  static func when(_ second: Int) -> String {
    "<when>2024-05-01T10:00:\(second < 10 ? "0" : "")\(second)Z</when>"
  }

  static func coord(_ number: Int) -> String {
    "<gx:coord>11.\(number) 48.\(number) 500</gx:coord>"
  }

  /// 2024-05-01T10:00:00Z.
  static let start: Int64 = 1_714_557_600_000

  /// Each kind of geometry, with comments and blanks.
  static let sample = document(
    """
    <Style id="a"><LineStyle><color>ff0000ff</color></LineStyle></Style>
    <Folder><Placemark><description><![CDATA[<b>A</b> & ]] more]]></description>
    <gx:MultiTrack><gx:interpolate>1</gx:interpolate>
      <gx:Track>
        <when>2024-05-01T10:00:00Z</when>
        <when>2024-05-01T10:00:01.5Z</when>
        <gx:coord>-11.5000001 48.12345678901 520.5</gx:coord>
        <gx:coord>11.6 48.2</gx:coord>
      </gx:Track>
      <Track><when>2024-05-01T10:00:02Z</when><coord>11.7 48.3 1</coord></Track>
    </gx:MultiTrack></Placemark></Folder>
    <Placemark><TimeSpan><begin>2024-05-01</begin></TimeSpan><MultiGeometry>
      <LineString><tessellate>1</tessellate><coordinates>
        11.1,48.1,500 11.2,48.2<!-- 1,2,3 -->
        +11.3,48.3,5e2
      </coordinates></LineString>
      <LineString><coordinates>11.4,48.4</coordinates></LineString></MultiGeometry></Placemark>
    <Placemark><TimeStamp><when>2024-05-01T10:00:03Z</when></TimeStamp>
      <Point><coordinates>11.8,48.8,0</coordinates></Point></Placemark>
    <Placemark><Polygon><outerBoundaryIs><LinearRing><coordinates>1,1 2,2 3,1 1,1</coordinates>
      </LinearRing></outerBoundaryIs></Polygon></Placemark>
    <NetworkLink><Link><href>http://127.0.0.1/a.kml</href></Link></NetworkLink>
    """)

  @Test func `tracks, lines and points are read, and areas are not`() {
    let found = XMLRecording.expectSameKML(Array(Self.sample.utf8))
    #expect(found.error == nil)
    #expect((found.tracks, found.segments, found.waypoints, found.skips) == (2, 4, 1, 0))
    #expect(found.fixes.count == 7)
    #expect(found.codes == [.repaired], "the date alone")
    #expect(
      found.times == [Self.start, Self.start + 1500, Self.start + 2000, nil, nil, nil, nil])
    #expect(found.fixes[0].coordinate.longitudeE7 == -115_000_001)
    #expect(found.latitudesE7[0] == 481_234_568)
    #expect(found.fixes.map(\.elevationMeters) == [520.5, nil, 1, 500, nil, 500, nil])
    let waypoint = found.events.compactMap {
      if case .waypoint(let fix, _) = $0 { fix } else { nil }
    }
    #expect(waypoint.first?.time?.millisecondsSince1970 == Self.start + 3000)
    #expect(found.fixLines == [9, 10, 12, 16, 16, 17, 19])
  }

  @Test func `times and positions are paired by their order, however they are mixed`() {
    let (times, positions) = ((0..<8).map(Self.when), (0..<8).map(Self.coord))
    let blocks = times.joined() + positions.joined()
    let reversed = positions.joined(separator: "\n") + times.joined(separator: "\n")
    let pairs = zip(times, positions).map { $0 + $1 }.joined()
    let swapped = zip(times, positions).map { $1 + $0 }.joined()
    let mixed =
      times[0..<3].joined() + positions[0..<5].joined() + times[3..<8].joined()
      + positions[5..<8].joined()
    let expected = XMLRecording.kml(Self.track(pairs)).fixes
    #expect(expected.count == 8)
    #expect(
      expected.map { $0.time?.millisecondsSince1970 } == (0..<8).map { Self.start + $0 * 1000 })
    for body in [blocks, reversed, swapped, mixed] {
      let found = XMLRecording.expectSameKML(Array(Self.track(body).utf8))
      #expect(found.fixes == expected, "\(body)")
      #expect(found.warnings.isEmpty)
    }
  }

  @Test func `an empty or wrong position or time keeps its place`() {
    let body =
      (0..<5).map(Self.when).joined() + Self.coord(0) + "<gx:coord/><gx:coord>1 99</gx:coord>"
      + "<gx:coord> </gx:coord>" + Self.coord(4)
    let found = XMLRecording.expectSameKML(Array(Self.track(body).utf8))
    #expect(found.times == [Self.start, Self.start + 4000])
    #expect(found.skips == 1)
    let times = Self.when(0) + "<when/><when>noon</when>" + Self.when(3)
    let other = XMLRecording.expectSameKML(
      Array(Self.track(times + (0..<4).map(Self.coord).joined()).utf8))
    #expect(other.times == [Self.start, nil, nil, Self.start + 3000])
  }

  @Test func `unequal counts give a warning and lose no position`() {
    let short = XMLRecording.expectSameKML(
      Array(Self.track(Self.when(0) + (0..<3).map(Self.coord).joined()).utf8))
    #expect(short.times == [Self.start, nil, nil])
    #expect(short.codes == [.repaired])
    let long = XMLRecording.expectSameKML(
      Array(Self.track((0..<3).map(Self.when).joined() + Self.coord(0)).utf8))
    #expect(long.times == [Self.start])
    #expect(long.codes == [.repaired])
    let none = XMLRecording.expectSameKML(Array(Self.track(Self.coord(0)).utf8))
    #expect(none.times == [nil] && none.warnings.isEmpty)
  }

  @Test(arguments: [
    ("11.5,48.1 11.6,48.2", 2, 0), ("11.5, 48.1, 500\n11.6, 48.2, 500", 2, 0),
    ("11.5,48.1, 11.6,48.2,\n", 2, 0), ("11.5,48.1,, 11.6,48.2,,", 2, 0),
    ("11.5 , 48.1", 0, 2), ("11.5,48.1,500,11.6,48.2,500", 0, 1), (",,", 0, 1), (" \n ", 0, 0),
    ("48.1,139.7", 0, 1), ("NaN,1 1,NaN 1 2", 0, 4), ("11.5,48.1,north", 1, 0),
    ("11.5,48.1,Infinity", 1, 0), ("1e1,4.8e1", 1, 0), ("-180,90 180,-90", 2, 0),
    ("11.5,48.1<b/>11.6,48.2 11.7,48.3", 1, 0), ("1&a;1,4 11.7,48.3", 1, 1),
    ("<![CDATA[11.7,48.3]]>", 1, 0),
  ])
  func `the coordinates of a line are read tolerantly`(text: String, fixes: Int, skips: Int) {
    let found = XMLRecording.expectSameKML(Array(Self.line(text).utf8))
    #expect(found.fixes.count == fixes)
    #expect(found.skips == skips)
    #expect(found.error == nil)
  }

  @Test func `an element in coordinates spoils only the position around it`() {
    let rest = String(repeating: "5.1234567,6.1234567,500 ", count: 10)
    for text in ["1,2 3,4<b/>7,8 " + rest, "1,2 3,<b>9,9</b>4 " + rest, "1,2 <b/>3,4 " + rest] {
      let found = XMLRecording.expectSameKML(Array(Self.line(text).utf8))
      #expect(found.fixes.count == 11, "\(text)")
      #expect(found.codes == [.malformed])
    }
  }

  @Test func `a line in the placemark of a track is the same way and is ignored`() {
    let line = "<LineString><coordinates>1,2 3,4</coordinates></LineString>"
    let track = "<gx:Track>\(Self.when(0))\(Self.coord(1))</gx:Track>"
    let both = Self.document(
      "<Placemark><MultiGeometry>\(track)\(line)</MultiGeometry></Placemark>")
    let found = XMLRecording.expectSameKML(Array(both.utf8))
    #expect(found.fixes.count == 1)
    #expect(found.codes == [.leftOut])
    let apart = XMLRecording.kml(
      Self.document("<Placemark>\(track)</Placemark><Placemark>\(line)</Placemark>"))
    #expect(apart.fixes.count == 3 && apart.warnings.isEmpty)
    let empty = XMLRecording.kml(
      Self.document("<Placemark><gx:Track><gx:coord/></gx:Track>\(line)</Placemark>"))
    #expect(empty.fixes.count == 2)
  }

  @Test func `the prefix gx need not be declared`() {
    let found = XMLRecording.kml(
      "<kml><Placemark><gx:Track>\(Self.when(0))\(Self.coord(1))</gx:Track></Placemark></kml>")
    #expect(found.fixes.count == 1 && found.warnings.isEmpty)
  }

  @Test func `the time of a view is not the time of a placemark`() {
    let found = XMLRecording.kml(
      Self.document(
        "<Placemark><LookAt><gx:TimeStamp>\(Self.when(1))</gx:TimeStamp></LookAt>"
          + "<Point><coordinates>1,2</coordinates></Point></Placemark>"))
    #expect(found.waypoints == 1)
    #expect(
      found.events.contains {
        if case .waypoint(let fix, _) = $0 { fix.time == nil } else { false }
      })
  }

  @Test func `a file without a position says so, and another root is refused`() {
    #expect(XMLRecording.kml(Self.document("")).codes == [.leftOut])
    #expect(XMLRecording.kml("<a/>").error?.code == .unknownFormat)
    #expect(XMLRecording.kml("").error?.code == .empty)
    #expect(XMLRecording.kml("<kml><Document>").error?.code == .malformed)
  }

  @Test func `a file truncated at any byte gives exactly the complete points before the cut`() {
    let bytes = Array(Self.sample.utf8)
    let all = XMLRecording.kml(bytes).fixes
    var counts: Set<Int> = []
    for length in 0...bytes.count {
      let found = XMLRecording.kml(Array(bytes.prefix(length)))
      #expect(found.fixes == Array(all.prefix(found.fixes.count)), "cut at \(length)")
      counts.insert(found.fixes.count)
      if found.error == nil, length < bytes.count {
        #expect(found.codes.contains(.truncated), "cut at \(length)")
      }
    }
    #expect(counts == Set(0...7))
  }

  @Test(arguments: Seeds.sample(60))
  func `a damaged document gives the same result in pieces and on both paths`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes = Array(Self.sample.utf8)
    XMLRecording.damage(&bytes, using: &random)
    XMLRecording.expectSameKML(bytes)
  }

  @Test(arguments: Seeds.sample(40))
  func `random markup gives the same result in pieces and on both paths`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let parts = [
      "<kml>", "<Placemark>", "</Placemark>", "<gx:Track>", "</gx:Track>", Self.when(1),
      Self.when(2), Self.coord(1), Self.coord(2), "<coord>1 2</coord>", "<gx:coord/>", "<when/>",
      "<LineString>", "<coordinates>", "</coordinates>", "</LineString>", "<Point>", "</Point>",
      "11.5,48.1,500 ", "11.5,48.1\n", "11.6, 48.2, ", ",", " ", "1", "<Polygon>", "</Polygon>",
      "<TimeStamp>", "</TimeStamp>", "<", ">", "<!--", "-->", "<![CDATA[", "]]>", "&", ";", "\"",
      "\r\n", "\u{0}", "é",
    ]
    XMLRecording.expectSameKML(XMLRecording.text(of: parts, using: &random))
  }

  @Test func `both paths agree on long lines and tracks`() {
    var random = SplitMix64(seed: 7)
    var (coordinates, track) = ("", "")
    for index in 0..<2000 {
      let latitude = Double.random(in: -90...90, using: &random)
      let longitude = Double.random(in: -180...180, using: &random)
      let height = Double.random(in: -400...9000, using: &random)
      coordinates += "\(longitude),\(latitude),\(height)\n"
      track +=
        "<when>2024-05-01T10:\(10 + index / 60 % 50):\(10 + index % 50)Z</when>\n"
        + "<gx:coord>\(longitude) \(latitude) \(height)</gx:coord>\n"
    }
    let line = XMLRecording.expectSameKML(Array(Self.line(coordinates).utf8))
    let fixes = XMLRecording.expectSameKML(Array(Self.track(track).utf8)).fixes
    #expect(line.fixes.count == 2000 && fixes.count == 2000)
    #expect(line.fixes.map(\.coordinate) == fixes.map(\.coordinate))
    #expect(line.fixes.map(\.elevationMeters) == fixes.map(\.elevationMeters))
  }
}

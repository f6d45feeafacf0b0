import Testing

@testable import TrackIngest

/// Errors that occur in real files, one by one.
@Suite struct GPXToleranceTests {
  static let point = "<trkpt lat=\"48.1\" lon=\"11.5\"><time>2024-05-01T10:00:00Z</time></trkpt>"

  @Test(arguments: [
    "<gpx>", "<gpx version='2.7'>", "<gpx xmlns='http://www.topografix.com/GPX/1/0'>",
    "<gpx xmlns='urn:whatever'>",
    "<gpx xmlns='http://www.topografix.com/GPX/1/2' version='1.2'>", "<gpx xmlns=''>",
  ])
  func `a root element of any version and any namespace is GPX`(root: String) {
    let found = expectSameInAnyPieces(
      Array("\(root)<trk><trkseg>\(Self.point)</trkseg></trk></gpx>".utf8))
    #expect(found.latitudesE7 == [481_000_000])
    #expect(found.warnings.isEmpty)
  }

  @Test(arguments: ["", " xmlns:g='http://www.topografix.com/GPX/1/1'", " xmlns:g='urn:other'"])
  func `any prefix is accepted, declared or not`(declaration: String) {
    let text = """
      <g:gpx\(declaration)><g:trk><g:trkseg><g:trkpt lat='1' lon='2'>\
      <g:time>2024-05-01T10:00:00Z</g:time>
      </g:trkpt></g:trkseg></g:trk></g:gpx>
      """
    let found = expectSameInAnyPieces(Array(text.utf8))
    #expect(found.latitudesE7 == [10_000_000])
    #expect(found.times == [1_714_557_600_000])
  }

  @Test func `elements in foreign namespaces or inside extensions are not points`() {
    let foreign = """
      <trkpt lat="1" lon="1"><extensions><trkpt lat="2" lon="2"/>\
      <x:trkpt xmlns:x="urn:x" lat="3" lon="3"/>
      <gpx><trk><trkseg><trkpt lat="4" lon="4"/></trkseg></trk></gpx></extensions></trkpt>
      <x:trkpt xmlns:x="urn:x" lat="5" lon="5"/><trkpt xmlns="urn:x" lat="6" lon="6"/>
      <x:box xmlns:x="urn:x"><trkpt lat="7" lon="7"/></x:box>
      <y:box><trkpt lat="8" lon="8"/></y:box>
      <trkpt lat="9" lon="9"/>
      """
    let found = expectSameInAnyPieces(Array(GPXRecorder.document(segment: foreign).utf8))
    #expect(found.latitudesE7 == [10_000_000, 90_000_000])
    #expect(found.warnings.isEmpty)
  }

  @Test func `a processing instruction or comment inside a value is removed from it`() {
    let body = """
      <trkpt lat="1" lon="1"><ele>1<?7?>2<!-- 8 -->3</ele>\
      <time>2024-05-01<?x 99?>T10:00:00Z</time></trkpt>
      """
    let found = expectSameInAnyPieces(Array(GPXRecorder.document(segment: body).utf8))
    #expect(found.fixes.map(\.elevationMeters) == [123])
    #expect(found.times == [1_714_557_600_000])
    #expect(found.warnings.isEmpty)
  }

  @Test(arguments: ["<gpx/>", "<gpx><trk/><trk><trkseg/></trk></gpx>"])
  func `a file without any point is read with a warning`(text: String) {
    let found = expectSameInAnyPieces(Array(text.utf8))
    #expect(found.error == nil)
    #expect(found.warnings.map(\.code) == [.leftOut])
  }

  @Test func `a namespace ends with its element`() {
    let body =
      "<a xmlns='urn:x' xmlns:g='urn:y'/><trkpt lat='1' lon='1'/><g:trkpt lat='2' lon='2'/>"
    #expect(GPXRecorder(segment: body).latitudesE7 == [10_000_000, 20_000_000])
  }

  @Test func `attributes may have any order and quoting, with other attributes between`() {
    let body = """
      <trkpt lon='1' lat='1'/><trkpt  a="&lt;" lat = "2"
        b='"' lon	=	'2' c=""></trkpt><trkpt lat=3 lon=3></trkpt><trkpt lat=4 lon=4/>\
      <trkpt lat="5"lon="5"/>
      """
    let found = expectSameInAnyPieces(Array(GPXRecorder.document(segment: body).utf8))
    #expect(found.latitudesE7 == [10_000_000, 20_000_000, 30_000_000, 40_000_000, 50_000_000])
    // Values without quotes, or without a blank after them, are not XML: read with a warning.
    #expect(found.warnings.map(\.code) == [.malformed, .malformed, .malformed])
  }

  @Test func `character references are decoded, and entities are never expanded`() {
    let body = """
      <trkpt lat="&#52;8&#x2E;1" lon="1"><time>2024&#45;05-01T10:00:00&#x5A;</time></trkpt>
      <trkpt lat="4&eight;8.1" lon="1"/><trkpt lat="2" lon="1"><name>R&D &nbsp; &lt;</name></trkpt>
      """
    let found = expectSameInAnyPieces(Array(GPXRecorder.document(segment: body).utf8))
    #expect(found.latitudesE7 == [481_000_000, 20_000_000])
    #expect(found.times == [1_714_557_600_000, nil])
    #expect(found.skips == 1)
    #expect(found.warnings.map(\.code) == [.malformed, .unreadable, .malformed, .malformed])
  }

  @Test func `a document type is skipped with all its declarations`() {
    let text = """
      <?xml version="1.0"?><!DOCTYPE gpx [<!ENTITY a "<trkpt lat='9' lon='9'/>"> <!-- don't > --> \
      <?x ]> ?>
      <!ENTITY b SYSTEM "file:///etc/passwd"> %p; ]><gpx><trk><trkseg>\
      <trkpt lat='&a;' lon='1'/>\(Self.point)
      </trkseg></trk></gpx>
      """
    let found = expectSameInAnyPieces(Array(text.utf8))
    #expect(found.latitudesE7 == [481_000_000])
    #expect(found.skips == 1)
    #expect(found.codes == [.leftOut, .malformed, .unreadable])
  }

  @Test func `markup in comments, CDATA and instructions is ignored`() {
    let body = """
      <!-- \(Self.point) - -- ->--><name><![CDATA[\(Self.point)]] ]> ]]]></name>\
      <?x \(Self.point)?>\(Self.point)
      """
    let found = expectSameInAnyPieces(Array(GPXRecorder.document(segment: body).utf8))
    #expect(found.fixes.count == 1)
    #expect(found.warnings.isEmpty)
  }

  @Test func `a bare less-than sign is text`() {
    let found = expectSameInAnyPieces(
      Array("<gpx><trk><name>v < 5 <3 </name><trkseg>\(Self.point)</trkseg></trk></gpx>".utf8))
    #expect(found.fixes.count == 1)
    #expect(found.warnings.map(\.code) == [.malformed, .malformed])
  }

  @Test func `an unknown tag in a name gives only a warning`() {
    let found = expectSameInAnyPieces(
      Array(
        """
        <gpx><trk><name>a <b and c</name><desc>x<br>y</desc>\
        <trkseg>\(Self.point)</trkseg></trk></gpx>
        """
        .utf8)
    )
    #expect(found.fixes.count == 1)
    #expect(found.codes == [.malformed])
  }

  @Test func `a block missing in the middle never merges two points`() {
    // From inside the first time to inside the next elevation.
    let lost = """
      <trkpt lat="1" lon="1"><ele>1</ele><time>2024-05-01T10:>2</ele>\
      <time>2024-05-01T10:00:02Z</time></trkpt>
      <trkpt lat="3" lon="3"><ele>33" lon="4"><ele>4</ele><time>2024-05-01T10:00:04Z</time></trkpt>
      <trkpt lat="5" lo<trkpt lat="6" lon="6"><time>2024-05-01T10:00:06Z</time></trkpt>
      <trkpt lat="7" lon="7"> lon="8"><time>2024-05-01T10:00:08Z</time></trkpt>
      """
    let found = expectSameInAnyPieces(Array(GPXRecorder.document(segment: lost).utf8))
    #expect(found.latitudesE7 == [10_000_000, 30_000_000, 60_000_000, 70_000_000])
    #expect(found.times == [nil, nil, 1_714_557_606_000, nil])
    #expect(found.codes == [.malformed])
  }

  @Test func `points without end tags are points`() {
    let found = expectSameInAnyPieces(
      Array(
        GPXRecorder.document(segment: "<trkpt lat='1' lon='1'><ele>5</ele><trkpt lat='2' lon='2'>")
          .utf8))
    #expect(found.latitudesE7 == [10_000_000, 20_000_000])
    #expect(found.fixes.first?.elevationMeters == 5)
    #expect(found.segments == 1)
    #expect(found.codes == [.malformed])
  }

  @Test func `two documents in one file are both read`() {
    let one = GPXRecorder.document(segment: Self.point)
    let both = expectSameInAnyPieces(Array((one + "\n" + one).utf8))
    #expect(both.fixes.count == 2)
    #expect(both.tracks == 2)
    #expect(both.warnings.map(\.code) == [.trailingJunk])
    let cut = expectSameInAnyPieces(Array((String(one.dropLast(20)) + one).utf8))
    #expect(cut.fixes.count == 2)
    #expect(cut.codes == [.malformed, .trailingJunk] || cut.codes == [.malformed])
  }

  @Test func `text after the end is ignored with a warning`() {
    let document = GPXRecorder.document(segment: Self.point)
    for tail in [
      "\0\0\0\0", "garbage", Self.point, "</trkseg></trk></gpx>", "<html><p>x</p></html>", "&amp;",
    ] {
      let found = expectSameInAnyPieces(Array((document + tail).utf8))
      #expect(found.fixes.count == 1, "\(tail)")
      #expect(found.codes.contains(.trailingJunk), "\(tail)")
      #expect(found.error == nil)
    }
    #expect(GPXRecorder(document + " \r\n\t").warnings.isEmpty)
  }

  @Test func `zero bytes affect only the value that contains them`() {
    let body =
      "<trkpt lat='1' lon='1'><time>2024-05\0\0</time></trkpt>\0\0<trkpt lat='2\0' lon='1'/>"
      + Self.point
    let found = expectSameInAnyPieces(Array(GPXRecorder.document(segment: body).utf8))
    #expect(found.latitudesE7 == [10_000_000, 481_000_000])
    #expect(found.times == [nil, 1_714_557_600_000])
    #expect(found.codes == [.malformed, .impossibleTime, .unreadable])
  }

  @Test func `points outside a segment start a new one`() {
    let found = expectSameInAnyPieces(
      Array(
        """
        <gpx><trk>\(Self.point)\(Self.point)</trk><trk>\
        <trkseg/>\(Self.point)</trk>\(Self.point)</gpx>
        """
        .utf8)
    )
    #expect(found.fixes.count == 4)
    #expect((found.tracks, found.segments) == (3, 4))
    #expect(found.codes == [.malformed])
  }

  @Test func `missing end tags or a missing start lose no complete point`() {
    let noEnds = expectSameInAnyPieces(
      Array("<gpx><trk><trkseg>\(Self.point)<trk><trkseg>\(Self.point)</gpx>".utf8))
    #expect((noEnds.fixes.count, noEnds.tracks, noEnds.segments) == (2, 2, 2))
    let noHead = expectSameInAnyPieces(
      Array("5\"><ele>1</ele></trkpt>\(Self.point)</trkseg></trk></gpx>".utf8))
    #expect(noHead.fixes.count == 1)
    #expect(noHead.error == nil)
    #expect(noHead.codes.contains(.malformed))
  }

  @Test func `a coordinate given twice is invalid`() {
    let found = GPXRecorder(segment: "<trkpt lat='1' lat='2' lon='3'/>" + Self.point)
    #expect(found.latitudesE7 == [481_000_000])
    #expect(found.skips == 1)
  }

  @Test func `a decimal comma is read with a warning`() {
    let found = GPXRecorder(
      segment: "<trkpt lat='48,137' lon='-11,5'/><trkpt lat='1,2,3' lon='4'/>")
    #expect(found.latitudesE7 == [481_370_000])
    #expect(found.skips == 1)
    #expect(found.warnings.map(\.code) == [.repaired, .unreadable])
  }

  @Test func `content other than GPX is refused`() {
    func code(_ text: String) -> IngestError.Code? { GPXRecorder(text).error?.code }
    #expect(code("") == .empty)
    #expect(code(" \r\n\t") == .empty)
    #expect(code("\u{FEFF}") == .empty)
    #expect(code("\0\0\0\0") == .unknownFormat)
    #expect(code("{\"a\":1}") == .unknownFormat)
    #expect(code("<!DOCTYPE html><html><body>&nbsp;</body></html>") == .unknownFormat)
    #expect(code("<kml><trkpt lat='1' lon='1'/></kml>") == .unknownFormat)
    #expect(code("<gpx><trk><trkseg><trkpt lat='1'") == .malformed)
    #expect(code("<gpx/>") == nil)
    #expect(code("<gpx><wpt lat='1' lon='1'/></gpx>") == nil)
  }

  @Test func `a file without track points reports what it has instead`() {
    let found = GPXRecorder("<gpx><rte><rtept lat='1' lon='1'/></rte><wpt lat='1' lon='1'/></gpx>")
    #expect(found.warnings.map(\.code) == [.leftOut])
    #expect(found.warnings.first?.message.contains("it has 1 route point and 1 waypoint") == true)
  }
}

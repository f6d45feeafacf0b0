import Testing

@testable import TrackIngest

/// Sizes that no genuine file has: memory does not grow, and valid content around them is read.
@Suite struct GPXLimitsTests {
  static let point = GPXToleranceTests.point

  /// Decodes `head`, then `filler` many times, then `tail`, and returns the decoder's state before
  /// the tail.
  private func decode(_ head: String, _ filler: String, times: Int, _ tail: String) -> (
    GPXDecoder, GPXRecorder
  ) {
    var decoder = GPXDecoder(now: GPXRecorder.now)
    var sink = GPXRecorder([])
    func feed(_ text: String) {
      Array(text.utf8).withUnsafeBytes { decoder.decode($0, into: &sink) }
    }
    feed(head)
    let block = String(repeating: filler, count: 1000)
    for _ in 0..<times / 1000 { feed(block) }
    let middle = decoder
    feed(tail)
    sink.error = decoder.finish(into: &sink)
    return (middle, sink)
  }

  private func expectSmall(_ decoder: GPXDecoder) {
    #expect(decoder.scanner.value.limit == XMLLimits.valueBytes)
    #expect(decoder.builder.leaf.text.limit == XMLLimits.valueBytes)
    #expect(decoder.scanner.tag.attribute.limit == XMLLimits.nameBytes)
    #expect(decoder.builder.elements.open.count <= XMLLimits.depth)
    #expect(decoder.builder.namespaces.count <= GPXLimits.reservedBindings)
  }

  @Test(arguments: [
    ("<gpx><trk><name a='", "x", "'/>"), ("<gpx><trk><name>", "x", "</name>"),
    ("<gpx><trk><x", "x", "/>"),
    ("<gpx><trk><x ", "y", "='1'/>"), ("<gpx><trk><!--", "-x", "-->"),
    ("<gpx><trk><![CDATA[", "]", "]]>"),
    ("<gpx><trk><name>&", "x", ";</name>"), ("<gpx><trk><?x ", "y", "?>"),
    ("<gpx><trk><x ", "a='1' ", "/>"),
    ("<gpx><trk><a>", "</b>", "</a>"), ("<!DOCTYPE gpx [", "<!ENTITY a 'b'>", "]><gpx><trk>"),
    ("<gpx><trk><a ", "xmlns:n='urn:n' ", "/>"), ("<gpx><trk><a ", "xmlns='urn:n' ", "/>"),
    ("<gpx><trk><a ", "xmlns:n='http://www.topografix.com/GPX/1/1' ", "/>"),
  ])
  func `endless tokens use no memory and lose no point`(
    head: String, filler: String, tail: String
  ) {
    let (middle, found) = decode(
      head, filler, times: 100_000, tail + "<trkseg>" + Self.point + "</trkseg></trk></gpx>")
    expectSmall(middle)
    #expect(found.fixes.count == 1)
    #expect(found.error == nil)
  }

  @Test func `endless nesting uses no memory`() {
    let deep = String(repeating: "<a>", count: 5000) + String(repeating: "</a>", count: 5000)
    let (middle, _) = decode("<gpx><trk>", "<a>", times: 100_000, "")
    expectSmall(middle)
    let found = expectSameInAnyPieces(
      Array("<gpx><trk>\(deep)<trkseg>\(Self.point)</trkseg></trk></gpx>".utf8))
    #expect(found.fixes.count == 1)
    #expect(found.warnings.isEmpty)
  }

  @Test func `a value over the limit is neither a number nor a time`() {
    let digits = String(repeating: "0", count: 300)
    let body = """
      <trkpt lat="1.\(digits)" lon="1"/>
      <trkpt lat="2" lon="1"><time>2024-05-01T10:00:00.\(digits)Z</time>\
      <ele>3.\(digits)</ele></trkpt>
      <trkpt lat="\(String(repeating: " ", count: 400))3\(String(repeating: " ", count: 400))" \
      lon="1"/>
      """
    let found = expectSameInAnyPieces(Array(GPXRecorder.document(segment: body).utf8))
    #expect(found.latitudesE7 == [20_000_000, 30_000_000])
    #expect(found.fixes.first?.time == nil)
    #expect(found.fixes.first?.elevationMeters == nil)
    #expect(found.codes == [.unreadable, .impossibleTime])
  }

  @Test func `beyond the limit of namespace declarations, unknown prefixes are foreign`() {
    let declarations = (0..<200).map { " xmlns:p\($0)='urn:p'" }.joined()
    let found = GPXRecorder(
      "<gpx><trk><trkseg\(declarations)>"
        + "<p199:trkpt lat='1' lon='1'/>\(Self.point)</trkseg></trk></gpx>"
    )
    #expect(!found.latitudesE7.contains(10_000_000))
  }

  private static let gpx = "http://www.topografix.com/GPX/1/1"

  /// Reads a document; a short one also in pieces of several sizes.
  private func read(_ text: String) -> GPXRecorder {
    text.utf8.count < 10_000 ? expectSameInAnyPieces(Array(text.utf8)) : GPXRecorder(text)
  }

  /// Declarations of `count` foreign namespaces.
  private static func foreign(_ count: Int) -> String {
    (0..<count).map { " xmlns:p\($0)='urn:p:\($0)'" }.joined()
  }

  @Test(arguments: [129, 1_000, 10_000])
  func `any number of namespaces may be declared before or after the GPX namespace`(count: Int) {
    let foreign = Self.foreign(count)
    let home = " xmlns='\(Self.gpx)'"
    for attributes in [foreign + home, home + foreign, foreign] {
      let found = read("<gpx\(attributes)><trk><trkseg>\(Self.point)</trkseg></trk></gpx>")
      #expect(found.error == nil)
      #expect(found.fixes.count == 1)
      #expect(found.warnings.isEmpty)
    }
    // With prefixes: that of the root element, and a second one for GPX.
    let (first, second) = (" xmlns:g='\(Self.gpx)'", " xmlns:h='\(Self.gpx)'")
    let body = "<h:trk><g:trkseg><g:trkpt lat='1' lon='2'/></g:trkseg></h:trk>"
    for attributes in [
      foreign + first + second, first + foreign + second, second + first + foreign,
    ] {
      let found = read("<g:gpx\(attributes)>\(body)</g:gpx>")
      #expect(found.error == nil)
      #expect(found.fixes.count == 1)
    }
    // The root's own namespace counts, whatever it is.
    let own = GPXRecorder(
      "<o:gpx\(foreign) xmlns:o='urn:own'><o:trk><o:trkseg><o:trkpt lat='1' lon='2'/>"
        + "</o:trkseg></o:trk></o:gpx>")
    #expect(own.fixes.count == 1)
  }

  @Test(arguments: [129, 1_000, 10_000])
  func `with any number of namespaces, elements of a foreign one stay foreign`(count: Int) {
    let foreign = Self.foreign(count)
    let (point, hidden) = (Self.point, "<trkpt lat='7' lon='7'/>")
    let bodies = [
      // The default namespace changes inside an element.
      "<trk><trkseg>\(point)<x\(foreign) xmlns='urn:x'>\(hidden)</x></trkseg></trk>",
      // A prefix of GPX is rebound inside an element.
      "<trk><trkseg>\(point)<trkseg\(foreign) xmlns:g='urn:x'><g:trkpt lat='7' lon='7'/></trkseg>"
        + "</trkseg></trk>",
      // A prefix that is declared last.
      "<trk><trkseg>\(point)<p\(count - 1):trkpt lat='7' lon='7'/></trkseg></trk>",
    ]
    for body in bodies {
      let found = read("<gpx\(foreign) xmlns='\(Self.gpx)' xmlns:g='\(Self.gpx)'>\(body)</gpx>")
      #expect(found.fixes.count == 1)
      #expect(!found.latitudesE7.contains(70_000_000))
    }
  }

  @Test func `too many GPX prefixes to remember do not make a foreign point count`() {
    let prefixes = (0..<1_000).map { " xmlns:g\($0)='\(Self.gpx)'" }.joined()
    let others = (0..<1_000).map { " xmlns:g\($0)='urn:x'" }.joined()
    let found = GPXRecorder(
      "<g999:gpx\(prefixes)><g999:trk><g999:trkseg><g999:trkpt lat='1' lon='2'/>"
        + "<g999:trkseg\(others)><g5:trkpt lat='7' lon='7'/>"
        + "<g200:trkpt lat='7' lon='7'/></g999:trkseg></g999:trkseg></g999:trk></g999:gpx>")
    #expect(found.latitudesE7 == [10_000_000])
  }
}

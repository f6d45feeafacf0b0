import TestSupport
import Testing

@testable import TrackIngest

@Suite struct GPXPiecesTests {
  @Test func `a document in pieces of any size gives the same points, lines and warnings`() {
    let found = expectSameInAnyPieces(Array(GPXSamples.many.utf8))
    #expect(found.fixes.count == 6)
    #expect(found.skips == 1)
    #expect((found.tracks, found.segments, found.routes) == (1, 3, 1))
    #expect((found.waypoints, found.routePoints) == (1, 2))
    #expect(found.error == nil)
  }

  @Test(arguments: Seeds.sample(60))
  func `a damaged document gives the same result in pieces of any size`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes = Array(GPXSamples.many.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let start = Int.random(in: 0..<bytes.count, using: &random)
      let length = min(Int.random(in: 1...40, using: &random), bytes.count - start)
      switch Int.random(in: 0...3, using: &random) {
      case 0: bytes.removeSubrange(start..<start + length)
      case 1: for index in start..<start + length { bytes[index] = 0 }
      case 2: bytes.insert(contentsOf: bytes[start..<start + length], at: start)
      default: bytes[start] = UInt8.random(in: 0...255, using: &random)
      }
    }
    expectSameInAnyPieces(bytes)
  }

  @Test(arguments: Seeds.sample(40))
  func `random markup gives the same result in pieces of any size`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let parts = [
      "<", ">", "</", "/>", "<!--", "-->", "<![CDATA[", "]]>", "<?xml ", "?>", "<!DOCTYPE g [",
      "]>", "&",
      "&#49;", ";",
      "\"", "'", "=", " ", "\n", "\r\n", "\r", "gpx", "trk", "trkseg", "trkpt", "lat=\"1\"",
      "lon='2'",
      "time", "x:",
      "xmlns:x=\"urn:x\"", "2024-05-01T00:00:00Z", "<gpx>", "<trk>", "<trkseg>",
      "<trkpt lat=\"1\" lon=\"2\">", "</trkpt>",
      "<time>", "</time>", "\u{0}", "é", "extensions",
    ]
    var text = ""
    for _ in 0..<200 { text += parts.randomElement(using: &random) ?? "" }
    expectSameInAnyPieces(Array(text.utf8))
  }

  @Test func `lines are counted from 1 over LF, CR LF and CR`() {
    for end in ["\n", "\r\n", "\r"] {
      let text = [
        "<gpx><trk>", "<trkseg>", "", "<trkpt lat='1' lon='1'/>", "  <trkpt", "lat='2' lon='1'/>",
        "</gpx",
      ]
      .joined(separator: end)
      let found = expectSameInAnyPieces(Array(text.utf8))
      #expect(found.fixLines == [4, 5])
      #expect(found.warnings.last?.line == 7)
    }
  }

  @Test func `a file truncated at any byte gives exactly the complete points before the cut`() {
    let bytes = Array(GPXSamples.many.utf8)
    let all = GPXRecorder(bytes).fixes
    var counts: Set<Int> = []
    for length in 0...bytes.count {
      let found = GPXRecorder(Array(bytes.prefix(length)))
      #expect(found.fixes == Array(all.prefix(found.fixes.count)), "cut at \(length)")
      counts.insert(found.fixes.count)
      // Truncated anywhere after the first point and before the last `>`, it gives a warning.
      if found.error == nil, length < bytes.count - 2 {
        #expect(found.codes.contains(.truncated), "cut at \(length)")
      }
    }
    #expect(counts == Set(0...6))
  }

  @Test func `the fast and the exact path agree on long runs of plain points`() {
    var random = SplitMix64(seed: 7)
    var body = ""
    for index in 0..<3000 {
      let latitude = Double.random(in: -90...90, using: &random)
      let longitude = Double.random(in: -180...180, using: &random)
      let hour = index / 60 % 24
      body +=
        "<trkpt lat=\"\(latitude)\" lon=\"\(longitude)\">"
        + "<ele>\(Double.random(in: -400...9000, using: &random))</ele>"
      body +=
        "<time>2024-0\(1 + index / 400)-\(10 + index / 1440)T\(hour < 10 ? "0" : "")\(hour):"
        + "\(10 + index % 50):59Z</time>"
      body += "<hdop>\(Double.random(in: 0...20, using: &random))</hdop></trkpt>\n"
    }
    let found = expectSameInAnyPieces(Array(GPXRecorder.document(segment: body).utf8))
    #expect(found.fixes.count == 3000)
    #expect(found.fixes.allSatisfy { $0.time != nil })
  }
}

import Foundation
import Testing

@testable import TrackIngest

@Suite struct ContentKindTests {
  private func kind(_ bytes: some Sequence<UInt8>) -> ContentKind {
    Array(bytes).withUnsafeBytes { ContentKind(prefix: $0) }
  }
  private func kind(_ text: String) -> ContentKind { kind(Array(text.utf8)) }

  @Test(arguments: [
    "<gpx>", "<?xml version='1.0'?><!-- <kml> -->\n<g:gpx", "\u{FEFF}\n <gpx",
    "<trkpt lat='1' lon='2'/>",
    "<!DOCTYPE gpx [<!ENTITY a '<kml>'>]><gpx>",
    "HTTP/1.1 200 OK\r\n\r\n<?xml version='1.0'?><gpx>",
    "<!-- a very long comment",
    "<!DOCTYPE gpx [<!ENTITY a 'cut", "<?note a very long instruction",
    // Web server output before the file, a file whose start is missing, and one that begins with
    // zeros.
    "<br />\n<b>Warning</b>: foo() in x.php on line <b>3</b><br />\n<?xml version='1.0'?><gpx>",
    "<ele>500</ele></trkpt>\n<trkpt lat='1' lon='2'/>",
    "\u{0}\u{0}\u{0}\u{0}\u{0}<?xml version='1.0'?><gpx>",
    // Lines before the file that look like those of other formats.
    "Route export (lat, lon)\n<?xml version='1.0'?><gpx>", "time,lat,lon\n1,48.1,8.2\n<gpx>",
    "2024-05-01 {\"_type\":\"location\"}\n<gpx>",
  ])
  func `GPX is detected by its first element`(text: String) {
    #expect(kind(text) == .track(.gpx))
  }

  @Test func `GPX is detected in UTF-16 and UTF-32`() throws {
    for encoding in [
      String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
    ] {
      #expect(kind(Array(try #require("<?xml?><gpx>".data(using: encoding)))) == .track(.gpx))
      #expect(kind(Array(try #require("\u{FEFF}<gpx>".data(using: encoding)))) == .track(.gpx))
      #expect(
        kind(Array(try #require("\u{FEFF}$GPGGA,1*00".data(using: encoding)))) == .track(.nmea))
    }
  }

  @Test(arguments: [
    "$GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,*47", "$GNRMC,,V,,,,,,,,,,N\r\n",
    "junk\n\"$GPGLL,1\"",
    "\\s:x*1A\\$GPZDA,1", "!AIVDM,1,1,,A,x,0*00", "$PGRME,15.0,M,45.0,M,25.0,M*1C",
    "\u{0}\u{1}\u{2}$GPVTG,1,T*00",
    "<13>May  1 10:00:00 host gps: $GPGLL,1", "<<< start of log >>>\n$GPGLL,1",
    "<2024-05-01 10:00:00> $GPGLL,1",
    // Three zeros and a character look like UTF-32 at first.
    "\u{0}\u{0}\u{0}$GPGGA,123519,4807.038,N\r\n",
  ])
  func `NMEA is detected by a sentence`(text: String) {
    #expect(kind(text) == .track(.nmea))
  }

  @Test func `an unknown sentence is NMEA only with a valid checksum`() {
    #expect(kind("$ABXYZ,1,2*23\r\n") == .unknown)
    let sum = "ABXYZ,1,2".utf8.reduce(UInt8(0)) { $0 ^ $1 }
    #expect(kind("$ABXYZ,1,2*\(String(sum, radix: 16, uppercase: true))\r\n") == .track(.nmea))
    #expect(kind("costs $5, or $UNKNOWN, here") == .unknown)
  }

  @Test func `other formats are named`() {
    #expect(kind([]) == .empty)
    #expect(kind(" \r\n") == .empty)
    #expect(kind([0xEF, 0xBB, 0xBF]) == .empty)
    #expect(kind([UInt8](repeating: 0, count: 4096)) == .empty)
    #expect(kind([0x1F, 0x8B, 8, 0]) == .gzip)
    for mark in [[3, 4], [5, 6], [7, 8], [0x30, 0x30]] as [[UInt8]] {
      #expect(kind([0x50, 0x4B] + mark) == .zip)
    }
    #expect(kind("Rar!\u{1A}\u{7}") == .foreign("a RAR archive"))
    #expect(kind("{\"a\":1}") == .foreign("a JSON file"))
    #expect(kind("{\\rtf1\\ansi}") == .foreign("an RTF document"))
    let sentence = "$GPRMC,100000.00,A,4807.038,N,01131.000,E,022.4,084.4,010524,,,A*5E"
    #expect(kind("{\\rtf1\\ansi \\f0\n\(sentence)\\par\n}") == .track(.nmea))
    #expect(kind("SIMPLE  =                    T") == .foreign("a FITS image"))
    #expect(kind("<?xml?><kml>") == .track(.kml))
    #expect(kind("<TrainingCenterDatabase>") == .track(.tcx))
    #expect(
      kind("\n \n<?xml version=\"1.0\"?>\n<TrainingCenterDatabase xmlns=\"x\">") == .track(.tcx))
    // Parts of KML, whose names other formats use too.
    #expect(
      kind("<Document xmlns=\"http://www.opengis.net/kml/2.2\"><name>a</name></Document>")
        == .track(.kml))
    #expect(kind("<kml:Document xmlns:kml=\"http://earth.google.com/kml/2.1\">") == .track(.kml))
    #expect(
      kind("<Placemark><Point><coordinates>8,48</coordinates></Point></Placemark>") == .track(.kml))
    #expect(kind("Warning: a notice of a server\n<kml><Document>") == .track(.kml))
    #expect(kind("<!DOCTYPE html><html>") == .foreign("a web page"))
    #expect(kind([14, 0x10, 0, 0, 0, 0, 0, 0] + Array(".FIT".utf8)) == .track(.fit))
    #expect(kind("ALXV6MS\r\nHFDTE010524\r\nB1") == .track(.igc))
    #expect(kind("hello") == .unknown)
    #expect(kind("a\u{1}b <gpx>") == .unknown)
    #expect(
      "hello".utf8.withContiguousStorageIfAvailable {
        SourceFormat.detect(prefix: UnsafeRawBufferPointer($0))
      } == .some(nil))
  }

  @Test func `input that begins with blanks, or has no element yet, may still be GPX`() {
    let blanks = [UInt8](repeating: 0x20, count: ContentKind.prefixLength)
    #expect(kind(blanks) == .track(.gpx))
    #expect(kind(blanks.dropLast()) == .empty)
    let long = String(repeating: "y", count: ContentKind.prefixLength)
    #expect(kind("<?x \(long)?><gpx>") == .track(.gpx))
  }

  @Test func `detection of any bytes never traps`() {
    let samples = [
      Array(GPXSamples.many.utf8), Array("$GPGGA,1*".utf8),
      Array("<!DOCTYPE x [<!-- <? ' \" ]".utf8),
      [0xFF, 0xFE, 0x3C],
    ]
    for sample in samples {
      for length in 0...min(sample.count, 400) { _ = kind(Array(sample.prefix(length))) }
    }
  }

  @Test func `names with a track extension claim a track`() {
    #expect(SourceFormat(fileName: "a/b.c/Ride.GPX") == .gpx)
    #expect(SourceFormat(fileName: "x.gpx.") == .gpx)
    #expect(SourceFormat(fileName: ".gpx") == .gpx)
    #expect(SourceFormat(fileName: "log.nmea") == .nmea)
    #expect(SourceFormat(fileName: "log.nmea0183") == .nmea)
    for name in ["", ".", "gpx", "a.gpx/b", "a.txt", "a.log", "a.ubx", "a.gpx.gz", "a.gpxx"] {
      #expect(SourceFormat(fileName: name) == nil, "\(name)")
    }
  }
}

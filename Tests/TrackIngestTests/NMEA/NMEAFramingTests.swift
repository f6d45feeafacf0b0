import Geodesy
import Testing

@testable import TrackIngest

/// Finding sentences among the other content of logs.
@Suite struct NMEAFramingTests {
  let first = "GPGLL,4806.0,N,01130.0,E,100000,A"
  let second = "GPGLL,4806.1,N,01130.0,E,100001,A"

  @Test(arguments: [
    "\r\n", "\n", "\r", "", " \r\n", "\n\n", ",1714557600000\r\n", "\"\r\n", "\u{0}\u{0}\r\n",
  ])
  func `sentences with checksums may have any line end or none`(end: String) {
    #expect(decodeNMEA(sentence(first) + end + sentence(second) + end).fixes.count == 2)
  }

  @Test(arguments: [
    "\\s:rGP0001,c:1714557600*00\\", "<13>May  1 10:00:00 host gps: ", "2024-05-01T10:00:00Z,",
    "\"",
    "[12:00] ",
    "$", "$$", "GPS>", "\u{1}\u{2}\u{3}", "$GP", "$GPGGA,1000",
    "!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n",
  ])
  func `text before a sentence is ignored`(prefix: String) {
    let read = decodeNMEA(prefix + sentence(first) + "\r\n" + prefix + sentence(second) + "\r\n")
    #expect(read.fixes.count == 2)
  }

  @Test func `a sentence without checksum is read if its line ends`() {
    #expect(decodeNMEA("$\(first)\n$\(second)\n").fixes.count == 2)
    #expect(decodeNMEA("$\(first)*\r\n$\(second)*\r\n").fixes.count == 2)
    let cut = decodeNMEA("$\(first)\n$\(second)")
    #expect(cut.fixes.count == 1)
    #expect(cut.warnings == [.truncated])
  }

  @Test
  func `the last number of a sentence without checksum is ignored, since it may be truncated`() {
    // A GLL sentence that ends within its time, and a GGA sentence that ends within its HDOP.
    let read = decodeNMEA(
      "$GPGLL,4806.0,N,01130.0,E,100000\n$GPGGA,100001,4806.0,N,01130.0,E,1,08,2\n")
    #expect(read.fixes.map(\.horizontalAccuracyMeters) == [nil])
    #expect(decodeNMEA("$GPGLL,4806.0,N,01130\n").skips == [.invalidCoordinate])
  }

  @Test func `lowercase checksums match`() {
    #expect(sentence("GPGLL,4806.8,N,01130.0,E,100000,A").hasSuffix("*2A"))
    #expect(decodeNMEA("$GPGLL,4806.8,N,01130.0,E,100000,A*2a\r\n").fixes.count == 1)
  }

  @Test(arguments: ["*ZZ\r\n", "*6\r\n", "*6Z\n", "*hh"])
  func `a checksum that is not a number does not match`(end: String) {
    let read = decodeNMEA(log(second) + "$" + first + end)
    #expect(read.fixes.count == 1)
    #expect(read.skips == [.badChecksum])
  }

  @Test func `a wrong checksum is counted once per epoch without another position`() {
    func bad(_ body: String) -> String { sentence(body).dropLast(2) + "00\r\n" }
    let gga = "GPGGA,100000,4806.0,N,01130.0,E,1,08,0.9,5,M,,M,,"
    let rmc = "GPRMC,100000,A,4806.0,N,01130.0,E,1,2,010524,,"
    let later = log("GPGLL,4806.1,N,01130.0,E,100001,A")
    let earlier = log("GPGLL,4806.1,N,01130.0,E,095959,A")
    #expect(decodeNMEA(earlier + bad(gga) + bad(rmc) + later).skips == [.badChecksum])
    #expect(decodeNMEA(log(gga) + bad(rmc) + later).skips.isEmpty)
    #expect(decodeNMEA(bad(gga) + log(rmc) + later).skips.isEmpty)
    #expect(decodeNMEA(bad(gga) + log(rmc) + later).warnings == [.unreadable])
    let neverDated = decodeNMEA(log(gga) + bad(rmc))
    #expect(neverDated.times == ["-"])
    // Sentences without a fix or without a position lose nothing.
    #expect(
      decodeNMEA(later + bad("GPRMC,100002,V,,,,,,,010524,,,N") + bad("GPVTG,,,,,1,N,2,K")).skips
        .isEmpty)
  }

  @Test func `a wrong checksum of another position with an earlier time is counted`() {
    func bad(_ body: String) -> String { sentence(body).dropLast(2) + "00\r\n" }
    func gll(_ second: Int, _ minutes: String = "06.0") -> String {
      "GPGLL,48\(minutes),N,01130.0,E,10000\(second),A"
    }
    let start = log(gll(0), gll(1), gll(2))
    #expect(decodeNMEA(start + bad(gll(1, "07.0")) + log(gll(3))).skips == [.badChecksum])
    #expect(decodeNMEA(start + bad(gll(1)) + log(gll(3))).skips.isEmpty)
  }

  @Test func `the time of a sentence with a wrong checksum is ignored`() {
    // The first sentence was sent at 10:00:00 but reads 10:00:02: the fix of that time is not late.
    let wrong = sentence("GPGLL,4806.0,N,01130.0,E,100000,A")
      .replacing("100000", with: "100002")
    let read = decodeNMEA(
      log("GPGLL,4806.0,N,01130.0,E,095959,A") + wrong + "\n"
        + log("GPGLL,4806.1,N,01130.0,E,100001,A", "GPGLL,4806.2,N,01130.0,E,100002,A"))
    #expect(read.fixes.count == 3)
    #expect(read.skips == [.badChecksum])
  }

  @Test
  func `a sentence that starts within another is read, with a warning about the truncated one`() {
    let read = decodeNMEA(
      "$GPGGA,100000.00,4806.0,N," + sentence(second) + "\r\n$GPGGA,100002\u{0}\u{0}\n")
    #expect(read.fixes.count == 1)
    #expect(read.events.contains(.warning(.unreadable, line: 1)))
    #expect(read.events.contains(.warning(.unreadable, line: 2)))
  }

  @Test func `binary data between lines is ignored with one warning`() {
    let garbage = (0...255).map { UInt8($0) }.filter { $0 != UInt8(ascii: "$") }
    var bytes = Array(log(first).utf8)
    bytes += garbage + garbage
    bytes += Array(log(second).utf8)
    let read = decodeNMEA(pieces: [bytes])
    #expect(read.fixes.count == 2)
    #expect(read.events.last == .warning(.unreadable, line: 2))
    #expect(read.warnings.count == 1)
  }

  @Test(arguments: [1, 2, 3, 100, 399, 400, 401, 4_000, 100_000])
  func `a sentence without an end uses no memory`(length: Int) {
    let junk = "$GPGGA," + String(repeating: "1", count: length)
    let read = decodeNMEA(junk + sentence(first) + "\n")
    #expect(read.fixes.count == 1)
    #expect(read.warnings == [.unreadable])
  }

  @Test func `a sentence with too many fields is truncated`() {
    let read = decodeNMEA("$GPGLL" + String(repeating: ",1", count: 60) + "\n" + sentence(first))
    #expect(read.fixes.count == 1)
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `lines are counted from 1 for each kind of line end`(end: String) {
    let text = ["# a comment", sentence(first), "", sentence("GPGSV,1,1,00"), sentence(second)]
      .joined(
        separator: end)
    #expect(decodeNMEA(text).lines == [2, 5])
  }

  @Test func `line numbers are right after thousands of lines`() {
    let filler = String(repeating: "# 23456789012345678901234567890\r\n", count: 5_000)
    #expect(decodeNMEA(filler + log(first) + filler + log(second)).lines == [5_001, 10_002])
  }

  @Test(arguments: [
    ("", IngestError.Code.empty), (" \r\n\t", .empty), ("hello\n", .unknownFormat),
    ("<gpx/>", .unknownFormat),
    ("!AIVDM,1,1,,B,177KQJ5000G?tO`K>RA1wUbN0TKH,0*5C\r\n", .unknownFormat),
    ("$5.00 a piece\n", .unknownFormat),
    ("$GPGGA,1000", .malformed), ("$GPGLL,4806.0,N,01130.0,E,100000,A*00\r\n", .malformed),
  ])
  func `a file without a sentence is refused`(text: String, code: IngestError.Code) {
    let read = decodeNMEA(text)
    #expect(read.error?.code == code)
    #expect(read.fixes.isEmpty)
  }

  @Test(arguments: [
    "GPGSV,1,1,01,05,40,083,46", "GPTXT,01,01,02,hello", "PSRF103,00,01,00,01",
    "GPRMC,,V,,,,,,,,,,N",
  ])
  func `any sentence with a valid checksum makes a file NMEA`(body: String) {
    let read = decodeNMEA(log(body))
    #expect(read.error == nil)
    #expect(read.fixes.isEmpty)
  }

  @Test func `no message contains bytes of the file`() {
    let read = decodeNMEA(
      "\u{1B}[31m$GPGGA,\u{1B}$GPGLL,48\u{7}06.0,N\n" + log(first, "GPGLL,9999.0,N,0,E,100009,A"))
    #expect(!read.messages.isEmpty)
    for message in read.messages {
      #expect(message.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
    }
  }
}

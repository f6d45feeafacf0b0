import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// A fix record.
private func fix(
  _ time: String, _ latitude: String = "4806000N", _ longitude: String = "01130000E",
  _ rest: String = "A0051000520"
) -> String { "B" + time + latitude + longitude + rest }

/// Flight records: headers, fixes, midnights, damage.
@Suite struct IGCDecoderTests {
  private var decoder: IGCDecoder { IGCDecoder(now: readingTime) }

  private func decode(_ lines: String..., end: String = "\r\n") -> TrackRecorder {
    TrackRecorder(Array(lines.map { $0 + end }.joined().utf8), with: decoder)
  }

  private let recorder = "AXXXABC FLIGHT:1"
  private let date = "HFDTE010524"

  @Test func `a fix has time, position and height`() {
    let read = decode(recorder, date, fix("100000", "4806123N", "01130456W", "A0051000520"))
    #expect(
      read.fixes == [
        Fix(
          coordinate: Coordinate(48.10205, -11.5076),
          time: Timestamp(iso8601: "2024-05-01T10:00:00Z"),
          elevationMeters: 520)
      ])
    #expect(read.lines == [3])
    #expect((read.tracks, read.segments) == (1, 1))
    #expect(read.warnings.isEmpty)
    #expect(read.error == nil)
  }

  @Test(arguments: [
    "HFDTE010524", "HFDTEDATE:010524,01", "HFDTEDATE: 010524", "HFDTE:010524", "HODTE010524",
    "HPDTEDATE:010524", "hfdte010524", " HFDTE010524 ",
  ])
  func `a date may have any form`(header: String) {
    // Lower case is not a record of this standard, but its letters are clear.
    let read = decode(recorder, header.replacing("hf", with: "Hf"), fix("100000"))
    #expect(read.times == ["2024-05-01T10:00:00Z"])
    #expect(read.warnings.isEmpty)
  }

  @Test func `years of two digits are in this century if they can be`() {
    #expect(decode("HFDTE010199", fix("100000")).times == ["1999-01-01T10:00:00Z"])
    #expect(decode("HFDTE311225", fix("100000")).times == ["2025-12-31T10:00:00Z"])
    let impossible = decode(recorder, "HFDTE310224", fix("100000"))
    #expect(impossible.times == ["-"])
    #expect(impossible.codes == [.impossibleTime, .impossibleTime])
  }

  @Test func `midnight begins the next day, once`() {
    let over = decode(recorder, date, fix("235959"), fix("000001"), fix("000002"))
    #expect(
      over.times == ["2024-05-01T23:59:59Z", "2024-05-02T00:00:01Z", "2024-05-02T00:00:02Z"])
    let dated = decode(recorder, date, fix("235959"), "HFDTE020524", fix("000001"), fix("000002"))
    #expect(dated.times == over.times)
    let late = decode(recorder, date, fix("235958"), fix("000001"), fix("235959"), fix("000002"))
    #expect(
      late.times == [
        "2024-05-01T23:59:58Z", "2024-05-02T00:00:01Z", "2024-05-01T23:59:59Z",
        "2024-05-02T00:00:02Z",
      ])
    #expect(late.codes == [.timeBackwards])
    // A break of more than half a day is no midnight.
    #expect(
      decode(date, fix("010000"), fix("150000")).times
        == ["2024-05-01T01:00:00Z", "2024-05-01T15:00:00Z"])
  }

  @Test func `fixes without a date are kept without a time`() {
    let read = decode(recorder, fix("100000"), fix("100001"))
    #expect(read.times == ["-", "-"])
    #expect(read.codes == [.impossibleTime])
  }

  @Test func `an impossible time of day is ignored`() {
    let read = decode(recorder, date, fix("250000"), fix("106000"), fix("100060"))
    #expect(read.times == ["-", "-", "-"])
    #expect(read.codes == [.impossibleTime, .impossibleTime, .impossibleTime])
  }

  @Test func `validity V is no fix`() {
    let read = decode(
      recorder, date, fix("100000", "0000000N", "00000000E", "V0000000000"),
      fix("100001", "4806000N", "01130000E", "V0051000000"))
    #expect(read.skips == [.noFix, .noFix])
    #expect(read.codes == [.leftOut])
  }

  @Test(arguments: [
    fix("100000", "4860000N"), fix("100000", "9000001N"), fix("100000", "4806000N", "18000001E"),
    fix("100000", "4806000E"), fix("100000", "48060 0N"), fix("100000", "4806000N", "0113000E"),
    fix("1000", "4806000N"), fix("100000", "4806000N", "01130000E", "X0051000520"), "B", "B100000",
  ])
  func `a broken fix is skipped with a warning`(line: String) {
    let read = decode(recorder, date, line, fix("100001"))
    #expect(read.skips == [.invalidCoordinate])
    #expect(read.codes == [.unreadable])
    #expect(read.warnings.first?.line == 3)
    #expect(read.fixes.count == 1)
  }

  @Test func `the poles and the date line are positions`() {
    let read = decode(
      recorder, fix("100000", "9000000S", "18000000W"), fix("100000", "9000000N", "18000000E"))
    #expect(read.fixes.map(\.coordinate) == [Coordinate(-90, -180), Coordinate(90, -180)])
  }

  @Test func `extensions give accuracy, speed and more digits of minutes`() {
    let read = decode(
      recorder, date, "I053638FXA3939LAD4040LOD4143GSP4446ENL",
      fix("100000") + "00757036001", fix("100001") + "00000000002", fix("100002"))
    #expect(read.fixes.map(\.horizontalAccuracyMeters) == [7, nil, nil])
    #expect(read.fixes.map(\.speedMetersPerSecond) == [10, 0, nil])
    // 6.0005 and 30.0007 minutes.
    #expect(
      read.fixes.first?.coordinate == Coordinate(latitudeE7: 481_000_083, longitudeE7: 115_000_117))
    #expect(read.fixes.last?.coordinate == Coordinate(48.1, 11.5))
  }

  @Test(arguments: Seeds.sample(30))
  func `angles are the nearest unit of 1e-7 degree`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    for _ in 0..<50 {
      let degrees = Int.random(in: 0..<90, using: &random)
      let minutes = Int.random(in: 0..<60_000, using: &random)
      let more = Int.random(in: 0..<100, using: &random)
      func text(_ value: Int, _ digits: Int) -> String {
        String(repeating: "0", count: digits - String(value).count) + String(value)
      }
      let read = decode(
        "I013637LAD",
        fix("100000", text(degrees, 2) + text(minutes, 5) + "N") + text(more, 2))
      let units = (Double(degrees) + Double(minutes * 100 + more) / 6_000_000) * 1e7
      let found = Double(read.fixes.first?.coordinate.latitudeE7 ?? 0)
      #expect(abs(found - units) <= 0.5 + 1e-6)
    }
  }

  @Test func `without a height by satellite, the one by pressure is read`() {
    let read = decode(
      recorder, fix("100000", "4806000N", "01130000E", "A-001200000"),
      fix("100001", "4806000N", "01130000E", "A00510-0020"),
      fix("100002", "4806000N", "01130000E", "A"))
    #expect(read.fixes.map(\.elevationMeters) == [-12, -20, nil])
  }

  @Test func `a gap of more than 300 seconds begins a segment, another recorder a track`() {
    let read = decode(recorder, date, fix("100000"), fix("100500"), fix("101001"))
    #expect((read.tracks, read.segments) == (1, 2))
    let two = decode(recorder, date, fix("100000"), recorder, "HFDTE020524", fix("100000"))
    #expect((two.tracks, two.segments) == (2, 2))
    #expect(two.times == ["2024-05-01T10:00:00Z", "2024-05-02T10:00:00Z"])
  }

  @Test func `other records, long lines and binary data are ignored`() {
    let read = decode(
      recorder, date, "LXXX a comment", "C0105241000000105240001", "E100000PEV", "\u{1}\u{0}",
      "L" + String(repeating: "x", count: 100_000), fix("100000"), "GABCDEF0123456789")
    #expect(read.fixes.count == 1)
    #expect(read.lines == [8])
    #expect(read.warnings.isEmpty)
  }

  @Test func `a file truncated at any byte gives exactly the complete fixes before the cut`() {
    let lines = [recorder, date] + (0..<5).map { fix("10000\($0)", "480600\($0)N") }
    let bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)
    let all = TrackRecorder(bytes, with: decoder).fixes.map(\.coordinate)
    for length in 0...bytes.count {
      let read = TrackRecorder(Array(bytes.prefix(length)), with: decoder)
      #expect(
        read.fixes.map(\.coordinate) == Array(all.prefix(read.fixes.count)), "cut at \(length)")
    }
    let cut = expectSame(Array(bytes.dropLast(20)), inAnyPiecesWith: decoder)
    #expect(cut.fixes.count == 4)
    #expect(cut.codes == [.truncated])
  }

  @Test(arguments: ["\n", "\r\n", "\r"])
  func `lines may have any end`(end: String) {
    let read = decode(recorder, date, "", fix("100000"), fix("100001"), end: end)
    #expect(read.lines == [4, 5])
  }

  @Test(arguments: Seeds.sample(100))
  func `a damaged file gives the same result in pieces of any size`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let lines = [recorder, date, "I023638FXA3939LAD"] + (0..<6).map { fix("10000\($0)") + "0075" }
    var bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      bytes[Int.random(in: bytes.indices, using: &random)] =
        Array("\r\n\0B9NEAH \u{FF}".utf8).randomElement(using: &random) ?? 0
    }
    expectSame(bytes, inAnyPiecesWith: decoder)
  }

  @Test func `UTF-16 is read`() {
    let text = [recorder, date, fix("100000")].map { $0 + "\r\n" }.joined()
    let bytes: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(TrackRecorder(bytes, with: decoder).times == ["2024-05-01T10:00:00Z"])
  }

  @Test(arguments: [
    ("", IngestError.Code.empty), (" \r\n", .empty), ("hello\n", .unknownFormat),
    ("B100000\n", .unknownFormat), ("HFDTM100\n", .unknownFormat),
  ])
  func `other text is refused`(text: String, code: IngestError.Code) {
    let read = TrackRecorder(Array(text.utf8), with: decoder)
    #expect(read.error?.code == code)
    #expect(read.events.isEmpty)
  }

  @Test func `a flight without fixes says so`() {
    let read = decode(recorder, date, "GABC")
    #expect(read.error == nil)
    #expect(read.codes == [.leftOut])
  }
}

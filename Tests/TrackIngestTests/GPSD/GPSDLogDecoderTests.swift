import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// Logs of gpsd's messages as files.
@Suite struct GPSDLogDecoderTests {
  /// 2026-01-01T00:00:00Z, the current time of these tests.
  private static let now = Timestamp(millisecondsSince1970: 1_767_225_600_000)

  private func decode(_ text: String) -> TrackRecorder {
    TrackRecorder(Array(text.utf8), with: GPSDLogDecoder(now: Self.now))
  }

  private static func report(
    _ second: Int64, mode: Int = 3, latitude: String = "48.5", device: String = "/dev/a"
  ) -> String {
    let time = Timestamp(millisecondsSince1970: 1_748_779_200_000 + second * 1_000).iso8601
    return #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"time":"\#(time)","#
      + #""lat":\#(latitude),"lon":11.25,"altMSL":520.5,"speed":1.5}"#
  }

  /// A log with most kinds of messages, lines of other kinds, and a gap.
  private static let log = [
    #"{"class":"VERSION","release":"3.25","proto_major":3}"#,
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"}]}"#,
    #"{"class":"TPV","device":"/dev/a","mode":1}"#,
    #"{"class":"TPV","device":"/dev/a","mode":2,"lat":48.5,"lon":11.25}"#,
    report(0), report(0), "a note", report(1, latitude: "48.501"),
    #"{"class":"SKY","uSat":4,"nSat":9}"#, report(2, device: "/dev/b"),
    #"{"class":"TPV","device":"/dev/a","mode":3,"time":"2025-06-01T12:00:03Z","lat":91,"lon":1}"#,
    report(400, latitude: "48.51"), #"{"class":"TPV","mode":3,"lat":"#,
    #"{"class":"GST","device":"/dev/a","time":"2025-06-01T12:06:41Z","lat":3,"lon":4}"#,
    report(401, latitude: "48.52"), report(390, latitude: "48.53"),
  ].joined(separator: "\r\n")

  @Test func `every report is a fix, a skipped position or nothing new`() {
    let found = decode(Self.log + "\n")
    #expect(found.error == nil && found.tracks == 1 && found.segments == 2)
    #expect(found.lines == [5, 8, 12, 15, 16])
    #expect(found.fixes.map(\.coordinate.latitudeDegrees) == [48.5, 48.501, 48.51, 48.52, 48.53])
    #expect(found.fixes[0].elevationMeters == 520.5 && found.fixes[0].speedMetersPerSecond == 1.5)
    #expect(found.fixes.map(\.horizontalAccuracyMeters) == [nil, nil, nil, 5, nil])
    #expect(found.skips == [.noFix, .invalidCoordinate])
    #expect(found.codes == [.unreadable, .timeBackwards, .leftOut])
    #expect(found.warnings.map(\.line) == [13, 16, 4])
  }

  @Test func `pieces of any size give the same events`() {
    expectSame(Array(Self.log.utf8), inAnyPiecesWith: GPSDLogDecoder(now: Self.now))
  }

  @Test func `a log that is cut at any byte gives the fixes of its complete messages`() {
    let bytes = Array(Self.log.utf8)
    let whole = decode(Self.log)
    let lines = Self.log.split(separator: "\r\n").map { Array($0.utf8) }
    for end in bytes.indices {
      let cut = TrackRecorder(Array(bytes[..<end]), with: GPSDLogDecoder(now: Self.now))
      // The messages whose closing brace is there; the one of line 13 has none.
      var complete = 0
      var position = 0
      for (index, line) in lines.enumerated() {
        if position + line.count <= end { complete = index + 1 }
        position += line.count + 2
      }
      let expected = zip(whole.lines, whole.fixes).filter { $0.0 <= complete }.map(\.1)
      #expect(cut.fixes == expected, "cut at \(end)")
      if end > 0, complete == 0 { #expect(cut.error?.code == .malformed, "cut at \(end)") }
      if complete > 0 { #expect(cut.error == nil) }
    }
    #expect(decode(String(Self.log.dropLast(3))).codes.contains(.truncated))
  }

  @Test(arguments: Seeds.sample(40))
  func `a log gives the fixes and segments of the same stream live`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var text = ""
    var second: Int64 = 0
    for _ in 0..<80 {
      second += Bool.random(using: &random) ? 1 : Int64.random(in: -3...700, using: &random)
      let latitude = ["48.5", "48.6", "NaN", "91", "-3.25"].randomElement(using: &random) ?? ""
      let device = Int.random(in: 0..<5, using: &random) == 0 ? "/dev/b" : "/dev/a"
      var line = Self.report(
        second, mode: Int.random(in: 1...3, using: &random), latitude: latitude, device: device)
      if Int.random(in: 0..<10, using: &random) == 0 { line.removeLast(20) }
      if Int.random(in: 0..<10, using: &random) == 0 {
        line.replace("\"time\"", with: "\"other\"")
      }
      text += line + (Bool.random(using: &random) ? "\n" : "\r\n")
    }
    let file = decode(text)
    var live = LiveDecoder(.any, now: Self.now)
    let events = Array(text.utf8).withUnsafeBytes { live.decode($0, now: Self.now) } + live.finish()
    var (fixes, segments) = ([Fix](), [Int]())
    for event in events {
      switch event {
      case .gap: segments.append(fixes.count)
      case .fix(let fix): fixes.append(fix)
      default: break
      }
    }
    #expect(fixes == file.fixes)
    var (count, starts) = (0, [Int]())
    for event in file.events {
      if case .fix = event { count += 1 }
      if event == .segment, count > 0 { starts.append(count) }
    }
    #expect(starts == segments)
  }

  @Test func `a complete message without a line end is read, live too`() {
    let text = Self.report(0) + "\n" + Self.report(10, latitude: "48.6")
    var live = LiveDecoder(.any, now: Self.now)
    let events = Array(text.utf8).withUnsafeBytes { live.decode($0, now: Self.now) } + live.finish()
    #expect(events == decode(text).fixes.map { .fix($0) } && events.count == 2)
  }

  @Test func `the first fix decides between messages and sentences`() {
    let sentence = "$GPRMC,120000,A,4807.000,N,01131.000,E,022.4,084.4,010625,,,A*76\r\n"
    let version = #"{"class":"VERSION","release":"3.25","proto_major":3}"# + "\n"
    let sentenceFirst = Array((version + sentence + Self.report(10) + "\n").utf8)
    let read = expectSame(sentenceFirst, inAnyPiecesWith: GPSDLogDecoder(now: Self.now))
    #expect(read.fixes.map(\.coordinate.longitudeDegrees) == [11 + 31.0 / 60].map { rounded($0) })
    let messageFirst = Array((version + Self.report(10) + "\n" + sentence).utf8)
    let other = expectSame(messageFirst, inAnyPiecesWith: GPSDLogDecoder(now: Self.now))
    #expect(other.fixes.map(\.coordinate.longitudeDegrees) == [11.25] && other.codes == [])
  }

  /// A number of degrees as a coordinate stores it.
  private func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }

  @Test func `UTF-16 as PowerShell writes it gives the same fixes`() {
    let little: [UInt8] =
      [0xFF, 0xFE] + Self.log.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let found = TrackRecorder(little, with: GPSDLogDecoder(now: Self.now))
    #expect(found.events == decode(Self.log).events)
    var reader = TrackReader(now: Self.now)
    little.withUnsafeBytes { reader.read($0) }
    let report = reader.finish()
    #expect(report.format == .gpsd && report.error == nil && report.points == 5)
  }

  @Test(arguments: [
    ("\"1969-12-31T23:59:59Z\"", "A time is before 1970; it was ignored."),
    ("\"2026-01-03T00:00:00Z\"", "A time is in the future; it was ignored."),
    ("\"noon\"", "A time is impossible; it was ignored."),
    ("0", "A time is impossible; it was ignored."),
  ])
  func `a fix with an impossible time is kept without it, with a warning`(
    time: String, message: String
  ) {
    let line = #"{"class":"TPV","device":"/dev/a","mode":2,"time":\#(time),"lat":1,"lon":2}"#
    let found = decode(Self.report(0) + "\n" + line + "\n" + Self.report(1) + "\n")
    #expect(found.fixes.map { $0.time == nil } == [false, true, false])
    #expect(found.warnings.map(\.message) == [message])
    #expect(found.codes == [.impossibleTime] && found.warnings.first?.line == 2)
    #expect(found.segments == 1)
  }

  @Test func `a repeated report with an impossible time is no report without a time`() {
    let line = #"{"class":"TPV","mode":2,"time":"1960-01-01T00:00:00Z","lat":1,"lon":2}"# + "\n"
    let found = decode(line + line)
    #expect(found.fixes.count == 1 && found.codes == [.impossibleTime])
  }

  @Test func `a log without positions is read, and other JSON lines are refused`() {
    let nothing = decode(#"{"class":"VERSION","release":"3.25"}"#)
    #expect(nothing.error == nil && nothing.codes == [.leftOut] && nothing.events.count == 1)
    let undated = decode(#"{"class":"TPV","mode":3,"lat":1,"lon":2}"#)
    #expect(undated.error == nil && undated.fixes.isEmpty && undated.codes == [.leftOut])
    #expect(decode("{\"a\":1}\n").error?.code == .unknownFormat)
    #expect(decode("").error?.code == .unknownFormat)
  }
}

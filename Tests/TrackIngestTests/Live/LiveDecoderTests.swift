import Foundation
import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// 2026-01-01T00:00:00Z, the current time of these tests.
private let now = Timestamp(millisecondsSince1970: 1_767_225_600_000)

extension LiveDecoder {
  fileprivate mutating func decode(_ text: String, at time: Timestamp = now) -> [ReceiverEvent] {
    Array(text.utf8).withUnsafeBytes { decode($0, now: time) }
  }
}

extension [ReceiverEvent] {
  fileprivate var fixes: [Fix] {
    compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
  }
}

@Suite struct LiveDecoderTests {
  private let start = Coordinate(48, 11)

  @Test(arguments: Seeds.sample(100))
  func `a log that arrives in pieces gives the fixes and segments of the file`(seed: UInt64) {
    var generator = NMEALogGenerator(seed: seed)
    let bytes = generator.log(epochs: 40)
    let file = decodeNMEA(pieces: [bytes])
    var decoder = LiveDecoder(.any, now: now)
    var events: [ReceiverEvent] = []
    var position = 0
    while position < bytes.count {
      let end = min(bytes.count, position + Int.random(in: 1...200, using: &generator.random))
      events += Array(bytes[position..<end]).withUnsafeBytes { decoder.decode($0, now: now) }
      position = end
    }
    events += decoder.finish()
    #expect(events.fixes == file.fixes)
    #expect(events.count { $0 == .gap } == max(0, file.segments - 1))
    let skips = events.compactMap { if case .noFix(let reason) = $0 { reason } else { nil } }
    #expect(skips == file.skips)
  }

  @Test(arguments: ["2022-11-05-tokyo-walk.nmea", "2025-05-17-iceland-drive.nmea"])
  func `a silence after each epoch changes nothing`(name: String) throws {
    let text = try String(contentsOfFile: PackageFolder.sample(name), encoding: .utf8)
    let whole = decodeNMEA(text)
    var decoder = LiveDecoder(.any, now: now)
    var events: [ReceiverEvent] = []
    var time: Substring?
    for line in text.split(separator: "\r\n", omittingEmptySubsequences: true) {
      let field = line.split(separator: ",", omittingEmptySubsequences: false).dropFirst().first
      if let field, field.count >= 6, field != time,
        field.allSatisfy({ $0.isNumber || $0 == "." })
      {
        if decoder.awaitsMore { events += decoder.silence(now: now) }
        time = field
      }
      events += decoder.decode(line + "\r\n")
    }
    events += decoder.finish()
    #expect(events.fixes.count > 100 && events.fixes == whole.fixes)
  }

  @Test func `an epoch is complete after a silence, and what comes late is ignored`() {
    var decoder = LiveDecoder(.any, now: now)
    let epoch = TrackText.nmeaEpoch(0, from: start)
    #expect(decoder.decode(epoch).isEmpty && decoder.awaitsMore)
    let events = decoder.silence(now: now)
    #expect(events.fixes.count == 1 && !decoder.awaitsMore)
    #expect(events.fixes.first?.time?.iso8601.hasPrefix("2024-05-01T10:00:00") == true)
    #expect(decoder.silence(now: now).isEmpty)
    #expect(decoder.decode(epoch).isEmpty && !decoder.awaitsMore)
    // The next epoch completes the one before without a silence.
    #expect(decoder.decode(TrackText.nmeaEpoch(1, from: start)).isEmpty)
    #expect(decoder.decode(TrackText.nmeaEpoch(2, from: start)).fixes.count == 1)
  }

  /// GGA sentences alone have no date.
  private func undated(_ time: String) -> String {
    TrackText.sentence("GPGGA,\(time),4800.0000,N,01100.0000,E,1,08,1.0,120.0,M,46.9,M,,")
  }

  @Test(arguments: [
    ("000500", "2026-01-01T00:05:00"), ("235930", "2025-12-31T23:59:30"),
    ("001001", nil), ("120000", nil),
  ])
  func `a receiver without a date gets that of the computer if their clocks agree`(
    time: String, expected: String?
  ) {
    var decoder = LiveDecoder(.any, now: now)
    _ = decoder.decode(undated(time))
    let fixes = decoder.silence(now: now).fixes
    #expect(fixes.count == 1)
    #expect((fixes.first?.time?.iso8601).map { String($0.prefix(19)) } == expected)
  }

  @Test func `the log at its end never gets a date of the computer`() {
    var decoder = LiveDecoder(.any, now: now)
    _ = decoder.decode(undated("000500"))
    let fixes = decoder.finish().fixes
    #expect(fixes.count == 1 && fixes.first?.time == nil)
  }

  @Test func `a lost connection discards half a sentence and keeps the epoch`() {
    var decoder = LiveDecoder(.any, now: now)
    let first = TrackText.nmeaEpoch(0, from: start)
    #expect(decoder.decode(first + "$GPGGA,100010,48").isEmpty)
    #expect(decoder.breakOff(now: now).fixes.count == 1)
    _ = decoder.decode(TrackText.nmeaEpoch(2, from: start))
    #expect(decoder.silence(now: now).fixes.count == 1)
  }

  @Test func `a receiver that runs for days stays in time`() {
    var decoder = LiveDecoder(.any, now: now)
    let later = Timestamp(millisecondsSince1970: now.millisecondsSince1970 + 5 * 86_400_000)
    let body = "GPRMC,101112,A,4800.0000,N,01100.0000,E,9.7,45.0,060126,,,A"
    _ = decoder.decode(TrackText.sentence(body), at: later)
    #expect(decoder.silence(now: later).fixes.first?.time?.iso8601.hasPrefix("2026-01-06") == true)
    let report =
      #"{"class":"TPV","mode":3,"time":"2026-01-06T10:11:12Z","lat":48,"lon":11}"# + "\n"
    var gpsd = LiveDecoder(.gpsd, now: now)
    #expect(gpsd.decode(report, at: later).fixes.first?.time != nil)
    var early = LiveDecoder(.gpsd, now: now)
    #expect(early.decode(report).fixes.map(\.time) == [nil], "the time is impossible")
  }

  private func tpv(minute: Int) -> String {
    #"{"class":"TPV","mode":3,"time":"2025-06-01T12:\#(minute < 10 ? "0" : "")\#(minute):00Z","#
      + #""lat":48,"lon":11}"# + "\n"
  }

  @Test func `gpsd gives a gap after five minutes, like a log`() {
    var decoder = LiveDecoder(.gpsd, now: now)
    let events = decoder.decode([0, 5, 11].map(tpv(minute:)).joined())
    let names = events.map { if case .fix = $0 { "fix" } else { "gap" } }
    #expect(names == ["fix", "fix", "gap", "fix"])
  }

  @Test func `a stream of both languages gives each fix once`() {
    let both = (0..<10).map { tpv(minute: $0) + TrackText.nmeaEpoch($0, from: start) }.joined()
    var any = LiveDecoder(.any, now: now)
    #expect((any.decode(both) + any.silence(now: now)).fixes.count >= 10)
    var pieces = LiveDecoder(.any, now: now)
    var fixes: [Fix] = []
    for line in both.split(separator: "\n") { fixes += pieces.decode(line + "\n").fixes }
    #expect(fixes.count == 10)
    var gpsd = LiveDecoder(.gpsd, now: now)
    #expect(gpsd.decode(both).fixes.count == 10 && !gpsd.awaitsMore)
    var nmea = LiveDecoder(.nmea, now: now)
    #expect((nmea.decode(both) + nmea.silence(now: now)).fixes.count == 10)
  }

  @Test func `news of gpsd become events`() {
    var decoder = LiveDecoder(.gpsd, now: now)
    let events = decoder.decode(
      """
      {"class":"VERSION","release":"3.25"}
      {"class":"DEVICES","devices":[]}
      {"class":"SKY","uSat":3,"nSat":7}
      {"class":"SKY","satellites":[]}
      {"class":"ERROR","message":"no"}
      {"class":"TPV","mode":1}

      """)
    #expect(
      events == [
        .program("gpsd 3.25"), .devices([]), .satellites(used: 3, seen: 7), .error("no"),
        .noFix(.noFix),
      ])
  }
}

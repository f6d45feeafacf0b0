import Geodesy
import Testing

@testable import TrackIngest

/// Times, dates, epochs and segments.
@Suite struct NMEAEpochTests {
  private func gga(_ time: String, _ minutes: String = "06.0", talker: String = "GP") -> String {
    "\(talker)GGA,\(time),48\(minutes),N,01130.0,E,1,08,0.9,5,M,,M,,"
  }
  private func rmc(
    _ time: String, _ date: String, _ minutes: String = "06.0", talker: String = "GP"
  )
    -> String
  {
    "\(talker)RMC,\(time),A,48\(minutes),N,01130.0,E,1,2,\(date),,"
  }

  @Test func `the new date may come after the first position of the day`() {
    let read = decodeNMEA(
      log(
        gga("235959"), rmc("235959", "010524"), gga("000000"), rmc("000000", "020524"),
        gga("000001"),
        rmc("000001", "020524")))
    #expect(read.times == ["2024-05-01T23:59:59Z", "2024-05-02T00:00:00Z", "2024-05-02T00:00:01Z"])
    #expect(read.segments == 1)
    #expect(read.warnings.isEmpty)
  }

  @Test func `midnight begins the next day without a new date`() {
    let read = decodeNMEA(log(rmc("235958", "310524"), gga("235959"), gga("000000"), gga("000001")))
    #expect(read.times.last == "2024-06-01T00:00:01Z")
    #expect(read.segments == 1)
  }

  @Test func `epochs before the first date take it, also across midnight`() {
    let read = decodeNMEA(
      log(gga("235958"), gga("235959.5"), gga("000000"), rmc("000001", "010324")))
    #expect(
      read.times == [
        "2024-02-29T23:59:58Z", "2024-02-29T23:59:59.500Z", "2024-03-01T00:00:00Z",
        "2024-03-01T00:00:01Z",
      ])
    let zda = decodeNMEA(log(gga("100000"), gga("100001"), "GPZDA,100002,09,03,2019,00,00"))
    #expect(zda.times == ["2019-03-09T10:00:00Z", "2019-03-09T10:00:01Z"])
  }

  @Test func `a log without dates is undated, and the number of buffered epochs is bounded`() {
    let count = NMEAAssembler.mostUndated + 50
    let times = (0..<count).map { 100_000 + $0 / 60 * 100 + $0 % 60 }
    let read = decodeNMEA(times.map { log(gga(String($0))) }.joined())
    #expect(read.fixes.count == count)
    #expect(read.fixes.allSatisfy { $0.time == nil })
    #expect(MemoryLayout<NMEAEpoch>.stride * NMEAAssembler.mostUndated < 60_000)
    // A later line with a date is too late for epochs already reported, and dates the rest.
    var recorder = NMEARecorder()
    var decoder = NMEADecoder(now: readingTime)
    Array(times.map { log(gga(String($0))) }.joined().utf8).withUnsafeBytes {
      decoder.decode($0, into: &recorder)
    }
    #expect(recorder.fixes.count == count - 1)
    Array(log(rmc("110000", "010524")).utf8).withUnsafeBytes { decoder.decode($0, into: &recorder) }
    _ = decoder.finish(into: &recorder)
    #expect(recorder.fixes.count == count + 1)
    #expect(recorder.times.last == "2024-05-01T11:00:00Z")
  }

  @Test func `ZDA gives the date`() {
    let read = decodeNMEA(log("GPZDA,235959,31,12,2023,00,00", gga("235959"), gga("000000")))
    #expect(read.times == ["2023-12-31T23:59:59Z", "2024-01-01T00:00:00Z"])
  }

  @Test func `the date of a receiver without a fix is used until a valid one follows`() {
    let void = "GPRMC,100000,V,,,,,,,060180,,,N"
    let read = decodeNMEA(log(void, gga("100001"), rmc("100002", "010524"), void, gga("100003")))
    #expect(read.times == ["1980-01-06T10:00:01Z", "2024-05-01T10:00:02Z", "2024-05-01T10:00:03Z"])
  }

  @Test func `a two-digit year gets the century that is possible`() {
    let read = decodeNMEA(
      log(
        rmc("100000", "010199"), rmc("100001", "010180"), rmc("100002", "010179"),
        rmc("100003", "010100")))
    #expect(read.times.map { String($0.prefix(4)) } == ["1999", "1980", "1979", "2000"])
  }

  @Test func `impossible dates and times are ignored with a warning`() {
    // 2026-01-02 is not more than a day after the reading time; 2026-01-03 is.
    let read = decodeNMEA(
      log(
        rmc("100000", "310224"), rmc("250000", "010524"), rmc("abc", "010524"),
        rmc("106000", "010524"),
        rmc("100060", "010524"), rmc("100001", "01052"), rmc("000000", "020126"),
        rmc("100002", "030126")))
    #expect(read.times == ["-", "-", "-", "-", "-", "-", "2026-01-02T00:00:00Z", "-"])
    #expect(read.warnings.filter { $0 == .impossibleTime }.count == 7)
  }

  @Test func `a leap second is a valid time`() {
    let read = decodeNMEA(
      log(rmc("235959", "311216"), rmc("235960", "311216"), rmc("000000", "010117")))
    #expect(read.times == ["2016-12-31T23:59:59Z", "2017-01-01T00:00:00Z", "2017-01-01T00:00:00Z"])
  }

  @Test func `fractions of seconds keep fixes apart and are truncated to milliseconds`() {
    let read = decodeNMEA(
      log(rmc("100000.1", "010524"), rmc("100000.2009", "010524"), rmc("100000.", "010524")))
    #expect(
      read.times == [
        "2024-05-01T10:00:00.100Z", "2024-05-01T10:00:00.200Z", "2024-05-01T10:00:00Z",
      ])
    #expect(read.warnings == [.timeBackwards])
  }

  @Test func `a clock that is set back gives a warning, even by more than the longest gap`() {
    let read = decodeNMEA(
      log(
        rmc("110000", "010524"), rmc("100000", "010524"), rmc("100001", "010524"),
        rmc("100002", "300424")))
    #expect(
      read.times == [
        "2024-05-01T11:00:00Z", "2024-05-01T10:00:00Z", "2024-05-01T10:00:01Z",
        "2024-04-30T10:00:02Z",
      ])
    #expect(read.segments == 3)
    #expect(read.warnings == [.timeBackwards, .timeBackwards])
  }

  @Test func `a log without any position gives a warning`() {
    let read = decodeNMEA("$GPZDA,100000,01,05,2024,00,00\r\n$GPVTG,1,T,,M,2,N,3,K\r\n")
    #expect(read.error == nil)
    #expect(read.fixes.isEmpty && read.skips.isEmpty)
    #expect(read.warnings == [.leftOut])
  }

  @Test func `a late sentence does not create a second fix`() {
    let read = decodeNMEA(
      log(
        rmc("100000", "010524"), gga("100001"), gga("100000", "07.0"), rmc("100001", "010524"),
        gga("100002"))
    )
    #expect(read.fixes.count == 3)
    #expect(read.fixes.allSatisfy { $0.coordinate == Coordinate(48.1, 11.5) })
    #expect(read.warnings.isEmpty)
  }

  @Test func `another position of a receiver whose clock is set back is another fix`() {
    let read = decodeNMEA(
      log(
        rmc("100000", "010524"), rmc("100001", "010524", "07.0"), rmc("100002", "010524", "08.0"),
        rmc("100001", "010524", "09.0"), gga("100001", "09.01"), rmc("100002", "010524", "10.0"),
        rmc("100003", "010524", "11.0")))
    #expect(read.fixes.count == 6)
    #expect(
      read.times.map { String($0.suffix(3)) } == ["00Z", "01Z", "02Z", "01Z", "02Z", "03Z"])
    #expect(read.segments == 1)
    #expect(read.warnings == [.timeBackwards])
    let undated = decodeNMEA(log(gga("100000"), gga("100001", "07.0"), gga("100000", "08.0")))
    #expect(undated.fixes.count == 3)
  }

  @Test func `a repeated position of a moment is no other fix`() {
    let epoch = log(rmc("100000", "010524", "06.05"), gga("100000", "06.049"))
    let read = decodeNMEA(epoch + log(rmc("100001", "010524", "07.0")) + epoch)
    #expect(read.fixes.count == 2)
    #expect(read.warnings.isEmpty)
  }

  @Test func `a late position of a moment that had no fix is a fix`() {
    let void = "GPGGA,100000,,,,,0,,,,M,,M,,"
    let read = decodeNMEA(log(void, gga("100001"), gga("100000", "07.0"), gga("100002")))
    #expect(read.fixes.count == 3)
    #expect(read.skips == [.noFix])
  }

  @Test func `late sentences of a second receiver do not create fixes`() {
    let text = (0..<5).map { second in
      log(rmc("10000\(second)", "010524"))
        + (second == 0 ? "" : log(rmc("10000\(second - 1)", "010524", "12.0", talker: "GN")))
    }
    let read = decodeNMEA(text.joined())
    #expect(read.fixes.count == 5)
    #expect(read.warnings.isEmpty)
  }

  @Test func `a talker with a stopped clock does not split the log`() {
    let stopped = "APGLL,4806.0,N,01130.0,E,094500,A"
    let read = decodeNMEA(
      (0..<50).map { log(rmc(String(100_000 + $0), "010524"), stopped) }.joined())
    #expect(read.fixes.count == 51)
    #expect(read.segments == 3)
  }

  @Test func `the same time of day on another date is another fix`() {
    let read = decodeNMEA(
      log(rmc("120000", "010524"), rmc("120000", "020524"), rmc("120000", "030524")))
    #expect(read.fixes.count == 3)
    #expect(read.segments == 3)
  }

  @Test func `sentences without a time form an epoch until a kind repeats`() {
    let read = decodeNMEA(
      log("GPGGA,,,,,,0,,,,M,,M,,", "GPRMC,,V,,,,,,,,,,N", "GPGGA,,,,,,0,,,,M,,M,,", "GPGLL,,,,,,V")
    )
    #expect(read.skips == [.noFix, .noFix])
    let timed = decodeNMEA(
      log("GPGLL,4806.0,N,01130.0,E", gga("100000"), "GPGLL,4806.1,N,01130.0,E", gga("100001")))
    #expect(timed.fixes.map { Int($0.coordinate.latitudeE7) } == [481_000_000, 481_016_667])
  }

  @Test
  func `an epoch without a fix is skipped once, and a contradictory one is kept with a warning`() {
    let void = log(
      "GPGGA,100000,,,,,0,,,,M,,M,,", "GPRMC,100000,V,,,,,,,010524,,,N", "GPGLL,,,,,100000,V")
    #expect(decodeNMEA(void).skips == [.noFix])
    let mixed = decodeNMEA(log(gga("100000"), "GPRMC,100000,V,,,,,,,010524,,,N"))
    #expect(mixed.fixes.count == 1)
    #expect(mixed.skips.isEmpty)
    #expect(mixed.warnings == [.repaired])
  }

  @Test func `two receivers in one log do not produce a zigzag`() {
    var text = ""
    for second in 0..<9 {
      let pair = [
        rmc("10000\(second)", "010524"), rmc("10000\(second)", "010524", "12.0", talker: "GN"),
      ]
      text += (second % 2 == 0 ? pair : pair.reversed()).map { log($0) }.joined()
    }
    let read = decodeNMEA(text)
    #expect(read.fixes.count == 9)
    #expect(Set(read.fixes.map(\.coordinate)).count == 1)
  }

  @Test func `a time jump longer than the longest gap starts a segment, in either direction`() {
    let read = decodeNMEA(
      log(
        rmc("100000", "010524"), rmc("100500", "010524"), rmc("101001", "010524"),
        rmc("100501", "010524"),
        rmc("100500.5", "010524"), rmc("100501", "020524")))
    let kinds = read.events.map { event -> Character in
      switch event {
      case .track: "t"
      case .segment: "s"
      case .fix: "f"
      case .skip: "k"
      case .warning: "w"
      }
    }
    // 300 s is not a gap and 301 s is; 300 s back gives a warning but is not a gap; a day is a gap.
    #expect(String(kinds) == "tsffsfwfwfsf")
    #expect(NMEADecoder.longestGapSeconds == 300)
  }

  @Test func `without dates, segments depend on the time of day, also around midnight`() {
    let read = decodeNMEA(log(gga("235900"), gga("000100"), gga("001000")))
    #expect(read.segments == 2)
  }
}

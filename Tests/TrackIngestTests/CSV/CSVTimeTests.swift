import Geodesy
import Testing

@testable import TrackIngest

/// Times of tables.
@Suite struct CSVTimeTests {
  private func decode(_ header: String, _ rows: String...) -> TrackRecorder {
    let text = "lat;lon;\(header)\n" + rows.map { "1;2;\($0)\n" }.joined()
    return TrackRecorder(Array(text.utf8), with: CSVDecoder(now: readingTime))
  }

  @Test(arguments: [
    "2024-05-01T10:00:00Z", "2024-05-01 10:00:00", "2024-05-01T12:00:00+02:00", "1714557600",
    "1714557600.0", "1714557600000", "1714557600000000", "1714557600000000000", "2024/05/01 10:00",
    "2024.5.1 10:00:00", "01.05.2024 10:00:00", "20240501T100000Z", "\"2024-05-01T10:00:00Z\"",
    "2024-05-01 10:00:00.000000 +00:00", "2024-05-01 10:00:00 UTC", "1714557600,0",
  ])
  func `a moment may have any form whose order is certain`(text: String) {
    for name in ["time", "timestamp", "Datetime", "tracked_at", "Date", "Zeit", "timestamp_epoch"] {
      let read = decode(name, text)
      #expect(read.times == ["2024-05-01T10:00:00Z"], "\(name)")
      #expect(read.warnings.isEmpty)
    }
  }

  @Test func `date and time may be two columns`() {
    #expect(decode("Date;Time", "2024/05/01;10:00:00").times == ["2024-05-01T10:00:00Z"])
    #expect(
      decode("TIME;DATE", "10:00:00.250;2024-05-01").times == ["2024-05-01T10:00:00.250Z"])
    #expect(decode("Datum;Uhrzeit", "1.5.2024;10:00").times == ["2024-05-01T10:00:00Z"])
    // A column with both takes precedence.
    #expect(
      decode("Date;Time;Timestamp", "2020-01-01;00:00;1714557600").times
        == ["2024-05-01T10:00:00Z"])
    let half = decode("Date;Time", "2024-05-01;", ";10:00:00", ";")
    #expect(half.times == ["-", "-", "-"])
    #expect(half.codes == [.impossibleTime, .impossibleTime])
  }

  @Test(
    arguments: [
      ("time", "2024-05-01T10:00:00Z", .second), ("time", "2024-05-01 10:00", .minute),
      ("time", "2024-05-01T12:00+02:00", .minute), ("time", "2024-05-01 10:00 PM", .minute),
      ("time", "2024-05-01", .day), ("time", "20240501", .day), ("time", "1714557600", .second),
      ("time", "01.05.2024 10:00", .minute), ("time", "01.05.2024", .day),
      ("time", "20240501T1000Z", .minute), ("Date;Time", "2024-05-01;10:00", .minute),
      ("Date;Time", "2024-05-01;10:00:00", .second),
    ] as [(String, String, TimeResolution)])
  func `a time without seconds is exact to the minute, and a date to the day`(
    header: String, row: String, resolution: TimeResolution
  ) {
    let read = decode(header, row)
    #expect(read.fixes.map(\.timeResolution) == [resolution])
    #expect(read.fixes.first?.time != nil)
  }

  @Test func `a drive without seconds and the places of a day are kept`() {
    func kept(_ rows: [String]) -> Int {
      var reader = TrackReader(now: readingTime)
      let text = "time,lat,lon\n" + rows.map { "\($0)\n" }.joined()
      Array(text.utf8).withUnsafeBytes { reader.read($0) }
      let report = reader.finish()
      #expect(report.points == rows.count && report.dropped[.implausible] == 0)
      return report.kept
    }
    // 450 m every twenty seconds.
    let drive = (0..<60).map { index in
      let minute = 10 + index / 3
      return "2024-05-01 10:\(minute),48.\(1000 + 40 * index),11.5"
    }
    #expect(kept(drive) == 60)
    #expect(kept(["2024-05-01,48.1,11.5", "2024-05-01,47.4,8.5", "2024-05-01,48.2,16.4"]) == 3)
  }

  @Test func `the order of day and month must be certain`() {
    let unknown = decode("time", "03/04/2024 10:00")
    #expect(unknown.times == ["-"])
    #expect(unknown.codes == [.impossibleTime])
    // A date of the table shows the order of those after it.
    #expect(
      decode("time", "03/04/2024 10:00", "13/04/2024 10:00", "03/04/2024 11:00").times
        == ["-", "2024-04-13T10:00:00Z", "2024-04-03T11:00:00Z"])
    #expect(
      decode("time", "04/13/2024 10:00", "04/03/2024 11:00").times
        == ["2024-04-13T10:00:00Z", "2024-04-03T11:00:00Z"])
    // Two digits may be anything.
    #expect(decode("DATE;TIME", "090204;063821").times == ["-"])
  }

  @Test(arguments: ["x", "10:00:00", "2024-13-01 10:00", "2024-05-01T25:00:00", "5", "99999999"])
  func `what is no time is ignored with a warning`(text: String) {
    let read = decode("time", text)
    #expect(read.times == ["-"])
    #expect(read.codes == [.impossibleTime])
    #expect(read.warnings.first?.line == 2)
  }

  @Test func `times before 1970 and in the future are ignored`() {
    let read = decode("time", "1969-12-31T23:59:59Z", "2026-01-02T00:00:01Z", "99999999999")
    #expect(read.times == ["-", "-", "-"])
    #expect(read.codes == [.impossibleTime, .impossibleTime, .impossibleTime])
    #expect(decode("time", "").warnings.isEmpty)
  }

  @Test func `elapsed times and zones are no times`() {
    let read = decode("elapsed time;time zone;utc offset", "5;2024-05-01;7")
    #expect(read.positions.map(\.time) == [nil])
    #expect(read.warnings.isEmpty)
  }
}

import Foundation
import TestSupport
import Testing

@testable import TrackIngest

@Suite struct TimeTextTests {
  private func read(_ text: String) -> TimeText.Reading {
    Array(text.utf8).withUnsafeBufferPointer { TimeText.read($0) }
  }

  /// 2024-05-01T10:00:00Z.
  private let ten: Int64 = 1_714_557_600_000

  @Test func `days are consecutive from 1900 to 2200`() throws {
    let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    // 1900-01-01 is 25 567 days before 1970: 70 years with 17 leap days (1904 to 1968).
    var expected: Int64 = -(70 * 365 + 17)
    for year in 1900...2200 {
      let isLeap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
      for month in 1...12 {
        let length = month == 2 && isLeap ? 29 : lengths[month - 1]
        for day in 1...length {
          let found = TimeText.days(year: year, month: month, day: day)
          if found != expected { Issue.record("\(year)-\(month)-\(day)") }
          expected += 1
        }
        #expect(TimeText.days(year: year, month: month, day: length + 1) == nil)
        #expect(TimeText.days(year: year, month: month, day: 0) == nil)
      }
    }
    #expect(TimeText.days(year: 2024, month: 13, day: 1) == nil)
    #expect(TimeText.days(year: 0, month: 1, day: 1) == nil)
  }

  @Test(arguments: Seeds.sample(20))
  func `times equal those of Foundation's formatter`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let formatter = ISO8601DateFormatter()
    for _ in 0..<50 {
      let seconds = Int64.random(in: -10_000_000_000...250_000_000_000, using: &random)
      let offset = Int.random(in: -56...56, using: &random) * 900
      formatter.timeZone = TimeZone(secondsFromGMT: offset)
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(read(text) == .moment(seconds * 1000), "\(text)")
    }
  }

  @Test(arguments: [
    "2024-05-01T10:00:00Z", "2024-05-01t10:00:00z", "2024-05-01T10:00:00", "2024-05-01 10:00:00",
    "2024-05-01T10:00Z",
    "2024-05-01T12:00:00+02:00", "2024-05-01T12:00:00+0200", "2024-05-01T12:00:00+02",
    "2024-05-01T05:30:00-04:30",
    "2024-05-02T00:00:00+14:00", "2024-05-01T10:00:00.000Z", "2024-05-01T10:00:00,0Z",
    " \n2024-05-01T10:00:00Z\t ",
    "2024-05-01T10:00:00 UTC", "2024-05-01 10:00:00 GMT", "20240501T100000Z", "20240501T1000Z",
    "2024-5-1T10:0:0Z",
    "2024-05-01T上午10:00:00Z", "2024-05-01T10:00:00 AMZ", "2024-05-01T 10:00:00 a.m.",
    "2024-05-01 오전 10:00:00",
  ])
  func `every spelling of a time gives the same moment`(text: String) {
    #expect(read(text) == .moment(ten))
  }

  @Test func `12-hour times are read with markers in four languages`() {
    let midnight = ten - 10 * 3_600_000
    func minutes(_ text: String) -> Int64? {
      guard case .moment(let time) = read("2024-05-01T\(text)Z") else { return nil }
      return (time - midnight) / 60_000
    }
    #expect(minutes("下午4:00:01") == 960)
    #expect(minutes("上午12:58:51") == 58)
    #expect(minutes("下午12:30:00") == 750)
    #expect(minutes("午後1:00:00") == 780)
    #expect(minutes(" 9:05:00 PM") == 1265)
    #expect(minutes("下午16:00:00") == 960)
    #expect(minutes("13:00:00 AM") == nil)
  }

  @Test func `fractions are rounded to milliseconds`() {
    #expect(read("2024-05-01T10:00:00.5Z") == .moment(ten + 500))
    #expect(read("2024-05-01T10:00:00.05Z") == .moment(ten + 50))
    #expect(read("2024-05-01T10:00:00.1234Z") == .moment(ten + 123))
    #expect(read("2024-05-01T10:00:00.1235Z") == .moment(ten + 124))
    #expect(read("2024-05-01T10:00:00.999999999999Z") == .moment(ten + 1000))
  }

  @Test func `24:00:00, leap seconds and dates without a time are read`() {
    #expect(read("2024-04-30T24:00:00Z") == .moment(ten - 10 * 3_600_000))
    #expect(read("2016-12-31T23:59:60Z") == read("2017-01-01T00:00:00Z"))
    #expect(read("2024-05-01") == .day(ten - 10 * 3_600_000))
    #expect(read("20240501 ") == .day(ten - 10 * 3_600_000))
  }

  @Test(arguments: [
    "", "nan", "2024", "2024-05", "2024-05-01T", "2024-05-01T10", "2024-05-01T10:",
    "2024-05-01T10:00:",
    "2024-05-01T10:00:00.Z",
    "2024-02-30T10:00:00Z", "2023-02-29T00:00:00Z", "2024-13-01T10:00:00Z", "2024-00-01T10:00:00Z",
    "2024-05-01T25:00:00Z",
    "2024-05-01T24:00:01Z", "2024-05-01T10:60:00Z", "2024-05-01T10:00:61Z",
    "2024-05-01T10:00:00+14:01",
    "2024-05-01T10:00:00+2:0", "2024-05-01T10:00:00ZZ", "2024-05-01T10:00:00Zx",
    "2024-05-01T10:00:00CET",
    "12024-05-01T10:00:00Z",
    "-0044-03-15T12:00:00Z", "0000-01-01T00:00:00Z", "1970-01-01T00:00:   nanZ",
    "24-05-01T10:00:00Z",
    "01/05/2024 10:00:00",
    "2024-05-01T10:00:00\u{0}Z", "2024-05-01T-1:00:00Z", "1714557600",
  ])
  func `any other text is not a time`(text: String) {
    #expect(read(text) == .none)
  }
}

import Foundation
import Geodesy
import Testing

@testable import Roqua

/// Times as people and programs write them.
@Suite struct WrittenTimeTests {
  private func moment(_ iso8601: String) throws -> WrittenTime {
    .moment(try #require(Timestamp(iso8601: iso8601)))
  }

  @Test(arguments: [
    ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"),
    (" 2024-05-01t10:00z\r", "2024-05-01T10:00:00Z"),
    ("2024-05-01 12:00:00.1239+02:00", "2024-05-01T10:00:00.123Z"),
    ("2024-05-01T04:30:00,5-0530", "2024-05-01T10:00:00.500Z"),
    ("2024-05-01T12:00+02", "2024-05-01T10:00:00Z"),
    ("2024:05:01 10:00:00Z", "2024-05-01T10:00:00Z"),
    ("1714557600", "2024-05-01T10:00:00Z"), ("1714557600.25", "2024-05-01T10:00:00.250Z"),
    ("-1", "1969-12-31T23:59:59Z"), ("-1.5", "1969-12-31T23:59:58.500Z"),
    ("0", "1970-01-01T00:00:00Z"),
  ])
  func `a moment is read`(text: String, iso8601: String) throws {
    #expect(WrittenTime(text.utf8) == (try moment(iso8601)))
  }

  @Test func `a time without a zone is by a clock, a date without a time is only a date`() {
    #expect(WrittenTime("2024-05-01 10:00".utf8) == .clock(1_714_557_600_000))
    for text in ["2024", "2024-05", "2024-05-01", "20240501", " 2024-05-01 "] {
      #expect(WrittenTime(text.utf8) == .date, "\(text)")
    }
    for text in ["", " ", "\t\r"] { #expect(WrittenTime(text.utf8) == .blank) }
  }

  @Test(arguments: [
    "now", "2024-13", "2024-02-30", "2024-02-30T10:00:00Z", "2024-05-01T24:00Z", "2024-05-01T10Z",
    "2024-05-01T10:00:60Z", "2024-05-01T10:00:00.Z", "2024-05-01T10:00:00Zulu", "1.", "-", ".5",
    "2024-05-01T10:00:00+2", "9999999999999", "0000:00:00 00:00:00", "1714557600s", "--1",
  ])
  func `anything else is no time`(text: String) {
    #expect(WrittenTime(text.utf8) == .invalid)
  }

  @Test func `a time cut at any byte is not another time of the same day`() {
    let whole = "2024-05-01T10:00:00.123+02:00"
    for end in 0..<whole.utf8.count {
      switch WrittenTime(whole.utf8.prefix(end)) {
      case .moment(let time):
        // After the zone's hours, or the digits of the year.
        #expect(end == 26 || end == 28 || time.millisecondsSince1970 < 86_400_000, "\(end)")
      default: break
      }
    }
  }

  @Test func `every form of Foundation's writer is read`() {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for seconds in stride(from: -5e9, through: 5e9, by: 12_345_678.125) {
      let text = style.format(Date(timeIntervalSince1970: seconds))
      let expected = Timestamp(millisecondsSince1970: Int64((seconds * 1_000).rounded(.down)))
      #expect(WrittenTime(text.utf8) == .moment(expected), "\(text)")
    }
  }
}

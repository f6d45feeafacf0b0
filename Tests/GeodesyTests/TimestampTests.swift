import Foundation
import TestSupport
import Testing

@testable import Geodesy

@Suite struct TimestampTests {
  @Test(arguments: Seeds.sample(200))
  func `a time has the same text as in Foundation and is parsed back unchanged`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let formatter = ISO8601DateFormatter()
    let seconds = Int64.random(in: 0...8_000_000_000, using: &random)  // to the year 2223
    let whole = Timestamp(millisecondsSince1970: seconds * 1_000)
    let expected = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
    #expect(whole.iso8601 == expected)
    #expect(Timestamp(iso8601: expected) == whole)
    let milliseconds = Int64.random(in: 1...999, using: &random)
    let exact = Timestamp(millisecondsSince1970: seconds * 1_000 + milliseconds)
    let digits = String(String(1_000 + milliseconds).dropFirst())
    #expect(exact.iso8601 == expected.dropLast() + ".\(digits)Z")
    #expect(Timestamp(iso8601: exact.iso8601) == exact)
  }

  @Test(arguments: Seeds.sample(100))
  func `times in every four-digit year are parsed back unchanged`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let time = Timestamp(
      millisecondsSince1970: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
    #expect(Timestamp(iso8601: time.iso8601) == time)
  }

  @Test(arguments: Seeds.sample(50))
  func `the written bytes equal the text`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let milliseconds = Int64.random(in: -60_000_000_000_000...250_000_000_000_000, using: &random)
    let time = Timestamp(
      millisecondsSince1970: seed % 2 == 0 ? milliseconds : milliseconds / 1_000 * 1_000)
    // Sound: the text is written to the start of the buffer, within its bounds, and the number of
    // its bytes is returned.
    let bytes = [UInt8](unsafeUninitializedCapacity: Timestamp.maximumISO8601Bytes) {
      buffer, count in
      count = time.writeISO8601(to: buffer)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == time.iso8601)
  }

  @Test func `any number of milliseconds has a text`() {
    #expect(Timestamp(millisecondsSince1970: .min).iso8601 == "-292275055-05-16T16:47:04.192Z")
    #expect(Timestamp(millisecondsSince1970: .max).iso8601 == "292278994-08-17T07:12:55.807Z")
    #expect(Timestamp(millisecondsSince1970: -1).iso8601 == "1969-12-31T23:59:59.999Z")
    #expect(Timestamp(millisecondsSince1970: -86_400_000).iso8601 == "1969-12-31T00:00:00Z")
  }

  @Test func `day numbers of 800 years increase by one per day`() throws {
    var expected = try #require(CalendarDay.daysSince1970(year: 1_600, month: 1, day: 1))
    for year in 1_600..<2_400 {
      for month in 1...12 {
        for day in 1...CalendarDay.daysInMonth(month, year: year) {
          #expect(CalendarDay.daysSince1970(year: year, month: month, day: day) == expected)
          let back = CalendarDay(daysSince1970: expected)
          #expect(back.year == year && back.month == month && back.day == day)
          expected += 1
        }
      }
    }
    #expect(CalendarDay.daysSince1970(year: 1_970, month: 1, day: 1) == 0)
  }

  @Test(arguments: [
    "2024-02-30T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z",
    "2024-01-01T00:00:00", "2024-01-01 00:00:00Z", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00Zx",
    "",
    "24-01-01T00:00:00Z",
  ])
  func `text in any other form is not a time`(text: String) {
    #expect(Timestamp(iso8601: text) == nil)
  }
}

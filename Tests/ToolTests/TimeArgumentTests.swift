import TestSupport
import Testing

@testable import roqua_tool

/// Times of `--from` and `--to` have the forms that `roqua at` reads.
@Suite struct TimeArgumentTests {
  @Test(
    arguments: [
      ("2024", "2024-01-01T00:00:00Z", "2024-12-31T23:59:59.999Z"),
      ("2024-02", "2024-02-01T00:00:00Z", "2024-02-29T23:59:59.999Z"),
      ("2024-05-01", "2024-05-01T00:00:00Z", "2024-05-01T23:59:59.999Z"),
      ("20240501", "2024-05-01T00:00:00Z", "2024-05-01T23:59:59.999Z"),
      ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"),
      ("2024-05-01 12:00+02:00", "2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"),
      ("2024-05-01T10:00", "2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"),
      ("1714557600", "2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"),
    ])
  func `a time is a range from its first to its last millisecond`(
    text: String, first: String, last: String
  ) throws {
    let moment = try Moment(text)
    #expect(moment.range.lowerBound.iso8601 == first && moment.range.upperBound.iso8601 == last)
    #expect(moment.isWhole == (first == last))
  }

  @Test(
    arguments: [
      ("2024-02-30", "names a day that does not exist."),
      ("2024-02-30T10:00:00Z", "names a day that does not exist."),
      ("20230229", "names a day that does not exist."),
      ("2024-13", "names a month that does not exist."),
      ("09/14/2024", "does not begin with the year; write it as in 2024-09-14."),
      ("1.5.24", "does not begin with the year; write it as in 2024-09-14."),
      ("2024-05-01 24:10", "names a time of day that does not exist."),
      ("202405", "is not a time such as 2024-05-01T10:00:00Z."),
      ("24", "is not a time such as 2024-05-01T10:00:00Z."),
      ("yesterday", "is not a time such as 2024-05-01T10:00:00Z."),
      ("", "is not a time such as 2024-05-01T10:00:00Z."),
    ])
  func `an error says what is wrong with a time`(text: String, flaw: String) throws {
    #expect(throws: ArgumentFlaw(flaw)) { try Moment(text) }
  }

  @Test func `the commands print what is wrong with a time`() throws {
    let bench = try Bench()
    let stats = try bench.roqua("stats", "--from", "2024-02-30")
    #expect(stats.status == 64)
    #expect(
      stats.err.hasPrefix(
        "Error: The value '2024-02-30' is invalid for '--from <time>': it names a day that does "
          + "not exist."))
    let at = try bench.roqua("at", "09/14/2024")
    #expect(at.status == 64)
    #expect(at.err.hasPrefix("Error: \"09/14/2024\" does not begin with the year; write it"))
  }
}

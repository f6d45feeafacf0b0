import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua at` with one time, or with one per line.
@Suite struct AtTests {
  private static let members: Set<String> = [
    "time", "latitude", "longitude", "uncertaintyMeters", "certainty", "secondsFromFix",
    "previous", "next", "countryCode", "country", "regionCode", "region", "district", "city",
    "quarter", "timeZone", "sea",
  ]
  private let bench: Bench

  /// A track from 10:00 to 10:20 UTC, a fix every 10 s, 0.001° apart.
  init() throws {
    bench = try Bench()
    try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 121), to: "ride.gpx")
    _ = try bench.roqua("import", "ride.gpx")
  }

  @Test func `between two fixes the position lies on the way`() throws {
    let answer = try bench.json("at", "2024-05-01T10:00:15Z")
    #expect(answer.names == Self.members)
    #expect(answer.time == .string("2024-05-01T10:00:15Z"))
    #expect(answer.latitude.double == 48.0015 && answer.longitude.double == 8.0015)
    #expect(answer.certainty == .string("moving"))
    #expect(answer.secondsFromFix.double == 5)
    #expect(answer.previous.time == .string("2024-05-01T10:00:10Z"))
    #expect(answer.next.latitude.double == 48.002)
    #expect(answer.countryCode == .string("DE"))
    // The accuracy that counts where none is stated, and 5 s at 13.4 m/s.
    #expect(try #require(answer.uncertaintyMeters.double).rounded() == 87)
  }

  @Test func `every form of a time gives the same answer`() throws {
    let forms = [
      ["2024-05-01T10:00:15Z"], ["2024-05-01", "10:00:15"], ["2024-05-01 12:00:15+02:00"],
      ["1714557615"], ["1714557615.0"], ["2024-05-01 12:00:15", "--time-zone", "local"],
    ]
    let answers = try forms.map { try bench.roqua(["at", "--json"] + $0) }
    #expect(answers.allSatisfy { $0.status == 0 })
    #expect(Set(answers.map(\.out)).count == 1)
  }

  @Test func `a date without a time, or no time at all, is wrong usage`() throws {
    let date = try bench.roqua("at", "2024-05-01")
    #expect(date.status == 64 && date.err.contains("is a date without a time"))
    for arguments in [["at"], ["at", "soon"], ["at", "--batch", "2024-05-01T10:00Z"]] {
      #expect(try bench.roqua(arguments).status == 64)
    }
    for second in ["2024-05-02T10:00:00Z", "2024-05-02", "1714557615"] {
      let two = try bench.roqua("at", "2024-05-01T10:00:15Z", second)
      #expect(two.status == 64)
      #expect(
        two.err.hasPrefix("Error: Give one time; --batch reads several from standard input.\n"))
    }
    let long = try bench.roqua("at", "2024-05-01T10:00:15Z and some more words after it")
    #expect(
      long.err.hasPrefix("Error: \"2024-05-01T10:00:15Z and some more words…\" is not a time"))
    let unknown = try bench.roqua("at", "1990-01-01 10:00", "--time-zone", "local")
    #expect(unknown.status == 1 && unknown.err.contains("its time zone is not known"))
  }

  @Test func `each line gets the answer that its time gets alone`() throws {
    let times = ["2024-05-01T10:00:15Z", "2024-05-01T10:20:00.5Z", "2024-05-01T09:00:00Z"]
    let batch = try bench.roqua(
      "at", "--batch", "--json", input: times.joined(separator: "\n") + "\n1990-01-01T00:00Z\n")
    #expect(batch.status == 0)
    let alone = try (times + ["1990-01-01T00:00Z"]).map { try bench.roqua("at", $0, "--json").out }
    #expect(batch.out == alone.joined())
    let text = try bench.roqua("at", "--batch", input: times.joined(separator: "\r\n"))
    let fields = text.out.split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false)
    }
    #expect(fields.count == 3 && fields.allSatisfy { $0.count == 12 })
    #expect(fields[0].prefix(6) == ["48.0015", "8.0015", "87", "moving", "5", "DE"])
  }

  @Test func `a bad line is reported with its number and counted, and the others are answered`()
    throws
  {
    let good = "2024-05-01T10:00:15Z\n"
    let result = try bench.roqua(
      "at", "--batch", "--json", input: good + "\nnever\n2024-05-01\n" + good)
    #expect(result.status == 2)
    let lines = result.out.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 6 && lines[1...3] == ["null", "null", "null"])
    #expect(lines[0] == lines[4])
    #expect(
      result.errorLines == [
        "roqua: line 3: The line is not a time such as 2024-05-01T10:00:00Z.",
        "roqua: line 4: The line is a date without a time: add one, such as 2024-05-01T10:00:00Z.",
        "roqua: 2 lines of 5 had no valid time",
      ])
    #expect(try bench.roqua("at", "--batch", input: "never\n").status == 1)
    let long = String(repeating: "1", count: 100_000)
    #expect(try bench.roqua("at", "--batch", input: long + "\n" + good).status == 2)
    #expect(try bench.roqua("at", "--batch", input: "").status == 0)
  }

  @Test func `without a store there is no answer`() throws {
    let result = try bench.roqua("at", "2024-05-01T10:00:15Z", "--store", "none.sqlite")
    #expect(result.status == 1 && result.out.isEmpty)
  }

  @Test func `far from every fix, the answer is that nothing is known, without a radius`() throws {
    try bench.folder.write(
      TrackText.gpx([(Coordinate(48.2, 8.2), Timestamp(iso8601: "2024-07-01T10:00:00Z"))]),
      to: "later.gpx")
    #expect(try bench.roqua("import", "later.gpx").status == 0)
    let far = try bench.roqua("at", "2024-05-31T12:00:00Z")
    #expect(far.status == 0)
    let lines = far.out.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.first == "Nothing is known within a day of 2024-05-31T12:00:00Z.")
    #expect(lines.dropFirst().first?.hasPrefix("The nearest known position is ") == true)
    #expect(lines.last?.hasPrefix("You were last seen at 2024-05-01 10:20:00 UTC, ") == true)
    #expect(!far.out.contains("within 20,0"))
    let near = try bench.roqua("at", "2024-05-02T09:00:00Z")
    #expect(near.out.contains(", within 1,2") && near.out.contains("\nNothing was recorded then"))
    let json = try bench.json("at", "2024-05-31T12:00:00Z")
    #expect(json.certainty == .string("gap"))
    #expect(try #require(json.uncertaintyMeters.double) > 20_000_000)
  }

  /// Two days in Munich around a change of clocks.
  private func stay(around time: String) throws -> Bench {
    let bench = try Bench()
    let change: Timestamp = try #require(Timestamp(iso8601: time))
    let points = [-1, 1].map { day in
      (
        coordinate: Coordinate(48.13 + Double(day) / 2_000, 11.55),
        time: Optional(
          Timestamp(millisecondsSince1970: change.millisecondsSince1970 + Int64(day) * 86_400_000))
      )
    }
    try bench.folder.write(TrackText.gpx(points), to: "stay.gpx")
    #expect(try bench.roqua("import", "stay.gpx").status == 0)
    return bench
  }

  @Test func `a local time that clocks showed twice names its other moment`() throws {
    let bench = try stay(around: "2024-10-27T01:00:00Z")
    let arguments = ["--time-zone", "local"]
    let text = try bench.roqua(["at", "2024-10-27 02:30"] + arguments)
    #expect(text.status == 0 && text.out.contains("The time was 2024-10-27 00:30:00 in UTC."))
    #expect(
      text.out.hasSuffix(
        "Clocks showed 2024-10-27 02:30:00 twice: this is the first time, in UTC+02:00. "
          + "For the second one, give 2024-10-27T01:30:00Z.\n"), "\(text.out)")
    let second = try bench.roqua("at", "2024-10-27T01:30:00Z", "--time-zone", "local")
    #expect(second.status == 0 && !second.out.contains("twice"))
    let json = try bench.json("at", "2024-10-27 02:30", "--time-zone", "local")
    #expect(json.names == Self.members.union(["localTime"]))
    #expect(json.time == .string("2024-10-27T00:30:00Z"))
    #expect(json.localTime.state == .string("repeated"))
    #expect(json.localTime.other == .string("2024-10-27T01:30:00Z"))
    #expect(try bench.json("at", "2024-10-27 01:30", "--time-zone", "local").names == Self.members)
    let times = ["2024-10-27 02:30", "2024-10-27 03:30", "2024-10-27 02:00"]
    let batch = try bench.roqua(
      ["at", "--batch", "--json"] + arguments, input: times.joined(separator: "\n"))
    let alone = try times.map { try bench.roqua(["at", $0, "--json"] + arguments).out }
    #expect(batch.status == 0 && batch.out == alone.joined())
    #expect(
      batch.err
        == "roqua: 2 lines had a local time that clocks showed twice; the first one counts\n")
  }

  @Test func `a local time that clocks skipped says so`() throws {
    let bench = try stay(around: "2024-03-31T01:00:00Z")
    let text = try bench.roqua("at", "2024-03-31 02:30", "--time-zone", "local")
    #expect(text.status == 0 && text.out.contains("The time was 2024-03-31 01:30:00 in UTC."))
    #expect(
      text.out.hasSuffix(
        "No clock showed 2024-03-31 02:30:00, because clocks were set forward: this is the answer "
          + "for 2024-03-31 03:30:00.\n"), "\(text.out)")
    let json = try bench.json("at", "2024-03-31 02:30", "--time-zone", "local")
    #expect(json.localTime.state == .string("skipped"))
    let batch = try bench.roqua(
      "at", "--batch", "--time-zone", "local", input: "2024-03-31 02:30\n")
    #expect(batch.status == 0 && batch.errorLines.count == 1 && batch.err.contains("skipped"))
  }

  @Test func `the times of a stay have offsets if clocks were changed in it`() throws {
    let bench = try Bench()
    let times = ["2024-10-26T12:00:00Z", "2024-10-27T00:40:00Z", "2024-10-27T01:00:00Z"]
    let points = times.enumerated().map { index, time in
      (
        coordinate: Coordinate(52.5 + Double(index) / 1_000, 13.4),
        time: Timestamp(iso8601: time)
      )
    }
    try bench.folder.write(TrackText.gpx(points), to: "stay.gpx")
    #expect(try bench.roqua("import", "stay.gpx").status == 0)
    let changed = try bench.roqua("at", "2024-10-27T00:55:00Z", "--time-zone", "local").out
    #expect(changed.contains("2024-10-27 02:40:00 (UTC+02:00)"), "\(changed)")
    #expect(changed.contains("2024-10-27 02:00:00 (UTC+01:00)"), "\(changed)")
    let before = try bench.roqua("at", "2024-10-26T18:00:00Z", "--time-zone", "local").out
    #expect(before.contains("2024-10-27 02:40:00, "), "\(before)")
  }
}

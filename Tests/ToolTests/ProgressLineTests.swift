import GeoStore
import Roqua
import Testing

@testable import roqua_tool

/// The progress line on a terminal.
@Suite struct ProgressLineTests {
  private static let importing = ProgressLine.State(
    parts: ["12 of 3,400 files", "1.2 GB of 34 GB", "1,234,567 points/s"], importance: [0, 1, 2],
    share: 0.25)

  @Test func `all parts are shown if they fit`() {
    #expect(
      ProgressLine.text(Self.importing, seconds: 10, columns: 100)
        == "12 of 3,400 files, 1.2 GB of 34 GB, 1,234,567 points/s, 30 s left")
  }

  @Test func `at 40 columns it stays one line, without the least important parts`() {
    #expect(
      ProgressLine.text(Self.importing, seconds: 10, columns: 39) == "12 of 3,400 files, 30 s left")
  }

  @Test(arguments: 0...120)
  func `it is never longer than the terminal is wide`(columns: Int) {
    #expect(ProgressLine.text(Self.importing, seconds: 10, columns: columns).count <= columns)
  }

  @Test func `the time left is not shown before any progress, or if the total is unknown`() {
    var state = Self.importing
    state.share = 0
    #expect(!ProgressLine.text(state, seconds: 10, columns: 100).contains("left"))
    state.share = nil
    #expect(!ProgressLine.text(state, seconds: 10, columns: 100).contains("left"))
  }

  @Test(arguments: [
    (10.0, 0.5, "10 s left"), (99, 0.5, "99 s left"), (1_200, 0.5, "20 min left"),
    (36_000, 0.5, "10 h left"),
  ])
  func `the time left is the remaining work at the average speed`(
    seconds: Double, share: Double, expected: String
  ) {
    let state = ProgressLine.State(parts: [], importance: [], share: share)
    #expect(ProgressLine.text(state, seconds: seconds, columns: 40) == expected)
  }

  @Test(arguments: [
    "database", "references", "schema", "erasure", "sources", "achievements", "tiles", "regions",
    "visits", "places", "coverage",
  ])
  func `a check shows what it is checking, in 40 columns`(subject: String) throws {
    let meter = WorkMeter()
    meter.begin(.checking(subject), of: 200)
    meter.add(90)
    let state = WorkProgress.state(try #require(meter.reading))
    let text = ProgressLine.text(state, seconds: 9, columns: 39)
    #expect(text.hasPrefix("checking ") && text.hasSuffix(", 45 %, 11 s left"))
  }

  @Test func `work whose end is not known shows what it does, and how much of it is done`() throws {
    let meter = WorkMeter()
    meter.begin(.drawing)
    #expect(WorkProgress.state(try #require(meter.reading)).parts == ["drawing"])
    meter.begin(.writingTiles)
    meter.add(1_234)
    #expect(WorkProgress.state(try #require(meter.reading)).parts == ["writing tiles", "1,234"])
  }

  @Test func `the width comes from COLUMNS`() {
    #expect(ProgressWidth.ofStandardError(["COLUMNS": "40"]) == 40)
    #expect(ProgressWidth.ofStandardError(["COLUMNS": "wide"]) > 0)
  }
}

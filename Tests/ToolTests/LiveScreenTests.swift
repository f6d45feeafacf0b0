import Foundation
import GeoStore
import Geocode
import Geodesy
import TestSupport
import Testing
import TrackIngest

@testable import Roqua
@testable import roqua_tool

/// The screen of `roqua live`, without a terminal.
@Suite struct LiveScreenTests {
  private static let now = Timestamp(millisecondsSince1970: 1_714_557_660_000)

  /// A recording that is well under way.
  private static func state() -> LiveState {
    var state = LiveState(name: "Evening walk", source: "gpsd://localhost")
    _ = state.open()
    _ = state.take(.program("gpsd 3.25"), now: now)
    _ = state.take(.satellites(used: 9, seen: 14), now: now)
    let fix = Fix(
      coordinate: Coordinate(48.58392, 7.74553), time: now, horizontalAccuracyMeters: 5,
      elevationMeters: 142, speedMetersPerSecond: 1.4)
    for second in 0..<10 {
      let milliseconds = now.millisecondsSince1970 - 9_000 + Int64(second) * 1_000
      _ = state.take(.fix(fix), now: Timestamp(millisecondsSince1970: milliseconds))
    }
    var change = Recording.Change()
    change.verdicts = [
      JudgedFix(fix: fix, verdict: .kept),
      JudgedFix(fix: fix, verdict: .dropped(.tooClose)),
    ]
    change.stored.cellsAdded = 12
    change.stored.areaAddedSquareKilometers = 0.05
    change.stored.regionsAdded = 1
    // A sea has the same name in every language.
    let events = state.take(change, at: now) { _ in Place(sea: "North Sea") }
    #expect(events.count == 4)
    var copy = state
    let same = copy.take(change, at: now) { _ in Place(cityDistanceMeters: 5, sea: "North Sea") }
    #expect(same.count == 3, "a place that has the same names is not shown again")
    state.earlierToday = (100, 0.4)
    return state
  }

  private func lines(_ state: LiveState, _ columns: Int, _ rows: Int, color: Bool = false)
    -> [String]
  {
    LiveScreen(state: state, now: Self.now, columns: columns, rows: rows, usesColor: color).lines()
  }

  @Test(arguments: [(80, 24), (40, 12), (120, 40)])
  func `the screen of a recording`(columns: Int, rows: Int) throws {
    let state = Self.state()
    // The clock of the machine that runs the tests may be any.
    let text = lines(state, columns, rows).map {
      $0.replacing(/\d\d\d\d-\d\d-\d\d \d\d:\d\d:\d\d/, with: "2024-05-01 10:01:00")
        .replacing(/, \d\d:\d\d$/, with: ", 10:01")
    }
    try expectGolden(text.joined(separator: "\n") + "\n", "live-screen-\(columns)")
  }

  @Test func `no line is wider than the terminal, and there are no more than its rows`() throws {
    var states = [LiveState(name: "a", source: "b"), Self.state()]
    var lost = Self.state()
    _ = lost.lose("the connection was closed", retrySeconds: 12.3)
    _ = lost.take(.error(String(repeating: "long ", count: 50)))
    var hidden = Self.state()
    hidden.isHidden = true
    var wide = LiveState(name: "日本\u{1B}[31m\n東京", source: String(repeating: "漢", count: 99))
    _ = wide.take(.program("\u{9B}1m\r\u{202E}"))
    states += [lost, hidden, wide]
    for state in states {
      for columns in [1, 5, 10, 11, 12, 39, 80, 200] {
        for rows in [1, 2, 3, 7, 12, 60] {
          let lines = lines(state, columns, rows)
          #expect(lines.count <= rows && !lines.isEmpty)
          for line in lines {
            #expect(TextWidth.columns(of: line) <= columns, "\(columns): \(line)")
            #expect(line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x9B })
          }
        }
      }
    }
    #expect(lines(states[0], 0, 10).isEmpty && lines(states[0], 10, 0).isEmpty)
  }

  @Test func `color changes nothing but color`() throws {
    let state = Self.state()
    let colored = lines(state, 80, 24, color: true)
    #expect(colored.joined().contains("\u{1B}["))
    let plain = colored.map { $0.replacing(/\u{1B}\[\d*m/, with: "") }
    #expect(plain == lines(state, 80, 24))
  }

  @Test func `a fix in a privacy zone is not shown`() throws {
    var state = Self.state()
    var change = Recording.Change()
    let secret = Fix(coordinate: Coordinate(1.23456, 2.34567), time: Self.now)
    _ = state.take(.fix(secret), now: Self.now)
    change.verdicts = [JudgedFix(fix: secret, verdict: .dropped(.privacyZone))]
    let events = state.take(change, at: Self.now) { _ in Place() }
    #expect(!lines(state, 120, 40).joined().contains("1.23456"))
    #expect(events.allSatisfy { !"\($0.json)".contains("1.23456") })
  }

  @Test func `the rate is that of the last ten seconds`() throws {
    let state = Self.state()
    #expect(abs(state.rate(at: Self.now) - 1) < 0.2)
    let later = Timestamp(millisecondsSince1970: Self.now.millisecondsSince1970 + 60_000)
    #expect(state.rate(at: later) == 0)
  }
}

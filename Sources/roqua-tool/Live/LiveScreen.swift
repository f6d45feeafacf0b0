import Geodesy
import Roqua
import TrackIngest

/// The screen of `roqua live` as lines that fit a terminal.
struct LiveScreen {
  let state: LiveState
  let now: Timestamp
  let columns: Int
  let rows: Int
  let usesColor: Bool

  /// A row: a label and its value.
  private struct Row {
    let label: String
    let value: String
    /// Rows of a higher rank are left out first if the terminal has too few.
    let rank: Int
    var style = Style.plain
    /// True if an empty line stands before it where there is room.
    var beginsGroup = false
  }

  private enum Style: String {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case good = "32"
    case bad = "31"
    case waiting = "33"
  }

  /// Seconds after which a position counts as old.
  private static let oldSeconds = 5.0
  /// Bytes without a message after which something is wrong.
  private static let mostUnreadBytes = 2_000
  private static let labelWidth = 10

  /// The lines, at most as many as the terminal has rows, each at most as wide as it.
  func lines() -> [String] {
    guard columns > 0, rows > 0 else { return [] }
    var kept = allRows()
    while kept.count > rows, let worst = kept.map(\.rank).max() {
      guard let index = kept.lastIndex(where: { $0.rank == worst }) else { break }
      kept.remove(at: index)
    }
    let groups = kept.dropFirst().count(where: \.beginsGroup)
    let hasGaps = kept.count + groups <= rows
    var lines: [String] = []
    for (index, row) in kept.enumerated() {
      if hasGaps, row.beginsGroup, index > 0 { lines.append("") }
      lines.append(text(row))
    }
    return lines
  }

  private func text(_ row: Row) -> String {
    let label = row.label.isEmpty ? "" : row.label.padding(to: Self.labelWidth)
    let width = max(0, columns - label.count)
    let value = TextWidth.shortened(Console.safe(row.value), columns: width)
    let shownLabel = String(label.prefix(columns))
    return styled(shownLabel, .dim) + (width > 0 ? styled(value, row.style) : "")
  }

  private func styled(_ text: String, _ style: Style) -> String {
    guard usesColor, style != .plain, !text.isEmpty else { return text }
    return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
  }

  // MARK: Rows

  private func allRows() -> [Row] {
    var rows = [
      Row(label: "", value: "roqua live: \(state.name)", rank: 3, style: .bold),
      sourceRow,
    ]
    if let error = state.error {
      rows.append(Row(label: "error", value: error, rank: 2, style: .bad))
    }
    rows.append(fixRow)
    rows += fixDetails
    rows.append(
      Row(label: "place", value: state.place.map(LivePlace.text) ?? "–", rank: 1, beginsGroup: true)
    )
    rows.append(Row(label: "today", value: todayText, rank: 1))
    rows.append(Row(label: "recording", value: newText(state.stored), rank: 5))
    rows.append(Row(label: "newest", value: newestText, rank: 4))
    if let unlock = state.latestUnlock {
      rows.append(Row(label: "unlocked", value: unlock, rank: 4, style: .good))
    }
    rows.append(Row(label: "fixes", value: countText, rank: 3, beginsGroup: true))
    rows.append(
      Row(
        label: "", value: "Ctrl-C ends the recording.", rank: 9, style: .dim, beginsGroup: true))
    return rows
  }

  private var sourceRow: Row {
    let program = state.program.map { ", \($0)" } ?? ""
    switch state.connection {
    case .opening:
      return Row(label: "source", value: "opening \(state.source)", rank: 0, style: .waiting)
    case .lost(let reason, let seconds):
      let pause = "next attempt after \(Wording.decimal(seconds, 1)) s"
      return Row(
        label: "source", value: "\(reason); \(pause)", rank: 0, style: .bad)
    case .connected:
      guard state.unreadBytes > Self.mostUnreadBytes else {
        return Row(
          label: "source", value: "connected to \(state.source)\(program)", rank: 0, style: .good)
      }
      // Only gpsd gives its name.
      let value =
        state.program == nil
        ? "bytes, but no sentence (see --baud)" : "messages, but no report of a position"
      return Row(label: "source", value: value, rank: 0, style: .waiting)
    }
  }

  private var fixRow: Row {
    func row(_ value: String, _ style: Style) -> Row {
      Row(label: "fix", value: value, rank: 0, style: style, beginsGroup: true)
    }
    if state.isHidden { return row("in a privacy zone", .dim) }
    guard let fix = state.fix else { return row("none yet", .waiting) }
    let position =
      "\(Wording.decimal(fix.coordinate.latitudeDegrees, 5)) "
      + Wording.decimal(fix.coordinate.longitudeDegrees, 5)
    guard state.hasFix else { return row("lost at \(position)", .waiting) }
    return row(position, .bold)
  }

  private var fixDetails: [Row] {
    var rows: [Row] = []
    if let fix = state.fix, !state.isHidden {
      let accuracy = fix.horizontalAccuracyMeters.map { "± \(Wording.distance($0))" } ?? "unknown"
      rows.append(Row(label: "accuracy", value: accuracy + satelliteText, rank: 1))
      if let speed = fix.speedMetersPerSecond {
        rows.append(Row(label: "speed", value: speedText(speed), rank: 6))
      }
      if let elevation = fix.elevationMeters {
        rows.append(Row(label: "height", value: Wording.distance(elevation), rank: 7))
      }
      if let time = fix.time {
        rows.append(Row(label: "time", value: timeText(time), rank: 5))
      }
    } else if !satelliteText.isEmpty {
      rows.append(Row(label: "sky", value: String(satelliteText.dropFirst(2)), rank: 4))
    }
    return rows
  }

  private var satelliteText: String {
    guard let satellites = state.satellites else { return "" }
    let used = satellites.used.map { "\($0)" }
    let seen = satellites.seen.map { "\($0)" }
    guard let count = [used, seen].compactMap({ $0 }).first else { return "" }
    return used != nil && seen != nil
      ? ", \(count) of \(seen ?? "") satellites" : ", \(count) satellites"
  }

  private func speedText(_ metersPerSecond: Double) -> String {
    switch CurrentUnits.system {
    case .metric: Wording.decimal(metersPerSecond * 3.6, 1) + " km/h"
    case .imperial: Wording.speed(metersPerSecond: metersPerSecond)
    }
  }

  private func timeText(_ time: Timestamp) -> String {
    let seconds = Double(now.millisecondsSince1970 - time.millisecondsSince1970) / 1_000
    let text = LiveClock.text(time, "yyyy-MM-dd HH:mm:ss")
    guard seconds >= Self.oldSeconds else { return text }
    return "\(text), \(Wording.duration(seconds)) ago"
  }

  private var todayText: String {
    guard let earlier = state.earlierToday else { return newText(state.newToday) }
    var sum = state.newToday
    sum.cellsAdded += earlier.cells
    sum.areaAddedSquareKilometers += earlier.areaSquareKilometers
    return newText(sum, countsRegions: false)
  }

  private func newText(_ changes: SourceChanges, countsRegions: Bool = true) -> String {
    guard changes.cellsAdded > 0 || changes.regionsAdded > 0 else { return "nothing new yet" }
    let area = "\(Wording.area(changes.areaAddedSquareKilometers)) newly explored"
    let cells = Wording.count(changes.cellsAdded, "cell")
    let regions = Wording.count(changes.regionsAdded, "region")
    return "\(area), \(cells)" + (countsRegions ? ", \(regions)" : "")
  }

  private var newestText: String {
    guard let newest = state.newestRegion else { return "no new region yet" }
    let time = newest.time.map { ", \(LiveClock.text($0, "HH:mm"))" } ?? ""
    return "region in \(newest.place)\(time)"
  }

  private var countText: String {
    let rate = Wording.decimal(state.rate(at: now), 1)
    return "\(Wording.count(state.kept)) kept of \(Wording.count(state.received)), "
      + "\(rate) per second"
  }
}

extension String {
  /// The text, followed by as many blanks as it needs for a number of columns.
  fileprivate func padding(to columns: Int) -> String {
    self + String(repeating: " ", count: max(1, columns - TextWidth.columns(of: self)))
  }
}

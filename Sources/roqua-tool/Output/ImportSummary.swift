import Roqua
import TrackIngest

/// An import's report in words.
struct ImportSummary {
  let report: ImportReport
  let filter: FilterSettings
  let isDryRun: Bool
  /// Points beside track points that were taken: they are no longer "also" there.
  let extras: Set<ExtraPoints>

  /// Prints it. Of refused files the error on standard error says all there is to say.
  func print() {
    let done = report.files.filter { $0.status != .refused }
    guard !done.isEmpty else { return }
    for file in done { print(file) }
    if report.files.count > 1 || report.ignored > 0 { Console.print("") }
    printTotals()
  }

  private func print(_ file: FileReport) {
    let path = file.path
    switch file.status {
    case .refused: break
    case .duplicate: Console.print("\(path): in the store already, nothing changed")
    case .imported:
      let track = file.track
      Console.print(
        "\(path): \(Wording.count(track.kept)) of \(Wording.count(track.points, "point")) kept, "
          + Wording.days(track.firstTime, track.lastTime))
      for line in leftOut(track) { Console.print("  " + line) }
      for warning in track.warnings {
        let line = warning.line.map { "line \($0): " } ?? ""
        Console.print("  note: \(line)\(warning.message)")
      }
    }
  }

  /// What was left out of a file and why, a line each for points, other positions and other kinds
  /// of points.
  private func leftOut(_ track: TrackReport) -> [String] {
    var lines: [String] = []
    let dropped = track.dropped.nonZero.map { ($0.count, $0.reason.explanation(filter)) }
    if !dropped.isEmpty {
      lines.append("\(Wording.count(track.dropped.total, "point")) left out: \(Self.list(dropped))")
    }
    let skipped = track.skipped.nonZero.map { ($0.count, $0.reason.explanation) }
    if !skipped.isEmpty {
      lines.append(
        "\(Wording.count(track.skipped.total, "position")) skipped: \(Self.list(skipped))")
    }
    var marks: [String] = []
    if track.waypoints > 0, !extras.contains(.waypoints) {
      marks.append(Wording.count(track.waypoints, "waypoint"))
    }
    if track.routePoints > 0, !extras.contains(.routes) {
      marks.append(Wording.count(track.routePoints, "route point"))
    }
    if !marks.isEmpty {
      lines.append("also holds \(marks.joined(separator: " and ")) (see --include)")
    }
    if track.undated > 0, track.points > 0 {
      lines.append("\(Wording.count(track.undated, "point")) without a time")
    }
    return lines
  }

  /// `280 closer than …, 32 less accurate than …`; a single reason needs no number, which stands
  /// before it.
  private static func list(_ reasons: [(count: Int, explanation: String)]) -> String {
    if reasons.count == 1 { return reasons[0].explanation }
    return reasons.map { "\(Wording.count($0.count)) \($0.explanation)" }.joined(separator: ", ")
  }

  private func printTotals() {
    var parts = [Wording.count(report.count(.imported), "file") + " imported"]
    if isDryRun { parts[0] = Wording.count(report.count(.imported), "file") + " would be imported" }
    if report.count(.duplicate) > 0 {
      parts.append("\(Wording.count(report.count(.duplicate))) known already")
    }
    if report.count(.refused) > 0 {
      parts.append("\(Wording.count(report.count(.refused))) refused")
    }
    if report.ignored > 0 {
      parts.append("\(Wording.count(report.ignored)) passed over that are no tracks")
    }
    Console.print(
      parts.joined(separator: ", ")
        + ": \(Wording.count(report.kept)) of \(Wording.count(report.points, "point")) kept")
    let changes = report.changes
    if !isDryRun, report.count(.imported) > 0 {
      Console.print(
        "\(Wording.count(changes.regionsAdded, "new region")), "
          + "\(Wording.count(changes.regionsRevisited)) visited again; "
          + "\(Wording.area(changes.areaAddedSquareKilometers)) of new ground")
    }
    Console.print(
      "\(Wording.bytes(report.bytes)) in \(Wording.decimal(report.elapsedSeconds, 2)) s, "
        + "\(Wording.count(Int(report.pointsPerSecond))) points/s, "
        + "\(Wording.bytes(report.peakMemoryBytes)) of memory at most")
  }
}

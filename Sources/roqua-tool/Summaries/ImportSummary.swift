import Achievements
import Geodesy
import Roqua
import TrackIngest

/// An import's report in words.
///
/// By default a few lines for all files together, and before them the warnings and the files of
/// which nothing could be kept; with ``Detail/everyFile`` a line or more for each file.
struct ImportSummary {
  /// How much to print.
  enum Detail {
    case everyFile, summary, nothing
  }

  let report: ImportReport
  let filter: FilterSettings
  let flightsExplore: Bool
  let isDryRun: Bool
  /// Points that were imported in addition to track points: the summary does not mention them.
  let extras: Set<ExtraPoints>
  let detail: Detail

  /// The largest number of lines about single files in a short summary.
  private static let mostProblems = 10

  /// Prints it. Refused files are left to the errors on standard error.
  func print() {
    let done = report.files.filter { $0.status != .refused }
    guard detail != .nothing, !done.isEmpty else { return }
    let lines = done.flatMap(detail == .everyFile ? everything : problems)
    let shown = detail == .everyFile ? lines.count : Self.mostProblems
    lines.prefix(shown).forEach(Console.print)
    if lines.count > shown {
      Console.print("and \(Wording.count(lines.count - shown)) more; --verbose shows all")
    }
    if !lines.isEmpty { Console.print("") }
    totals().forEach(Console.print)
  }

  // MARK: A file

  /// Everything about a file.
  private func everything(_ file: FileReport) -> [String] {
    if file.status == .duplicate {
      return ["\(file.path): already imported"] + file.track.warnings.map { "  " + Self.text($0) }
    }
    let track = file.track
    return ["\(file.path): \(Self.result(file))"]
      + LeftOut(file, extras).lines(filter, indent: "  ")
      + flown(track.flights, track.flightPoints) + track.warnings.map { "  " + Self.text($0) }
  }

  /// Only what a person should know about a file: that nothing of it could be kept, and warnings.
  private func problems(_ file: FileReport) -> [String] {
    var lines: [String] = []
    // Where there are no points at all, the warnings say so.
    if file.status == .imported, file.track.kept == 0, file.cells == 0,
      file.track.points > 0 || file.track.warnings.isEmpty
    {
      let reasons = LeftOut(file, extras).lines(filter, indent: "")
      lines.append(([Self.result(file)] + reasons).joined(separator: "; "))
    }
    lines += file.track.warnings.map(Self.text)
    return lines.map { "\(file.path): \($0)" }
  }

  /// What a file gave: fixes, or cells.
  private static func result(_ file: FileReport) -> String {
    file.track.format == .fogOfWorld ? CellWording.result(file) : kept(file.track)
  }

  /// `50 of 891 points kept, 2023-06-10`.
  private static func kept(_ track: TrackReport) -> String {
    "\(Wording.count(track.kept)) of \(Wording.count(track.points, "point")) kept"
      + days(track.firstTime, track.lastTime)
  }

  /// `2 flights (1,204 points) explore nothing`; empty without a flight.
  private func flown(_ flights: Int, _ points: Int) -> [String] {
    guard flights > 0 else { return [] }
    if points == 0 { return ["  \(Wording.count(flights, "flight"))"] }
    let subject = "  \(Wording.count(flights, "flight")) (\(Wording.count(points, "point")))"
    if flightsExplore { return [subject] }
    return ["\(subject) \(flights == 1 ? "explores" : "explore") nothing"]
  }

  /// `, 2023-06-10 – 2024-03-19`; empty if no point has a time, which is stated elsewhere.
  private static func days(_ first: Timestamp?, _ last: Timestamp?) -> String {
    first == nil ? "" : ", " + Wording.days(first, last)
  }

  private static func text(_ warning: IngestWarning) -> String {
    (warning.line.map { "line \($0): " } ?? "") + warning.message
  }

  // MARK: All files

  private func totals() -> [String] {
    let imported = report.files.filter { $0.status == .imported }
    let known = report.count(.duplicate)
    var lines: [String] = []
    if !imported.isEmpty {
      let verb = isDryRun ? "would be imported" : "imported"
      let tiles = imported.filter { $0.track.format == .fogOfWorld }
      let times = imported.compactMap(\.track.firstTime) + imported.compactMap(\.track.lastTime)
      lines.append(
        "\(Wording.count(imported.count, "file")) \(verb): "
          + (tiles.count == imported.count
            ? CellWording.result(tiles, isDryRun: isDryRun)
            : "\(Wording.count(report.kept)) of \(Wording.count(report.points, "point")) kept"
              + Self.days(times.min(), times.max())))
      if !tiles.isEmpty, tiles.count < imported.count {
        lines.append(
          "  \(Wording.count(tiles.count, "file")) of Fog of World: "
            + CellWording.result(tiles, isDryRun: isDryRun))
      }
      let leftOut = imported.reduce(into: LeftOut()) { $0.add(LeftOut($1, extras)) }
      lines += leftOut.lines(filter, indent: "  ")
      lines += flown(report.flights, report.flightPoints)
    }
    if known > 0 {
      let end = imported.isEmpty && !report.isCancelled ? "; nothing changed" : ""
      lines.append("\(Wording.count(known, "file")) already imported\(end)")
      if !extras.isEmpty {
        lines.append("  --include changes nothing in files that are already imported")
      }
    }
    let refused = report.count(.refused)
    if refused > 0 { lines.append("\(Wording.count(refused, "file")) refused") }
    if report.ignored > 0 {
      lines.append(
        "\(Wording.count(report.ignored, "file")) without tracks ignored (\(ignoredKinds()))")
      if Self.ignoresPhotos(report) { lines.append("  \(Self.photoAdvice)") }
    }
    guard !imported.isEmpty else { return lines }
    lines += OverlapLines(report.overlaps).lines
    let changes = report.changes
    if !isDryRun {
      lines.append(
        "\(Wording.count(changes.regionsAdded, "new region"))"
          + (changes.regionsRevisited > 0
            ? ", \(Wording.count(changes.regionsRevisited)) visited again; " : "; ")
          + "\(Wording.area(changes.areaAddedSquareKilometers)) newly explored")
      lines += unlocked()
    }
    lines.append(
      "\(Wording.bytes(report.bytes)) in \(Wording.decimal(report.elapsedSeconds, 2)) s, "
        + (report.points == 0 && imported.contains { $0.track.pixels > 0 }
          ? "" : "\(Wording.count(Int(report.pointsPerSecond), "point"))/s, ")
        + "peak memory \(Wording.bytes(report.peakMemoryBytes))")
    return lines
  }

  /// What is said if photos are ignored.
  static let photoAdvice =
    "photos are not imported; roqua photos proposes positions for those that have none"

  /// Whether photos are among the ignored files.
  static func ignoresPhotos(_ report: ImportReport) -> Bool {
    report.ignoredKinds.keys.contains { PhotoKinds.isPhoto($0) }
  }

  /// The largest number of achievements that are named.
  private static let mostAchievements = 3

  /// `5 tiers of 4 achievements unlocked: Globetrotter, Islander, City hopper and 1 more`; empty if
  /// there are none. If finding them would take long, the line names the command that finds them.
  private func unlocked() -> [String] {
    if !report.isUnlockingKnown, report.kept > 0, report.failure == nil, !report.isCancelled {
      return ["roqua achievements --changed shows what it unlocked"]
    }
    let tiers = report.newlyUnlocked
    let reached = Set(tiers.map(\.achievementID))
    if reached.isEmpty { return [] }
    let catalog = AchievementCatalog.bundled
    let titles = catalog.achievements.filter { reached.contains($0.id) }
      .map { Console.safe(catalog.title(of: $0.id, in: "en")) }
    let rest = titles.count - Self.mostAchievements
    return [
      "\(Wording.count(tiers.count, "tier")) of \(Wording.count(titles.count, "achievement")) "
        + "unlocked: \(titles.prefix(Self.mostAchievements).joined(separator: ", "))"
        + (rest > 0 ? " and \(Wording.count(rest)) more" : "")
    ]
  }

  /// The largest number of kinds of ignored files that are listed.
  private static let mostKinds = 6

  /// `180 jpg, 30 html, 3 other`: the most frequent kinds, and all others together.
  private func ignoredKinds() -> String {
    let kinds = report.ignoredKindsByCount
    let named = kinds.filter { $0.kind != "other" }.prefix(Self.mostKinds)
    let others = report.ignored - named.reduce(0) { $0 + $1.count }
    let all = named.map { $0 } + (others > 0 ? [(kind: "other", count: others)] : [])
    return all.map { "\(Wording.count($0.count)) \($0.kind)" }.joined(separator: ", ")
  }
}

/// The points and positions of one or more files that were not kept, and why.
private struct LeftOut {
  private var dropped = Tally<DropReason>()
  private var skipped = Tally<SkipReason>()
  private var waypoints = 0
  private var routePoints = 0
  private var undated = 0

  init() {}

  init(_ file: FileReport, _ extras: Set<ExtraPoints>) {
    let track = file.track
    (dropped, skipped) = (track.dropped, track.skipped)
    waypoints = extras.contains(.waypoints) ? 0 : track.waypoints
    routePoints = extras.contains(.routes) ? 0 : track.routePoints
    undated = track.points > 0 ? track.undated : 0
  }

  mutating func add(_ other: LeftOut) {
    for (reason, count) in other.dropped.nonZero { dropped[reason] += count }
    for (reason, count) in other.skipped.nonZero { skipped[reason] += count }
    waypoints += other.waypoints
    routePoints += other.routePoints
    undated += other.undated
  }

  /// A line each for points, for other positions, and for points of other kinds.
  func lines(_ filter: FilterSettings, indent: String) -> [String] {
    var lines: [String] = []
    let points = dropped.nonZero.map {
      Reason(count: $0.count, amongOthers: $0.reason.explanation(filter))
    }
    if !points.isEmpty {
      lines.append("\(Wording.count(dropped.total, "point")) left out: \(Self.list(points))")
    }
    let positions = skipped.nonZero.map {
      Reason(count: $0.count, amongOthers: $0.reason.explanation, alone: $0.reason.fault)
    }
    if !positions.isEmpty {
      lines.append("\(Wording.count(skipped.total, "position")) skipped: \(Self.list(positions))")
    }
    var others: [String] = []
    if waypoints > 0 { others.append(Wording.count(waypoints, "waypoint")) }
    if routePoints > 0 { others.append(Wording.count(routePoints, "route point")) }
    if !others.isEmpty {
      lines.append("\(others.joined(separator: " and ")) not imported (see --include)")
    }
    if undated > 0 { lines.append("\(Wording.count(undated, "point")) without a time") }
    return lines.map { indent + $0 }
  }

  /// `280 closer than …, 32 less accurate than …`; a single reason needs no number, because the
  /// total is the same.
  private static func list(_ reasons: [Reason]) -> String {
    if reasons.count == 1 { return reasons[0].alone ?? reasons[0].amongOthers }
    return reasons.map { "\(Wording.count($0.count)) \($0.amongOthers)" }.joined(separator: ", ")
  }

  private struct Reason {
    let count: Int
    /// The words after their number.
    let amongOthers: String
    /// The words if there is no other reason; nil if they are the same.
    var alone: String?
  }
}
